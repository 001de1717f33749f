/** In place of the composer for who may not write here: why, and how that can change. */
import { nameOfCard } from '../../api/error-toasts.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import Lock from 'lucide-react/icons/lock'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FailureLine } from '../../ui/field.tsx'
import type { OpenRoom } from './chat-data.ts'
import type { Reader } from './reader.ts'
import { readKeptText } from './kept-texts.ts'
import type { Standing } from './standing.ts'
import { useAssign } from './use-assign.ts'

export function ComposerClosed({ room, reader, standing }: { room: OpenRoom; reader: Reader; standing: Standing }) {
  const t = useT()
  const obstacle = useObstacle()
  const { assign, failure } = useAssign(room.id)
  const { owner, mayTake } = standing
  const kept = readKeptText(reader.id, room.id).text
  return (
    <div className="grid gap-2 border-t border-line bg-sunken px-5 py-3.5 max-md:px-3.5 max-md:pb-[max(14px,env(safe-area-inset-bottom))]">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <p className="flex min-w-0 flex-1 items-start gap-2.5">
          <Lock size={17} aria-hidden className="mt-0.5 shrink-0 text-muted" />
          <span>
            {t(owner ? 'validation.otherConsultant' : 'chat.free')}
            {owner ? (
              <span className="block text-sm text-muted">{t('chat.ownedBy', { name: nameOfCard(owner) })}</span>
            ) : null}
          </span>
        </p>
        {mayTake ? (
          <Button
            kind="primary"
            busy={assign.isPending}
            disabled={obstacle ?? false}
            onClick={() => assign.mutate({ to: reader.id, from: owner?.id ?? null })}
          >
            {t('chat.takeOver')}
          </Button>
        ) : null}
      </div>
      <FailureLine>{failure}</FailureLine>
      {kept ? (
        // Typed before the room went to somebody else: it is not lost, and can be copied.
        <p className="max-h-24 overflow-y-auto rounded-2 border border-line bg-surface px-3 py-2 text-sm wrap-anywhere whitespace-pre-wrap">
          {kept}
        </p>
      ) : null}
    </div>
  )
}

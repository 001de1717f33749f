/** The head of a thread: the other side, the state, and the button for the person pane. */
import { nameOfCard } from '../../../api/error-toasts.ts'
import { choiceLabel, localeNames, resources } from '@dala/model'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import UserRound from 'lucide-react/icons/user-round'
import { fileAddress } from '../../../api/client.ts'
import { useTitleOf } from '../../../fields/field-display.tsx'
import { firstTranslation, useT } from '../../../lib/i18n.ts'
import { waitLabel } from '../../../lib/wait.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { OpenRoom } from '../chat-data.ts'
import type { Reader } from '../reader.ts'
import { isDesk } from '../desk-search.ts'
import { partnerOf } from '../rooms/room-text.ts'

export interface ThreadHeadProps {
  room: OpenRoom
  reader: Reader
  onBack: (() => void) | undefined
  person: { open: boolean; toggle: () => void }
}

export function ThreadHead({ room, reader, onBack, person }: ThreadHeadProps) {
  const t = useT()
  const now = useNow()
  const partner = partnerOf(room, reader.id)
  const name = partner ? nameOfCard(partner) : t('consultation.unassigned')
  const waitText = waitLabel(t, room, now)
  const titleOfRegion = useTitleOf(resources.regions)
  const details = [
    firstTranslation(choiceLabel(resources.chatrooms, 'state', room.state)),
    waitText,
    // The desk answers in the language of the room, and its advice depends on the region.
    isDesk(reader) && room.region ? titleOfRegion(room.region) : undefined,
    isDesk(reader) && room.language ? localeNames[room.language] : undefined,
  ].filter(Boolean)
  return (
    <header className="flex items-center gap-3 border-b border-line px-4 py-2.5 max-md:px-2">
      {onBack ? (
        <IconButton
          label={t('action.back')}
          icon={<ArrowLeft size={19} aria-hidden className="mirrored" />}
          onClick={onBack}
        />
      ) : null}
      <Avatar name={name} src={fileAddress(partner?.avatar?.url)} />
      <div className="min-w-0 flex-1">
        <h2 className="truncate font-semibold">
          <bdi>{name}</bdi>
        </h2>
        <p className="line-clamp-2 text-sm leading-tight text-muted">{details.join(' · ')}</p>
      </div>
      <IconButton
        label={t('chat.person')}
        icon={<UserRound size={19} aria-hidden />}
        aria-pressed={person.open}
        onClick={person.toggle}
        className="aria-pressed:bg-brand-soft aria-pressed:text-on-brand-soft"
      />
    </header>
  )
}

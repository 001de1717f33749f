/** Below a message that the server does not have yet: on its way, or why it failed and what now. */
import CircleAlert from 'lucide-react/icons/circle-alert'
import { useT } from '../../lib/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { addToComposer } from './kept-texts.ts'
import { dropOutgoing, type Outgoing } from './outbox.ts'

export interface OutgoingStateProps {
  outgoing: Outgoing
  outbox: string
  room: number
  user: number
  onRetry: ((outgoing: Outgoing) => void) | undefined
}

export function OutgoingState({ outgoing, outbox, room, user, onRetry }: OutgoingStateProps) {
  const t = useT()
  const { state, reason, clientId } = outgoing
  const drop = () => dropOutgoing(outbox, new Set([clientId]))
  if (state !== 'failed') {
    return (
      <output className="mt-1 flex items-center gap-1.5 text-sm text-muted">
        {state === 'sending' ? <Spinner size={14} /> : null}
        {t(state === 'sending' ? 'chat.sending' : 'chat.sentState')}
      </output>
    )
  }
  return (
    <div role="alert" className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm">
      <span className="flex items-start gap-1.5 font-medium text-danger-text">
        <CircleAlert size={15} aria-hidden className="mt-[3px] shrink-0" />
        {reason ? `${t('chat.failed')}: ${reason}` : t('chat.failed')}
      </span>
      {onRetry ? <LinkButton onClick={() => onRetry(outgoing)}>{t('action.retry')}</LinkButton> : null}
      {onRetry ? (
        <LinkButton
          onClick={() => {
            addToComposer(user, room, outgoing)
            drop()
          }}
        >
          {t('chat.toComposer')}
        </LinkButton>
      ) : null}
      <LinkButton danger onClick={drop}>
        {t('action.delete')}
      </LinkButton>
    </div>
  )
}

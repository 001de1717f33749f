/** The state below an unsent message: queued, blocked, or failed with the reason and what can be done. */
import CircleAlert from 'lucide-react/icons/circle-alert'
import Clock from 'lucide-react/icons/clock'
import { useT } from '../../../lib/i18n.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/feedback/spinner.tsx'
import { needsConfirmation, isBlockedByEarlier, type OutgoingMessage } from '../core/queue.ts'
import { addToDraft } from '../composer/drafts.ts'
import { dropOutgoingMessages, useOutbox } from './outbox.ts'
import { focusInThread } from '../thread/focus.ts'

export interface OutgoingStateProps {
  outgoingMessage: OutgoingMessage
  /** Callback that retries the unsent message; absent while the user may not send it. */
  onRetry: (() => void) | undefined
}

export function OutgoingState({ outgoingMessage: unsentMessage, onRetry }: OutgoingStateProps) {
  const t = useT()
  const now = useNow().getTime()
  const roomMessages = useOutbox(unsentMessage.room)
  const { state, reason, clientId, user, room, kind } = unsentMessage
  const discardMessage = () => dropOutgoingMessages(new Set([clientId]))
  const isAsked = needsConfirmation(unsentMessage, now)
  if (state !== 'failed' && !isAsked) {
    const labels = {
      queued: isBlockedByEarlier(roomMessages, unsentMessage, now) ? 'chat.heldBack' : 'chat.queued',
      sending: 'chat.sending',
      sent: 'chat.sentState',
    } as const
    return (
      <output className="mt-1 flex items-center gap-1.5 text-sm text-muted">
        {state === 'sending' ? <Spinner size={14} /> : state === 'queued' ? <Clock size={14} aria-hidden /> : null}
        {t(labels[state])}
      </output>
    )
  }
  const failureText = reason ? `${t('chat.failed')}: ${reason}` : t('chat.failed')
  return (
    <div role="alert" className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm">
      <span className="flex items-start gap-1.5 font-medium text-danger-text">
        <CircleAlert size={15} aria-hidden className="mt-[3px] shrink-0" />
        {isAsked ? t('chat.oldAsk') : failureText}
      </span>
      {onRetry ? (
        <LinkButton
          onClick={({ currentTarget }) => {
            focusInThread(currentTarget, 'message')
            onRetry()
          }}
        >
          {t(isAsked ? 'chat.sendNow' : 'action.retry')}
        </LinkButton>
      ) : null}
      {onRetry ? (
        <LinkButton
          onClick={({ currentTarget }) => {
            focusInThread(currentTarget, 'composer')
            addToDraft(user, room, kind, unsentMessage)
            discardMessage()
          }}
        >
          {t('chat.toComposer')}
        </LinkButton>
      ) : null}
      <LinkButton
        isDanger
        onClick={({ currentTarget }) => {
          focusInThread(currentTarget, 'log')
          discardMessage()
        }}
      >
        {t('action.delete')}
      </LinkButton>
    </div>
  )
}

/** The message that another one answers, above its text; pressed, the thread goes there. */
import type { QuotedMessage } from '@dala/model'
import { nameOfCard } from '../../../api/error-toasts.ts'
import { useT } from '../../../lib/i18n.ts'

export interface MessageQuoteProps {
  quoted: QuotedMessage
  onJump: (seq: number) => void
}

export function MessageQuote({ quoted, onJump }: MessageQuoteProps) {
  const t = useT()
  const look = 'mb-1.5 block w-full min-w-0 border-s-2 border-brand-ui ps-2.5 text-start text-sm'
  if ('deleted' in quoted) return <p className={`${look} text-muted italic`}>{t('chat.removed')}</p>
  const name = nameOfCard(quoted.sender)
  return (
    <button type="button" className={`${look} cursor-pointer`} onClick={() => onJump(quoted.seq)}>
      <span className="sr-only">{t('chat.quoteOf', { name })}</span>
      <b aria-hidden className="block truncate">
        <bdi>{name}</bdi>
      </b>
      <span className="line-clamp-2 text-muted wrap-anywhere" dir="auto">
        {quoted.text ?? t('chat.lastPicture')}
      </span>
    </button>
  )
}

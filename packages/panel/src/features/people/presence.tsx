/** Whether a person is online, as a dot and a word; otherwise when they were last seen. */
import { isOnline } from '../../account/sessions/presence.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import type { CellProps } from '../../resource/screen-parts.ts'
import { textOf } from './account.ts'

export function PresenceLabel({ lastSeenAt }: { lastSeenAt: unknown }) {
  const t = useT()
  const now = useNow()
  if (isOnline(lastSeenAt, now)) {
    return (
      <span className="inline-flex items-center gap-[7px] whitespace-nowrap text-success-text">
        <i aria-hidden className="size-[9px] rounded-full border-2 border-current bg-current" />
        {t('people.online')}
      </span>
    )
  }
  const lastSeenText = textOf(lastSeenAt)
  if (!lastSeenText) return <span className="text-muted">{t('people.never')}</span>
  return (
    <time dateTime={lastSeenText} title={formatDateTime(lastSeenText)} className="whitespace-nowrap tabular-nums">
      {formatRelative(t, lastSeenText, now)}
    </time>
  )
}

export function PresenceCell({ value }: CellProps) {
  return <PresenceLabel lastSeenAt={value} />
}

/**
 * Active or not: a filled dot or a ring, with text. In a list of a wide window the text of the usual state is
 * for screen readers only.
 */
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'

export function StatusDot({ active, isInList = false }: { active: boolean; isInList?: boolean }) {
  const t = useT()
  return (
    <span
      className={cx(
        'inline-flex items-center gap-[7px] whitespace-nowrap',
        active ? 'text-success-text' : 'text-muted',
      )}
    >
      <i
        aria-hidden
        className={cx('size-[9px] rounded-full border-2', active ? 'border-current bg-current' : 'border-line-strong')}
      />
      <span className={cx(active && isInList && 'md:sr-only')}>{t(active ? 'status.active' : 'status.inactive')}</span>
    </span>
  )
}

/** Explanation of the percentage of a course or lesson, for authors and learners (e-learning §7). */
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'

export function PercentRule({ className }: { className?: string }) {
  const t = useT()
  return <p className={cx('max-w-[80ch] text-sm text-muted', className)}>{t('learning.percentRule')}</p>
}

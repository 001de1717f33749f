/** Strength of a password: three bars and a label. */
import type { MessageId } from '@dala/model'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import type { PasswordStrength } from '../../lib/password-strength.ts'

const appearances: Readonly<Record<PasswordStrength, { bars: number; bar: string; label: MessageId }>> = {
  weak: { bars: 1, bar: 'bg-danger', label: 'people.password.weak' },
  fair: { bars: 2, bar: 'bg-warning', label: 'people.password.fair' },
  strong: { bars: 3, bar: 'bg-success', label: 'people.password.strong' },
}

export function StrengthMeter({ strength }: { strength: PasswordStrength }) {
  const t = useT()
  const { bars, bar, label } = appearances[strength]
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <span aria-hidden className="flex gap-1">
        {[1, 2, 3].map((step) => (
          <i key={step} className={cx('h-1 w-7 rounded-1', step <= bars ? bar : 'bg-line')} />
        ))}
      </span>
      <output>{t(label)}</output>
    </p>
  )
}

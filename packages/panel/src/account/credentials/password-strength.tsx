/** A meter of how hard the typed password is to guess. */
import { strengthOf } from '../../lib/password-strength.ts'
import { StrengthMeter } from '../../ui/inputs/strength-meter.tsx'

export function PasswordStrength({ password, names }: { password: string; names: readonly string[] }) {
  return <StrengthMeter strength={strengthOf(password, names)} />
}

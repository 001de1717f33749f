/** A password field that can show the password and warns about Caps Lock. */
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { iconButtonClass } from '../icon-button.tsx'
import { Input } from './input.tsx'

export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const t = useT()
  const [isShown, setIsShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <div className="grid gap-1.5">
      <div className="relative">
        <Input
          {...props}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          className="pe-12"
          onKeyDown={watchCapsLock}
          onKeyUp={watchCapsLock}
        />
        <button
          type="button"
          className={`${iconButtonClass} absolute end-0.5 top-1/2 -translate-y-1/2`}
          aria-label={t(isShown ? 'auth.hidePassword' : 'auth.showPassword')}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
        </button>
      </div>
      <output className="text-sm text-warning-text empty:hidden">{capsLock ? t('auth.capsLock') : null}</output>
    </div>
  )
}

/**
 * Input for a day, typed as dd.mm.yyyy or picked from a calendar, which is loaded when it is first opened.
 */
import { Popover } from '@base-ui/react/popover'
import CalendarDays from 'lucide-react/icons/calendar-days'
import { type ComponentProps, Suspense, useState } from 'react'
import { cx } from '../../lib/class-names.ts'
import { formatDate, parseDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { iconButtonClass } from '../icon-button.tsx'
import { Input } from './input.tsx'
import { Scrim } from '../overlays/scrim.tsx'
import { Spinner } from '../feedback/spinner.tsx'
import { lazyPart } from '../lazy-part.ts'

const Calendar = lazyPart(async () => (await import('./calendar.tsx')).Calendar)

export interface DateInputProps extends Omit<
  ComponentProps<'input'>,
  'value' | 'defaultValue' | 'onChange' | 'type' | 'disabled'
> {
  /** Day as `2026-03-01`, or null; an invalid text is returned as typed, so that the check can report it. */
  value: string | null
  onValueChange: (value: string | null) => void
}

export function DateInput({ value, onValueChange, className, onBlur, ...inputProps }: DateInputProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const [typedText, setTypedText] = useState<string | null>(null)
  return (
    <div className={cx('relative', className)}>
      <Input
        {...inputProps}
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('date.hint')}
        className="pe-12 tabular-nums"
        value={typedText ?? (value === null ? '' : formatDate(value) || value)}
        onChange={(event) => {
          const text = event.target.value
          setTypedText(text)
          onValueChange(text.trim() === '' ? null : (parseDate(text) ?? text))
        }}
        onBlur={(event) => {
          setTypedText(null)
          onBlur?.(event)
        }}
      />
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger
          aria-label={t('date.open')}
          className={cx(iconButtonClass, 'absolute! end-0.5 top-1/2 -translate-y-1/2')}
        >
          <CalendarDays size={17} aria-hidden />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Backdrop render={<Scrim isPhoneOnly />} />
          <Popover.Positioner sideOffset={6} align="end" className="float-positioner">
            <Popover.Popup
              aria-label={t('date.selectDate')}
              className="float-popup max-md:grid max-md:justify-items-center"
            >
              <Suspense fallback={<Spinner />}>
                <Calendar
                  value={value}
                  onPick={(day) => {
                    setTypedText(null)
                    onValueChange(day)
                    setOpen(false)
                  }}
                />
              </Suspense>
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </div>
  )
}

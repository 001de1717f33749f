/** The open select; on a phone its list is a sheet at the lower edge. */
import { Select as Base } from '@base-ui/react/select'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useRef, useState } from 'react'
import { nextPaint } from '../../lib/painted.ts'
import { useFieldControl } from './field.tsx'
import { Scrim } from '../overlays/scrim.tsx'
import { selectClass, type SelectProps } from './select-props.ts'

export function SelectRoot({
  value,
  onValueChange,
  choices,
  placeholder,
  icon,
  variant = 'field',
  focusNext,
  className,
  ...names
}: Omit<SelectProps<string>, 'disabled'>) {
  const control = useFieldControl()
  const button = useRef<HTMLButtonElement>(null)
  // Whether the last choice of the select since opening was made by keyboard.
  const isOpenedByKeyboard = useRef(false)
  const [isOpen, setOpen] = useState(true)
  // Paints the pressed button first, then the list of the select.
  const change = async (isOpening: boolean) => {
    if (isOpening) {
      isOpenedByKeyboard.current = false
      await nextPaint()
    }
    setOpen(isOpening)
  }
  return (
    <Base.Root<string | null>
      open={isOpen}
      items={choices.map((choice) => ({ value: choice.value, label: choice.label }))}
      value={value}
      onValueChange={(chosenValue, { event }) => {
        if (chosenValue === null) return
        isOpenedByKeyboard.current =
          event instanceof KeyboardEvent || (event instanceof MouseEvent && event.detail === 0)
        onValueChange(chosenValue)
      }}
      onOpenChange={(isOpening) => void change(isOpening)}
    >
      <Base.Trigger ref={button} {...control} {...names} className={selectClass(variant, className)}>
        {icon}
        <Base.Value placeholder={placeholder} className="min-w-0 flex-1 truncate" />
        <Base.Icon className="text-muted">
          <ChevronDown size={15} aria-hidden />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Backdrop render={<Scrim isPhoneOnly />} />
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} className="float-positioner">
          {/* The focus returns to the button of the open select, because the closed one that had it no longer
              exists. Where the choice has replaced the select, the focus stays as the page has set it. */}
          <Base.Popup
            className="float-popup"
            finalFocus={() => {
              const select = button.current
              if (!select) return false
              return (isOpenedByKeyboard.current && focusNext?.(select)) || select
            }}
          >
            <Base.List>
              {choices.map((choice) => (
                <Base.Item key={choice.value} value={choice.value} className="float-item justify-between">
                  <Base.ItemText lang={choice.lang}>{choice.label}</Base.ItemText>
                  {choice.note ? <span className="ms-auto text-sm text-muted">{choice.note}</span> : null}
                  <Base.ItemIndicator className="text-brand-text">
                    <Check size={15} aria-hidden />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

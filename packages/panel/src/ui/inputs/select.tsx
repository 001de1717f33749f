/** Select for a short list; the code of its list is loaded at the first sign of use. */
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { nextPaint } from '../../lib/painted.ts'
import { useFieldControl } from './field.tsx'
import { selectClass, type SelectProps } from './select-props.ts'
import { useDisabledReason } from '../disabled-reason.tsx'
import { lazyPart, preload } from '../lazy-part.ts'
import { AwaitedPart } from '../awaited.tsx'

const load = () => import('./select-root.tsx')
const SelectRoot = lazyPart(async () => (await load()).SelectRoot)

// A closed combobox controls nothing yet, so it refers to no list; the open one does.
const closedRole = { role: 'combobox', 'aria-haspopup': 'listbox', 'aria-expanded': false } as const

// A closed select is a plain button, which draws fast and loads no code of floating lists.
export function Select<V extends string | number>(props: SelectProps<V>) {
  const {
    value,
    onValueChange,
    choices,
    placeholder,
    icon,
    disabled,
    variant = 'field',
    focusNext,
    className,
    ...names
  } = props
  const control = useFieldControl()
  const disabledReason = useDisabledReason(disabled, control['aria-describedby'])
  const [wasOpened, setWasOpened] = useState(false)
  const selectedChoice = choices.find((choice) => choice.value === value)
  const preloadRoot = () => preload(load)
  // Paints the pressed button first, then the list of the select.
  const openList = () => {
    if (!disabled) void nextPaint().then(() => setWasOpened(true))
  }
  const closedButton = (
    <button
      type="button"
      {...closedRole}
      {...control}
      {...names}
      {...disabledReason.props}
      data-placeholder={selectedChoice ? undefined : ''}
      className={selectClass(variant, className)}
      onPointerEnter={preloadRoot}
      onFocus={preloadRoot}
      onClick={openList}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        openList()
      }}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{selectedChoice?.label ?? placeholder}</span>
      <ChevronDown size={15} aria-hidden className="text-muted" />
      {disabledReason.note}
    </button>
  )
  if (!wasOpened || disabled) return closedButton
  // The list of the select works with texts, so numbers are converted both ways.
  const texts = choices.map((choice) => ({ ...choice, value: String(choice.value) }))
  return (
    <AwaitedPart fallback={closedButton} onGiveUp={() => setWasOpened(false)}>
      <SelectRoot
        {...names}
        value={value === null ? null : String(value)}
        onValueChange={(text) => {
          const pickedChoice = choices.find((choice) => String(choice.value) === text)
          if (pickedChoice) onValueChange(pickedChoice.value)
        }}
        choices={texts}
        icon={icon}
        variant={variant}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(className === undefined ? {} : { className })}
        {...(focusNext === undefined ? {} : { focusNext })}
      />
    </AwaitedPart>
  )
}

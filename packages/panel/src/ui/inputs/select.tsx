/** A choice from a short list; the code of the list is loaded at the first sign of use. */
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { painted } from '../../lib/painted.ts'
import { useFieldControl } from './field.tsx'
import { selectClass, type SelectProps } from './select-props.ts'
import { useDisabledReason } from '../disabled-reason.tsx'
import { lazyPart, preload } from '../lazy-part.ts'
import { Awaited } from '../awaited.tsx'

const load = () => import('./select-root.tsx')
const SelectRoot = lazyPart(async () => (await load()).SelectRoot)

// A closed combobox controls nothing yet, so it refers to no list; the open one does.
const closedRole = { role: 'combobox', 'aria-haspopup': 'listbox', 'aria-expanded': false } as const

// Until it is opened it is a plain button with the same role and text: filters and forms draw fast, and the
// floating list stays out of the first load.
export function Select<V extends string | number>(props: SelectProps<V>) {
  const {
    value,
    onValueChange,
    choices,
    placeholder,
    icon,
    disabled,
    look = 'field',
    focusNext,
    className,
    ...names
  } = props
  const control = useFieldControl()
  const why = useDisabledReason(disabled, control['aria-describedby'])
  const [wanted, setWanted] = useState(false)
  const chosen = choices.find((choice) => choice.value === value)
  const fetchAhead = () => preload(load)
  // Paints the pressed button first, then the list.
  const open = () => {
    if (!disabled) void painted().then(() => setWanted(true))
  }
  const closed = (
    <button
      type="button"
      {...closedRole}
      {...control}
      {...names}
      {...why.props}
      data-placeholder={chosen ? undefined : ''}
      className={selectClass(look, className)}
      onPointerEnter={fetchAhead}
      onFocus={fetchAhead}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        open()
      }}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{chosen?.label ?? placeholder}</span>
      <ChevronDown size={15} aria-hidden className="text-muted" />
      {why.note}
    </button>
  )
  if (!wanted || disabled) return closed
  // The list works with texts, so numbers are converted both ways.
  const texts = choices.map((choice) => ({ ...choice, value: String(choice.value) }))
  return (
    <Awaited fallback={closed} onGiveUp={() => setWanted(false)}>
      <SelectRoot
        {...names}
        value={value === null ? null : String(value)}
        onValueChange={(text) => {
          const picked = choices.find((choice) => String(choice.value) === text)
          if (picked) onValueChange(picked.value)
        }}
        choices={texts}
        icon={icon}
        look={look}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(className === undefined ? {} : { className })}
        {...(focusNext === undefined ? {} : { focusNext })}
      />
    </Awaited>
  )
}

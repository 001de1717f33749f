/** The open menu and its parts: actions, links, choices; on a phone a sheet at the lower edge. */
import { Menu as Base } from '@base-ui/react/menu'
import Check from 'lucide-react/icons/check'
import { createContext, type ReactElement, type ReactNode, use, useRef, useState } from 'react'
import { cx } from '../../lib/class-names.ts'
import { nextPaint } from '../../lib/painted.ts'
import { Scrim } from './scrim.tsx'
import type { DisabledReason } from '../disabled-reason.tsx'

/** Item with the focus when a menu opens: the first or last item for a key, none for the pointer. */
export type MenuStart = 'first' | 'last' | 'none'

interface MenuRootProps {
  trigger: ReactElement
  align: 'start' | 'end'
  /** Start of the menu at its first opening; later openings have their own. */
  start: MenuStart
  children: (menu: typeof menuParts) => ReactNode
}

/** Delays an action of an item until the menu is closed. */
const CloseDelay = createContext<(action: () => void) => void>((action) => action())

/**
 * Menu that is open as soon as it is mounted. An action runs when the menu is closed and its button has the
 * focus again, so that a dialog opened by the action can return the focus.
 */
export function MenuRoot({ trigger, align, start, children }: MenuRootProps) {
  const button = useRef<HTMLButtonElement>(null)
  const chosenAction = useRef<(() => void) | null>(null)
  const popup = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(true)
  const [startAt, setStartAt] = useState(start)
  const startItem = () => {
    const items = [
      ...(popup.current?.querySelectorAll<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])') ?? []),
    ]
    return items.at(startAt === 'last' ? -1 : 0) ?? true
  }
  // Paints the pressed button first, then the menu.
  const change = async (isOpening: boolean) => {
    await nextPaint()
    setOpen(isOpening)
    setStartAt('none')
  }
  const runChosenItem = (isOpening: boolean) => {
    const action = chosenAction.current
    if (isOpening || !action) return
    chosenAction.current = null
    button.current?.focus()
    action()
  }
  return (
    <Base.Root open={isOpen} onOpenChange={(isOpening) => void change(isOpening)} onOpenChangeComplete={runChosenItem}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Backdrop render={<Scrim isPhoneOnly />} />
        <Base.Positioner sideOffset={6} align={align} className="float-positioner">
          <Base.Popup ref={popup} className="float-popup" {...(startAt === 'none' ? {} : { initialFocus: startItem })}>
            <CloseDelay value={(action) => (chosenAction.current = action)}>{children(menuParts)}</CloseDelay>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  icon?: ReactNode
  isDangerous?: boolean
  /** Reason why the item of the menu cannot be chosen now, shown below its text. */
  disabled?: DisabledReason
  onClick?: () => void
  /** Link that replaces the button of the menu item. */
  render?: ReactElement
  children: ReactNode
}

function MenuItem({ icon, isDangerous: danger = false, disabled, onClick, render, children }: MenuItemProps) {
  const itemClass = cx('float-item', danger && 'text-danger-text')
  const runAfterClose = use(CloseDelay)
  const content = (
    <>
      {icon}
      {disabled ? (
        <span className="grid">
          <span>{children}</span>
          <small className="text-sm">{disabled}</small>
        </span>
      ) : (
        children
      )}
    </>
  )
  return render ? (
    <Base.LinkItem render={render} className={itemClass} closeOnClick>
      {content}
    </Base.LinkItem>
  ) : (
    <Base.Item
      className={itemClass}
      disabled={Boolean(disabled)}
      {...(onClick ? { onClick: () => runAfterClose(onClick) } : {})}
    >
      {content}
    </Base.Item>
  )
}

interface MenuChoiceProps<V extends string> {
  label: string
  value: V
  onValueChange: (value: V) => void
  choices: readonly { value: V; label: ReactNode; lang?: string }[]
  /** Whether the options are shown in several columns, for colour samples. */
  columns?: boolean
  /** Whether the choice navigates, so that it closes the menu. */
  closesMenu?: boolean
}

/** Choice of one option inside a menu, under its heading. */
function MenuChoice<V extends string>({
  label,
  value,
  onValueChange,
  choices,
  columns = false,
  closesMenu = false,
}: MenuChoiceProps<V>) {
  return (
    <Base.Group className="pb-1">
      <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-sm font-medium text-muted">{label}</Base.GroupLabel>
      <Base.RadioGroup
        value={value}
        onValueChange={(chosenValue: V) => onValueChange(chosenValue)}
        className={cx(columns && 'grid grid-cols-2 gap-x-1')}
      >
        {choices.map((choice) => (
          <Base.RadioItem
            key={choice.value}
            value={choice.value}
            closeOnClick={closesMenu}
            className="float-item"
            {...(choice.lang ? { lang: choice.lang } : {})}
          >
            {choice.label}
            <Base.RadioItemIndicator className="ms-auto text-brand-text">
              <Check size={15} aria-hidden />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

function MenuNote({ children }: { children: ReactNode }) {
  return <div className="mb-1 border-b border-line px-2.5 pt-1.5 pb-2.5">{children}</div>
}

/** Components that a menu may contain. */
export const menuParts = { Item: MenuItem, Choice: MenuChoice, Note: MenuNote } as const

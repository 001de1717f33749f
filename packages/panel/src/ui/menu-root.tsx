/** The open menu and its parts: actions, links, choices; on a phone a sheet at the lower edge. */
import { Menu as Base } from '@base-ui/react/menu'
import Check from 'lucide-react/icons/check'
import type { ReactElement, ReactNode } from 'react'
import { cx } from '../lib/class-names.ts'
import { Scrim } from './scrim.tsx'

interface MenuRootProps {
  trigger: ReactElement
  align: 'start' | 'end'
  children: (parts: typeof menuParts) => ReactNode
}

/** The menu, open from the moment it is mounted. */
export function MenuRoot({ trigger, align, children }: MenuRootProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Backdrop render={<Scrim phoneOnly />} />
        <Base.Positioner sideOffset={6} align={align} className="float-positioner">
          <Base.Popup className="float-popup">{children(menuParts)}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  icon?: ReactNode
  danger?: boolean
  disabled?: boolean
  onClick?: () => void
  /** A link that takes the place of the button. */
  render?: ReactElement
  children: ReactNode
}

function MenuItem({ icon, danger = false, disabled = false, onClick, render, children }: MenuItemProps) {
  const look = cx('float-item', danger && 'text-danger-text')
  const content = (
    <>
      {icon}
      {children}
    </>
  )
  return render ? (
    <Base.LinkItem render={render} className={look} closeOnClick>
      {content}
    </Base.LinkItem>
  ) : (
    <Base.Item className={look} disabled={disabled} {...(onClick ? { onClick } : {})}>
      {content}
    </Base.Item>
  )
}

interface MenuChoiceProps<V extends string> {
  label: string
  value: V
  onValueChange: (value: V) => void
  choices: readonly { value: V; label: ReactNode; lang?: string }[]
  /** Several columns, for swatches. */
  columns?: boolean
}

/** One choice out of several inside a menu, under its heading. */
function MenuChoice<V extends string>({ label, value, onValueChange, choices, columns = false }: MenuChoiceProps<V>) {
  return (
    <Base.Group className="pb-1">
      <Base.GroupLabel className="px-2.5 pt-2 pb-1 text-sm font-medium text-muted">{label}</Base.GroupLabel>
      <Base.RadioGroup
        value={value}
        onValueChange={(chosen: V) => onValueChange(chosen)}
        className={cx(columns && 'grid grid-cols-2 gap-x-1')}
      >
        {choices.map((choice) => (
          <Base.RadioItem
            key={choice.value}
            value={choice.value}
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

/** What a menu is made of. */
export const menuParts = { Item: MenuItem, Choice: MenuChoice, Note: MenuNote } as const

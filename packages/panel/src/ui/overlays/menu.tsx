/** A button with a menu; the code of the menu is loaded at the first sign of use. */
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import { painted } from '../../lib/painted.ts'
import type { MenuStart, menuParts } from './menu-root.tsx'
import { lazyPart, preload } from '../lazy-part.ts'
import { Awaited } from '../awaited.tsx'

const load = () => import('./menu-root.tsx')
const MenuRoot = lazyPart(async () => (await load()).MenuRoot)

export type MenuParts = typeof menuParts

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<ComponentProps<'button'>>
  align?: 'start' | 'end'
  /** The content, built from the given parts: `({ Item }) => <Item onClick={…}>…</Item>`. */
  children: (parts: MenuParts) => ReactNode
}

// A list has a menu in every row: until one is opened it is a plain button, which is cheap to draw and keeps
// the code of floating menus out of the first load.
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const [wanted, setWanted] = useState<MenuStart | null>(null)
  const fetchAhead = () => preload(load)
  // Paints the pressed button first, then the menu.
  const open = (start: MenuStart) => void painted().then(() => setWanted(start))
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: fetchAhead,
    onFocus: fetchAhead,
    // A press by key has a click count of 0.
    onClick: (event) => open(event.detail === 0 ? 'first' : 'none'),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      open(event.key === 'ArrowUp' ? 'last' : 'first')
    },
  })
  if (!wanted) return closed
  return (
    <Awaited fallback={closed} onGiveUp={() => setWanted(null)}>
      <MenuRoot trigger={trigger} align={align} start={wanted}>
        {children}
      </MenuRoot>
    </Awaited>
  )
}

/** A button with a menu; the code of the menu is loaded at the first sign of use. */
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import { nextPaint } from '../../lib/painted.ts'
import type { MenuStart, menuParts } from './menu-root.tsx'
import { lazyPart, preload } from '../lazy-part.ts'
import { AwaitedPart } from '../awaited.tsx'

const load = () => import('./menu-root.tsx')
const MenuRoot = lazyPart(async () => (await load()).MenuRoot)

export type MenuParts = typeof menuParts

export interface MenuProps {
  /** Button that opens the menu. */
  trigger: ReactElement<ComponentProps<'button'>>
  align?: 'start' | 'end'
  /** Content of the menu, built from the given parts: `({ Item }) => <Item onClick={…}>…</Item>`. */
  children: (menu: MenuParts) => ReactNode
}

// A closed menu is a plain button, which draws fast and loads no code of floating menus.
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const [openAt, setOpenAt] = useState<MenuStart | null>(null)
  const preloadRoot = () => preload(load)
  // Paints the pressed button first, then the menu.
  const openMenu = (start: MenuStart) => void nextPaint().then(() => setOpenAt(start))
  const closedTrigger = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preloadRoot,
    onFocus: preloadRoot,
    // A press of the button by key has a click count of 0.
    onClick: (event) => openMenu(event.detail === 0 ? 'first' : 'none'),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      openMenu(event.key === 'ArrowUp' ? 'last' : 'first')
    },
  })
  if (!openAt) return closedTrigger
  return (
    <AwaitedPart fallback={closedTrigger} onGiveUp={() => setOpenAt(null)}>
      <MenuRoot trigger={trigger} align={align} start={openAt}>
        {children}
      </MenuRoot>
    </AwaitedPart>
  )
}

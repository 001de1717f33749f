/** A button with a small panel; the code of the panel is loaded at the first sign of use. */
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import { lazyPart, preload } from '../lazy-part.ts'
import { AwaitedPart } from '../awaited.tsx'

const load = () => import('./popover-root.tsx')
const PopoverRoot = lazyPart(async () => (await load()).PopoverRoot)

export interface PopoverProps {
  /** Button that opens the popover. */
  trigger: ReactElement<ComponentProps<'button'>>
  /** Heading of the popover. */
  title: string
  align?: 'start' | 'end'
  /** Called when the popover may soon be opened, to preload its contents. */
  onWanted?: () => void
  children: (closePopover: () => void) => ReactNode
}

export function Popover({ trigger, title, align = 'end', onWanted, children }: PopoverProps) {
  const [wasOpened, setWasOpened] = useState(false)
  const preloadRoot = () => {
    preload(load)
    onWanted?.()
  }
  const closedTrigger = cloneElement(trigger, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onPointerEnter: preloadRoot,
    onFocus: preloadRoot,
    onClick: () => setWasOpened(true),
  })
  if (!wasOpened) return closedTrigger
  return (
    <AwaitedPart fallback={closedTrigger} onGiveUp={() => setWasOpened(false)}>
      <PopoverRoot trigger={trigger} title={title} align={align}>
        {children}
      </PopoverRoot>
    </AwaitedPart>
  )
}

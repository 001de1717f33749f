/** A button with a small panel; the panel's code comes with the first sign that it is wanted. */
import { cloneElement, type ComponentProps, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'

const load = () => import('./popover-root.tsx')
const PopoverRoot = lazy(async () => ({ default: (await load()).PopoverRoot }))

export interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement<ComponentProps<'button'>>
  /** The heading of the panel. */
  title: string
  align?: 'start' | 'end'
  /** Told when it may soon be opened, to load what stands in it. */
  onWanted?: () => void
  children: (close: () => void) => ReactNode
}

export function Popover({ trigger, title, align = 'end', onWanted, children }: PopoverProps) {
  const [wanted, setWanted] = useState(false)
  const preload = () => {
    void load()
    onWanted?.()
  }
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => setWanted(true),
  })
  if (!wanted) return closed
  return (
    <Suspense fallback={closed}>
      <PopoverRoot trigger={trigger} title={title} align={align}>
        {children}
      </PopoverRoot>
    </Suspense>
  )
}

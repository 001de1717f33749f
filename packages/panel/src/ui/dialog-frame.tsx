/** The frame of an open dialog. */
import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { Scrim } from './scrim.tsx'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Buttons of the last row. */
  actions?: ReactNode
  initialFocus?: RefObject<HTMLElement | null>
}

export function DialogFrame({ open, onOpenChange, title, description, children, actions, initialFocus }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop render={<Scrim />} />
        <Base.Viewport className="fixed inset-0 z-(--z-dialog) grid place-items-center overflow-y-auto p-3.5">
          <Base.Popup
            {...(initialFocus ? { initialFocus } : {})}
            className="w-full max-w-[480px] rounded-3 border border-line bg-surface p-6 shadow-3 outline-0 transition-[opacity,translate] duration-(--dur-3) ease-ui data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 max-md:max-w-none max-md:p-5"
          >
            <Base.Title className="text-xl leading-tight font-semibold">{title}</Base.Title>
            {description ? <Base.Description className="mt-2 text-muted">{description}</Base.Description> : null}
            {children ? <div className="mt-4">{children}</div> : null}
            {actions ? <div className="mt-6 flex flex-wrap justify-end gap-2">{actions}</div> : null}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

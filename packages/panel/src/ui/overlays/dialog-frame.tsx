/** Frame of an open dialog: title, content, and a row of buttons. */
import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { cx } from '../../lib/class-names.ts'
import { Scrim } from './scrim.tsx'

export interface DialogProps {
  open: boolean
  onOpenChange: (isOpening: boolean) => void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Buttons in the last row of the dialog. */
  actions?: ReactNode
  initialFocus?: RefObject<HTMLElement | null>
  /** Whether the dialog is wide enough for a form with several columns; on a phone it fills the window. */
  isWide?: boolean
  /** Whether the dialog is wide enough for a list of lines with their own actions. */
  isMedium?: boolean
  /** Whether the dialog fills the window, for two things side by side. */
  isFullScreen?: boolean
  /**
   * Returns the element that has the focus after the dialog, or whether the focus returns to the element that had
   * it before; it does by default.
   */
  finalFocus?: () => HTMLElement | boolean
  /** Called when the dialog is closed and no longer visible. */
  onClosed?: () => void
}

export function DialogFrame({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  initialFocus,
  isWide = false,
  isMedium = false,
  isFullScreen = false,
  finalFocus,
  onClosed,
}: DialogProps) {
  return (
    <Base.Root
      open={open}
      onOpenChange={onOpenChange}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) onClosed?.()
      }}
    >
      <Base.Portal>
        <Base.Backdrop render={<Scrim />} />
        <Base.Viewport
          className={cx(
            'fixed inset-0 z-(--z-dialog) grid place-items-center overflow-y-auto',
            // The dialog starts at the top: the upper part of a tall centred dialog could not be scrolled to.
            isWide || isFullScreen ? 'p-3.5 max-md:items-start max-md:p-0' : 'p-3.5',
            isFullScreen && 'items-start',
          )}
        >
          <Base.Popup
            {...(initialFocus ? { initialFocus } : {})}
            {...(finalFocus ? { finalFocus } : {})}
            className={cx(
              'w-full rounded-3 border border-line bg-surface p-6 shadow-3 outline-0 transition-[opacity,translate] duration-(--dur-3) ease-ui data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 max-md:max-w-none max-md:p-5',
              (isWide || isFullScreen) &&
                'max-md:flex max-md:min-h-dvh max-md:flex-col max-md:rounded-none! max-md:border-0',
              isFullScreen
                ? 'flex min-h-[calc(100dvh-28px)] flex-col'
                : isWide
                  ? 'max-w-[860px]'
                  : isMedium
                    ? 'max-w-[640px]'
                    : 'max-w-[480px]',
            )}
          >
            <Base.Title className="text-xl leading-tight font-semibold">{title}</Base.Title>
            {description ? <Base.Description className="mt-2 text-muted">{description}</Base.Description> : null}
            {children ? <div className="mt-4">{children}</div> : null}
            {actions ? (
              <div
                className={cx(
                  'flex flex-wrap justify-end gap-2 pt-6',
                  isWide && 'max-md:mt-auto',
                  isFullScreen && 'mt-auto',
                )}
              >
                {actions}
              </div>
            ) : null}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

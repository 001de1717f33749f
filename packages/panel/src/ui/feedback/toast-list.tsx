/**
 * The visible toasts: top right (in RTL too, requirements §9), below the top bar; a pointer moved onto them
 * and focus keep them open.
 */
import { Toast as Base } from '@base-ui/react/toast'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import X from 'lucide-react/icons/x'
import { useEffect } from 'react'
import { useT } from '../../lib/i18n.ts'
import { iconButtonClass } from '../icon-button.tsx'
import { onCloseToast, subscribeToasts, takeQueuedToasts, type ToastMessage } from './toast.ts'

interface ToastData extends Pick<ToastMessage, 'secondAction' | 'spokenHint'> {
  /** Number of the message: an equal message changes only this number of a toast that is still open. */
  turn: number
}

const manager = Base.createToastManager<ToastData>()
let turn = 0

const idOf = ({ kind, title, text }: ToastMessage) => `${kind}:${title}:${text ?? ''}`

/** Message of each toast in the list; for two equal messages the later one. */
const renderedToasts = new Map<string, ToastMessage>()

function closeRenderedToast(message: ToastMessage): void {
  const id = idOf(message)
  if (renderedToasts.get(id) === message) manager.close(id)
}

/**
 * Passes the pending messages to the list; equal messages are never shown twice. All are status messages: a
 * high priority would hide them and their button from assistive technology, and announce a copy.
 */
function showQueuedToasts(): void {
  for (const message of takeQueuedToasts()) {
    const { kind, title, text, spokenHint, action, secondAction } = message
    const id = idOf(message)
    renderedToasts.set(id, message)
    turn += 1
    const closeAfter = (run: () => void) => () => {
      manager.close(id)
      run()
    }
    manager.add({
      id,
      type: kind,
      title,
      description: text,
      // Milliseconds for toasts with an action, which needs time to be read and reached; its shortcut works
      // for longer.
      timeout: action ? 5000 : kind === 'error' && text ? 3000 : 2000,
      ...(action && { actionProps: { children: action.label, onClick: closeAfter(action.run) } }),
      data: {
        turn,
        ...(spokenHint !== undefined && { spokenHint }),
        ...(secondAction && { secondAction: { ...secondAction, run: closeAfter(secondAction.run) } }),
      },
      onRemove: () => {
        if (renderedToasts.get(id) === message) renderedToasts.delete(id)
      },
    })
  }
}

/**
 * A toast that appears below a resting pointer (the button just pressed) closes on time: only a moved pointer
 * keeps it open.
 */
export function ToastList() {
  const t = useT()
  useEffect(() => {
    showQueuedToasts()
    const unsubscribers = [subscribeToasts(showQueuedToasts), onCloseToast(closeRenderedToast)]
    return () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
    }
  }, [])
  return (
    <Base.Provider toastManager={manager} limit={4}>
      <Base.Portal>
        <Base.Viewport
          aria-label={t('toast.region')}
          onMouseEnter={(event) => event.preventBaseUIHandler()}
          onMouseMove={(event) => {
            if (event.movementX === 0 && event.movementY === 0) event.preventBaseUIHandler()
          }}
          className="fixed top-[calc(var(--top-h)+8px)] right-6 z-(--z-toast) grid w-[min(380px,calc(100vw-28px))] gap-2 max-md:right-3.5"
        >
          <ToastItems />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

const actionClass =
  '-my-1 min-h-8 rounded-1 text-sm font-semibold text-brand-text hover:underline pointer-coarse:min-h-11'

function ToastItems() {
  const t = useT()
  const { toasts } = Base.useToastManager<ToastData>()
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      swipeDirection="right"
      className="rounded-2 border border-line bg-surface text-ink shadow-2 transition-[opacity,translate] duration-(--dur-3) ease-ui data-ending-style:opacity-0 data-limited:hidden data-starting-style:-translate-y-2 data-starting-style:opacity-0"
    >
      <Base.Content className="flex items-start gap-3 py-2.5 ps-4 pe-2">
        <span className={toast.type === 'error' ? 'mt-1.5 text-danger-text' : 'mt-1.5 text-success-text'}>
          {toast.type === 'error' ? <CircleAlert size={19} aria-hidden /> : <CircleCheck size={19} aria-hidden />}
        </span>
        <div className="min-w-0 flex-1 py-1">
          {/* A new element is announced again: the same title is news after the next action. */}
          <Base.Title key={toast.data?.turn} className="font-semibold wrap-anywhere" />
          <Base.Description className="text-sm text-muted wrap-anywhere" />
          {/* Beside the title: a screen reader would read a title with two texts twice. */}
          {toast.data?.spokenHint === undefined ? null : <p className="sr-only">{toast.data.spokenHint}</p>}
          {/* A screen reader announces the message, and not the names of its buttons. */}
          <div aria-live="off" className="flex flex-wrap gap-x-4 empty:hidden">
            <Base.Action className={actionClass} />
            {toast.data?.secondAction ? (
              <button type="button" onClick={toast.data.secondAction.run} className={actionClass}>
                {toast.data.secondAction.label}
              </button>
            ) : null}
          </div>
        </div>
        {/* The toast library hides the button of a collapsed stack; the stacks of the panel are never
            collapsed. */}
        <Base.Close aria-hidden={false} aria-label={t('toast.close')} className={iconButtonClass}>
          <X size={17} aria-hidden />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ))
}

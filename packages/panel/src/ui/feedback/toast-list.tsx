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
import { onCloseToast, subscribeToasts, takeWaiting, type ToastMessage } from './toast.ts'

const manager = Base.createToastManager<Pick<ToastMessage, 'further'>>()

const idOf = ({ kind, title, text }: ToastMessage) => `${kind}:${title}:${text ?? ''}`

/** The message of each toast; for two equal messages the later one. */
const drawn = new Map<string, ToastMessage>()

function closeDrawn(message: ToastMessage): void {
  const id = idOf(message)
  if (drawn.get(id) === message) manager.close(id)
}

/**
 * Passes the pending messages to the list; equal messages are never shown twice. All are status messages: a
 * high priority would hide them and their button from assistive technology, and announce a copy.
 */
function drawWaiting(): void {
  for (const message of takeWaiting()) {
    const { kind, title, text, action, further } = message
    const id = idOf(message)
    drawn.set(id, message)
    const closing = (run: () => void) => () => {
      manager.close(id)
      run()
    }
    manager.add({
      id,
      type: kind,
      title,
      description: text,
      // An action needs time to be read and reached; its shortcut works for longer.
      timeout: action ? 5000 : kind === 'error' && text ? 3000 : 2000,
      ...(action && { actionProps: { children: action.label, onClick: closing(action.run) } }),
      data: further ? { further: { ...further, run: closing(further.run) } } : {},
      onRemove: () => {
        if (drawn.get(id) === message) drawn.delete(id)
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
    drawWaiting()
    const stops = [subscribeToasts(drawWaiting), onCloseToast(closeDrawn)]
    return () => {
      for (const stop of stops) stop()
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
          <Items />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

const actionClass =
  '-my-1 min-h-8 rounded-1 text-sm font-semibold text-brand-text hover:underline pointer-coarse:min-h-11'

function Items() {
  const t = useT()
  const { toasts } = Base.useToastManager<Pick<ToastMessage, 'further'>>()
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
          <Base.Title className="font-semibold wrap-anywhere" />
          <Base.Description className="text-sm text-muted wrap-anywhere" />
          <div className="flex flex-wrap gap-x-4 empty:hidden">
            <Base.Action className={actionClass} />
            {toast.data?.further ? (
              <button type="button" onClick={toast.data.further.run} className={actionClass}>
                {toast.data.further.label}
              </button>
            ) : null}
          </div>
        </div>
        {/* The library hides it while its stack is collapsed; these stacks never are. */}
        <Base.Close aria-hidden={false} aria-label={t('toast.close')} className={iconButtonClass}>
          <X size={17} aria-hidden />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ))
}

/** Queue of toasts: short messages to the user. */

export interface ToastMessage {
  kind: 'success' | 'error'
  title: string
  text?: string | undefined
  /** Text for screen readers only, announced after the title. */
  spokenHint?: string
  /** Action about the message of a toast, available until the toast closes. */
  action?: ToastAction
  /** Further link beside the action of the toast. */
  secondAction?: ToastAction
}

interface ToastAction {
  label: string
  run: () => void
}

let queuedToasts: readonly ToastMessage[] = []
const listeners = new Set<() => void>()

function publishToasts(newToasts: readonly ToastMessage[]): void {
  queuedToasts = newToasts
  for (const listener of listeners) listener()
}

/** Shows a toast for 2000 ms, and an error with text for 3000 ms (requirements §9). */
export function showToast(message: ToastMessage): void {
  publishToasts([...queuedToasts, message])
}

const closeListeners = new Set<(message: ToastMessage) => void>()

/** Closes a toast that is shown or queued, because its action was done elsewhere. */
export function closeToast(message: ToastMessage): void {
  publishToasts(queuedToasts.filter((queuedToast) => queuedToast !== message))
  for (const closeListener of closeListeners) closeListener(message)
}

export function onCloseToast(closeListener: (message: ToastMessage) => void): () => void {
  closeListeners.add(closeListener)
  return () => void closeListeners.delete(closeListener)
}

/** Takes the messages of all pending toasts out of the queue. */
export function takeQueuedToasts(): readonly ToastMessage[] {
  const current = queuedToasts
  if (current.length > 0) publishToasts([])
  return current
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns whether toasts wait to be shown. */
export function hasWaiting(): boolean {
  return queuedToasts.length > 0
}

/** Short messages on their way to the reader. */

export interface ToastMessage {
  kind: 'success' | 'error'
  title: string
  text?: string | undefined
  /** What can be done about it, until the toast goes. */
  action?: ToastAction
  /** A way on, beside the action. */
  further?: ToastAction
}

interface ToastAction {
  label: string
  run: () => void
}

let waiting: readonly ToastMessage[] = []
const listeners = new Set<() => void>()

function publish(next: readonly ToastMessage[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** Shows a toast for 2000 ms, an error with text for 3000 ms (requirements §9). */
export function showToast(message: ToastMessage): void {
  publish([...waiting, message])
}

const closers = new Set<(message: ToastMessage) => void>()

/** Takes a message from the screen, or from the queue: what it offers has been done otherwise. */
export function closeToast(message: ToastMessage): void {
  publish(waiting.filter((one) => one !== message))
  for (const close of closers) close(message)
}

export function onCloseToast(close: (message: ToastMessage) => void): () => void {
  closers.add(close)
  return () => void closers.delete(close)
}

/** Messages that nobody has drawn yet, and the hand-over of them. */
export function takeWaiting(): readonly ToastMessage[] {
  const taken = waiting
  if (taken.length > 0) publish([])
  return taken
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** True while messages wait to be drawn. */
export function hasWaiting(): boolean {
  return waiting.length > 0
}

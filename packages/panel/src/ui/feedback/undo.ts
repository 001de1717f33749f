/** The last actions that can be taken back: by the toast that says what was done, and by Ctrl+Z as long as the page stays. */
import { t } from '../../lib/i18n.ts'
import { atSessionEnd } from '../../lib/session-end.ts'
import { closeToast, showToast, type ToastMessage } from './toast.ts'

export interface Undoable {
  /** What was done, in the reader's words. */
  title: string
  /** Takes it back; who makes the call shows its failure, and the action can then be taken back still. */
  undo: () => Promise<unknown>
  /** The message once it is taken back; without it one is made from the title. */
  undone?: string
  /** A way on from the message of what was done. */
  further?: ToastMessage['further']
}

const kept = 20
let actions: readonly Undoable[] = []
/** The message that offers each of them. */
const offers = new WeakMap<Undoable, ToastMessage>()

async function takeBack(action: Undoable): Promise<void> {
  if (!actions.includes(action)) return
  actions = actions.filter((one) => one !== action)
  const offer = offers.get(action)
  if (offer) closeToast(offer)
  try {
    await action.undo()
    showToast({ kind: 'success', title: action.undone ?? t('undo.done', { title: action.title }) })
  } catch {
    actions = [...actions, action].slice(-kept)
  }
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select'))

function handleKey(event: KeyboardEvent): void {
  // By place on the keyboard, because under a Cyrillic layout the same key gives another letter.
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === 'KeyZ'
  const last = actions.at(-1)
  // In a text the keys undo the typing.
  if (!isUndo || !last || event.defaultPrevented || isTyping(event.target)) return
  event.preventDefault()
  void takeBack(last)
}

/** Says what was done and keeps the way back: in the toast, and under Ctrl+Z until twenty later actions or a reload. */
export function offerUndo(action: Undoable): void {
  // Adding a listener that is there already changes nothing.
  window.addEventListener('keydown', handleKey)
  actions = [...actions, action].slice(-kept)
  const offer: ToastMessage = {
    kind: 'success',
    title: action.title,
    action: { label: t('action.undo'), run: () => void takeBack(action) },
    ...(action.further && { further: action.further }),
  }
  offers.set(action, offer)
  showToast(offer)
}

/** Forgets every way back: another account has signed in, or none is. */
export function forgetActions(): void {
  actions = []
}

atSessionEnd(forgetActions)

/** Offers the undo of the last actions: by their toast, and by Ctrl+Z until the page is closed. */
import { t } from '../../lib/i18n.ts'
import { onSessionEnd } from '../../lib/session-end.ts'
import { closeToast, showToast, type ToastMessage } from './toast.ts'

export interface UndoableAction {
  /** Description of the action that can be undone, in the user's language. */
  title: string
  /**
   * Undoes the action; the caller of the server shows a failure, after which the action can still be undone.
   */
  undo: () => Promise<unknown>
  /** Message after the undo of the action; built from the title when absent. */
  undoneTitle?: string
  /** Further link in the toast about the action. */
  secondAction?: ToastMessage['secondAction']
}

const maxActions = 20
let actions: readonly UndoableAction[] = []
/** Toasts that offer an undo, by their action. */
const toastsByAction = new WeakMap<UndoableAction, ToastMessage>()

async function undoAction(action: UndoableAction): Promise<void> {
  if (!actions.includes(action)) return
  actions = actions.filter((offeredAction) => offeredAction !== action)
  const toast = toastsByAction.get(action)
  if (toast) closeToast(toast)
  try {
    await action.undo()
    showToast({ kind: 'success', title: action.undoneTitle ?? t('undo.done', { title: action.title }) })
  } catch {
    actions = [...actions, action].slice(-maxActions)
  }
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select'))

function handleKey(event: KeyboardEvent): void {
  // The key Z of the undo is compared by position, because a Cyrillic layout gives another letter for it.
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === 'KeyZ'
  const lastAction = actions.at(-1)
  // The undo shortcut belongs to the text field in focus while the user types.
  if (!isUndo || !lastAction || event.defaultPrevented || isTyping(event.target)) return
  event.preventDefault()
  void undoAction(lastAction)
}

/**
 * Shows a toast about an action and offers its undo: in the toast, and by Ctrl+Z until twenty later actions
 * or a reload.
 */
export function offerUndo(action: UndoableAction): void {
  // A listener that is added again has no further effect.
  window.addEventListener('keydown', handleKey)
  actions = [...actions, action].slice(-maxActions)
  const toast: ToastMessage = {
    kind: 'success',
    title: action.title,
    spokenHint: t('undo.byKey'),
    action: { label: t('action.undo'), run: () => void undoAction(action) },
    ...(action.secondAction && { secondAction: action.secondAction }),
  }
  toastsByAction.set(action, toast)
  showToast(toast)
}

/** Forgets all actions that can be undone, because the session has changed. */
export function forgetActions(): void {
  actions = []
}

onSessionEnd(forgetActions)

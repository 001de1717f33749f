/** Tests of undoing actions: newest first, once each; in a text field Ctrl+Z undoes the typing. */
import { beforeEach, expect, test, vi } from 'vitest'
import { takeQueuedToasts } from './toast.ts'
import { forgetActions, offerUndo } from './undo.ts'

const act = (title: string) => {
  const undo = vi.fn<() => Promise<void>>(() => Promise.resolve())
  offerUndo({ title, undo })
  return undo
}
const pressUndo = (target: EventTarget = document.body) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyZ', ctrlKey: true, bubbles: true, cancelable: true }))

beforeEach(() => {
  forgetActions()
  takeQueuedToasts()
})

test('undoes the newest action first, each action once', () => {
  const [firstUndo, secondUndo] = [act('first'), act('second')]
  pressUndo()
  expect([firstUndo, secondUndo].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
  pressUndo()
  pressUndo()
  expect([firstUndo, secondUndo].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

test('undoes the action of a toast, unless the shortcut has undone it', () => {
  const undo = act('only')
  const [toast] = takeQueuedToasts()
  toast?.action?.run()
  pressUndo()
  expect(undo).toHaveBeenCalledTimes(1)
})

test('closes the message of an action that the shortcut undoes', () => {
  act('only')
  pressUndo()
  expect(takeQueuedToasts().map(({ title }) => title)).not.toContain('only')
})

test('leaves the undo shortcut to a text field in focus', () => {
  const undo = act('only')
  const input = document.body.appendChild(document.createElement('input'))
  expect(pressUndo(input)).toBe(true)
  expect(undo).not.toHaveBeenCalled()
  input.remove()
})

test('keeps an action whose undo failed', async () => {
  const undo = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('offline')))
  offerUndo({ title: 'only', undo })
  pressUndo()
  await vi.waitFor(() => {
    pressUndo()
    expect(undo).toHaveBeenCalledTimes(2)
  })
})

test('forgets the undoable actions of an earlier session', () => {
  const undo = act('only')
  forgetActions()
  pressUndo()
  expect(undo).not.toHaveBeenCalled()
})

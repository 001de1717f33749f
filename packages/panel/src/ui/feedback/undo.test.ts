/** Actions are taken back newest first, once each; in a text Ctrl+Z is for the typing. */
import { beforeEach, expect, test, vi } from 'vitest'
import { takeWaiting } from './toast.ts'
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
  takeWaiting()
})

test('the newest action goes first, each of them once', () => {
  const [first, second] = [act('first'), act('second')]
  pressUndo()
  expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
  pressUndo()
  pressUndo()
  expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

test('the toast takes back its own action, and not again what the keys took back', () => {
  const undo = act('only')
  const [toast] = takeWaiting()
  toast?.action?.run()
  pressUndo()
  expect(undo).toHaveBeenCalledTimes(1)
})

test('the keys close the message whose action they take back', () => {
  act('only')
  pressUndo()
  expect(takeWaiting().map(({ title }) => title)).not.toContain('only')
})

test('in a text the keys are left to the typing', () => {
  const undo = act('only')
  const input = document.body.appendChild(document.createElement('input'))
  expect(pressUndo(input)).toBe(true)
  expect(undo).not.toHaveBeenCalled()
  input.remove()
})

test('an action that could not be taken back stays', async () => {
  const undo = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('offline')))
  offerUndo({ title: 'only', undo })
  pressUndo()
  await vi.waitFor(() => {
    pressUndo()
    expect(undo).toHaveBeenCalledTimes(2)
  })
})

test('another session has nothing to take back', () => {
  const undo = act('only')
  forgetActions()
  pressUndo()
  expect(undo).not.toHaveBeenCalled()
})

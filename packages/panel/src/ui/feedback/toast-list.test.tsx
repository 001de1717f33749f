import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeToast, showToast, type ToastMessage } from './toast.ts'
import { ToastList } from './toast-list.tsx'
import { forgetActions, offerUndo } from './undo.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const passTime = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))

async function showUnderPointer(title: string) {
  render(<ToastList />)
  act(() => showToast({ kind: 'success', title }))
  await passTime(100)
  const region = screen.getByRole('region')
  fireEvent.mouseEnter(region)
  return region
}

it('closes a toast on time when it appears below a resting pointer', async () => {
  await showUnderPointer('Saved')
  expect(screen.getByText('Saved')).toBeTruthy()
  await passTime(4000)
  expect(screen.queryByText('Saved')).toBeNull()
})

it('keeps a toast open while a pointer moves over it', async () => {
  const region = await showUnderPointer('Held')
  fireEvent.mouseMove(region, { movementX: 3, movementY: 0 })
  await passTime(4000)
  expect(screen.getByText('Held')).toBeTruthy()
})

it('closes a toast by its button before a pointer is over it', async () => {
  render(<ToastList />)
  act(() => showToast({ kind: 'success', title: 'Closable' }))
  await passTime(100)
  fireEvent.click(screen.getByRole('button', { name: 'Close the notification' }))
  await passTime(1000)
  expect(screen.queryByText('Closable')).toBeNull()
})

it('closes a toast with an undo action after five seconds', async () => {
  render(<ToastList />)
  act(() => showToast({ kind: 'success', title: 'Deleted', action: { label: 'Undo', run: () => {} } }))
  await passTime(4500)
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  await passTime(1500)
  expect(screen.queryByText('Deleted')).toBeNull()
})

it('closes a toast for the caller that showed it, not for an earlier caller with the same text', async () => {
  render(<ToastList />)
  const [firstToast, secondToast] = [1, 2].map((): ToastMessage => ({ kind: 'success', title: 'Removed' }))
  for (const message of [firstToast, secondToast]) if (message) act(() => showToast(message))
  await passTime(100)
  if (firstToast) act(() => closeToast(firstToast))
  await passTime(500)
  expect(screen.getByText('Removed')).toBeTruthy()
  if (secondToast) act(() => closeToast(secondToast))
  await passTime(500)
  expect(screen.queryByText('Removed')).toBeNull()
})

it('announces the title of a toast with an undo and its keys, without the names of its buttons', async () => {
  render(<ToastList />)
  const undo = () => Promise.resolve()
  act(() => offerUndo({ title: 'Moved', undo }))
  await passTime(100)
  expect(screen.getByRole('dialog', { name: 'Moved' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' }).closest('[aria-live]')?.getAttribute('aria-live')).toBe('off')
  for (const text of ['Moved', 'Ctrl+Z undoes it.'])
    expect(screen.getByText(text).closest('[aria-live]')?.getAttribute('aria-live')).toBe('polite')
  act(forgetActions)
})

it('announces an equal message again while its toast is open', async () => {
  render(<ToastList />)
  act(() => showToast({ kind: 'success', title: 'Place 2 of 2' }))
  await passTime(100)
  const shownToast = screen.getByText('Place 2 of 2')
  act(() => showToast({ kind: 'success', title: 'Place 2 of 2' }))
  await passTime(100)
  expect(screen.getByText('Place 2 of 2')).not.toBe(shownToast)
})

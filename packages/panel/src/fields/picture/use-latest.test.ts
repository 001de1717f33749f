import type { Entry } from '@dala/model'
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useLatest } from './use-latest.ts'

const [firstEntry, secondEntry, thirdEntry] = [{ id: 1 }, { id: 2 }, { id: 3 }]

/** Fake form that re-renders only when the test renders it. */
function renderForm(start: readonly Entry[]) {
  const receivedEntries: (readonly Entry[])[] = []
  const onChange = (list: readonly Entry[]) => void receivedEntries.push(list)
  const { result, rerender } = renderHook(({ shown }) => useLatest(shown, onChange), { initialProps: { shown: start } })
  const add = (entry: Entry) => result.current.change([...result.current.now.current, entry])
  return { received: receivedEntries, add, draw: (list: readonly Entry[] = []) => rerender({ shown: [...list] }) }
}

it('keeps every addition to a list while an older list is rendered', () => {
  const { received, add, draw } = renderForm([])
  add(firstEntry)
  add(secondEntry)
  draw(received[0])
  draw(received[0])
  add(thirdEntry)
  expect(received.at(-1)).toEqual([firstEntry, secondEntry, thirdEntry])
})

it('continues from changes that other code makes to a list of pictures', () => {
  const { received, add, draw } = renderForm([])
  add(firstEntry)
  draw(received[0])
  draw([])
  add(secondEntry)
  expect(received.at(-1)).toEqual([secondEntry])
})

import type { Entry } from '@dala/model'
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useLatest } from './use-latest.ts'

const [one, two, three] = [{ id: 1 }, { id: 2 }, { id: 3 }]

/** A form that re-renders only when the test does it. */
function held(start: readonly Entry[]) {
  const given: (readonly Entry[])[] = []
  const onChange = (list: readonly Entry[]) => void given.push(list)
  const { result, rerender } = renderHook(({ shown }) => useLatest(shown, onChange), { initialProps: { shown: start } })
  const add = (entry: Entry) => result.current.change([...result.current.now.current, entry])
  return { given, add, draw: (list: readonly Entry[] = []) => rerender({ shown: [...list] }) }
}

it('keeps every addition while an older list is rendered', () => {
  const { given, add, draw } = held([])
  add(one)
  add(two)
  draw(given[0])
  draw(given[0])
  add(three)
  expect(given.at(-1)).toEqual([one, two, three])
})

it('continues from changes made elsewhere', () => {
  const { given, add, draw } = held([])
  add(one)
  draw(given[0])
  draw([])
  add(two)
  expect(given.at(-1)).toEqual([two])
})

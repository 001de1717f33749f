import { expect, it } from 'vitest'
import { formDraft } from './form-draft.ts'

const values = { shared: { color: 'red' }, texts: { en: { name: 'Cotton' } } }
const base = { shared: { color: '' }, texts: {} }
const writtenAt = '2026-03-01T10:00:00.000Z'
const attempts = { record: { key: 'a', draft: { name: 'Cotton' }, at: 1 } }

it.each([
  ['this panel stores', { values, base, at: writtenAt, attempts }, { values, base, at: writtenAt, attempts }],
  [
    'an older panel stored without attempts',
    { values, base, at: writtenAt },
    { values, base, at: writtenAt, attempts: {} },
  ],
  [
    'an older panel stored without a base',
    { values, at: writtenAt },
    { values, base: undefined, at: writtenAt, attempts: {} },
  ],
  [
    'has attempts of another shape',
    { values, at: writtenAt, attempts: { record: 'a' } },
    { values, at: writtenAt, attempts: {} },
  ],
  ['has no time', { values, base }, undefined],
  ['has values of another shape', { values: { shared: [], texts: {} }, at: writtenAt }, undefined],
  ['has texts of another shape', { values: { shared: {}, texts: { en: 'Cotton' } }, at: writtenAt }, undefined],
])('reads the draft of a form that %s', (_what, storedDraft, expected) => {
  localStorage.setItem('draft/form/1/tags/5', JSON.stringify(storedDraft))
  expect(formDraft({ user: 1, resource: 'tags', index: '5' }).read()).toEqual(expected)
})

import { expect, it } from 'vitest'
import { messageEdit } from './message-edits.ts'

it.each([
  ['an older panel stored', { text: 'Salam', rev: 11 }, { text: 'Salam', rev: 11 }],
  ['has no revision', { text: 'Salam' }, undefined],
  ['has no text', { text: null, rev: 11 }, undefined],
  ['is a text', 'Salam', undefined],
])('reads the stored edit of a message that %s', (_what, storedEdit, expected) => {
  localStorage.setItem('draft/message/4/10', JSON.stringify(storedEdit))
  expect(messageEdit(4, 10).read()).toEqual(expected)
})

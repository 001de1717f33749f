import { beforeEach, expect, it } from 'vitest'
import { readDraft, reloadDrafts } from './drafts.ts'

beforeEach(reloadDrafts)

const picture = { url: '/uploads/a.jpg', name: 'a.jpg', size: 10, width: 4, height: 3 }
const emptyDraft = { text: '', attachments: [] }

it.each([
  ['an older panel stored', { text: 'Salam', attachments: [picture] }, { text: 'Salam', attachments: [picture] }],
  ['has no pictures', { text: 'Salam' }, emptyDraft],
  ['has a picture without an address', { text: 'Salam', attachments: [{ name: 'a.jpg' }] }, emptyDraft],
  ['is a text', 'Salam', emptyDraft],
])('reads the draft of a message that %s', (_what, storedDraft, expected) => {
  localStorage.setItem('draft/chat/4/1', JSON.stringify(storedDraft))
  localStorage.setItem('draft/chat/4/1/note', JSON.stringify({ text: 'Note', attachments: [] }))
  expect(readDraft(4, 1, 'message')).toEqual(expected)
  expect(readDraft(4, 1, 'note').text).toBe('Note')
})

import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { chatMessage } from '../../../testing/chat-message.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import { notesQuery, filesQuery } from './room-details.ts'

it('requests the last notes and files of a room and returns the newest first', async () => {
  localStorage.setItem('token', 'a')
  const picture = { url: '/uploads/a.png', name: 'a.png', mime: 'image/png', size: 1, width: 10, height: 10 }
  const calls = fakeApi({
    'GET /api/chatmessages': {
      results: [chatMessage(7, { attachments: [picture] }), chatMessage(9, { attachments: [picture] })],
      cursor: { has_older: true, has_newer: false },
      rev: 9,
    },
  })
  const cache = new QueryClient()
  const seqs = (messages: readonly { seq: number }[]) => messages.map(({ seq }) => seq)
  expect(seqs(await cache.query(notesQuery(1)))).toEqual([9, 7])
  expect(seqs(await cache.query(filesQuery(1)))).toEqual([9, 7])
  expect(calls.map(({ query }) => query)).toEqual([
    '?filters[room]=1&filters[kind]=note&before=2147483647&limit=20',
    '?filters[room]=1&filters[attachments][$notNull]=true&before=2147483647&limit=50',
  ])
})

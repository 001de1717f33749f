import { describe, expect, it } from 'vitest'
import type { ShownMessage } from './shown-message.ts'
import { threadRows } from './rows.ts'

const message = (id: number, time: string, clientId: string | null = null): ShownMessage => ({
  id,
  seq: id,
  clientId,
  sender: { id: 5, username: 'Aybek', first_name: null, last_name: null },
  text: `m${id}`,
  kind: 'message',
  seen: false,
  attachments: [],
  createdAt: `2026-03-${time}:00.000Z`,
  edited_at: null,
  quoted: null,
})
const emptyState = { firstUnread: undefined, hasOlder: false, pageStarts: new Set<number>() }
const kinds = (rows: ReturnType<typeof threadRows>) =>
  rows.map((row) => (row.kind === 'message' ? `${row.message.id}${row.isHeaded ? ' headed' : ''}` : row.kind))

describe('threadRows', () => {
  const secondPage = [message(3, '01T10:03'), message(4, '02T10:00')]

  it('keeps the visible rows of a thread in place when earlier messages are loaded before them', () => {
    const formerRows = threadRows({ ...emptyState, messages: secondPage, hasOlder: true })
    expect(kinds(formerRows)).toEqual(['3 headed', 'day', '4 headed'])
    const allMessages = [message(1, '01T10:01'), message(2, '01T10:02'), ...secondPage]
    const extendedRows = threadRows({ ...emptyState, messages: allMessages, pageStarts: new Set([3]) })
    expect(kinds(extendedRows)).toEqual(['day', '1 headed', '2', '3 headed', 'day', '4 headed'])
    expect(extendedRows.slice(-3).map(({ key }) => key)).toEqual(formerRows.map(({ key }) => key))
  })

  it('keeps the key of an unsent message when the message arrives', () => {
    const [onItsWay] = threadRows({ ...emptyState, messages: [message(1, '01T10:01', 'c')], hasOlder: true })
    const [arrivedRow] = threadRows({ ...emptyState, messages: [message(9, '01T10:01', 'c')], hasOlder: true })
    expect(onItsWay?.key).toBe(arrivedRow?.key)
  })
})

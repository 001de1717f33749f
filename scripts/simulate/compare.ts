/** Compares the state of clients with the database: nothing lost, duplicated, out of order or miscounted. */
import type { RoomRow } from '@dala/model'
import type { ChatClient } from './client.ts'
import {
  groupByRoom,
  expectedRow,
  type StoredRooms,
  type ShownMessage,
  type StoredMessage,
  listVisibleMessages,
} from './stored-rooms.ts'

/** Part of the database that clients of the chat show. */
export interface ServerContents {
  rooms: readonly { id: number; sender: number }[]
  messages: readonly ShownMessage[]
}

export interface StateComparison {
  lostMessages: string[]
  doubledMessages: string[]
  /** Logs of clients that differ from the stored room. */
  differingRooms: string[]
  /** Rooms whose revisions have gaps, or do not end at the room's latest revision. */
  tornRooms: string[]
  miscountedRooms: string[]
  /** Number of messages compared between clients and the database, and of further items. */
  sent: number
  rows: number
  logs: number
  counterDifferences: number
}

/** Reads the lists of a client from the server; call it before the server is stopped. */
export async function readLists(clients: readonly ChatClient[]): Promise<Map<ChatClient, RoomRow[]>> {
  const lists = new Map<ChatClient, RoomRow[]>()
  for (const client of clients) {
    const rows: RoomRow[] = []
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const path = `/get_customized_rooms?pagination[pageSize]=100&pagination[page]=${page}`
      const answer = await client.api.read<{ results: RoomRow[]; pagination: { pageCount: number } }>(path)
      rows.push(...answer.results)
      pages = answer.pagination.pageCount
    }
    lists.set(client, rows)
  }
  return lists
}

/** Messages as texts, one for each, so that shown and expected ones can be compared and printed. */
const describeMessages = (messages: readonly Pick<ShownMessage, 'id' | 'seq' | 'kind' | 'text'>[]) =>
  messages.map(({ id, seq, kind, text }) => `${seq} ${id} ${kind} ${text}`)

/** Returns the first difference between two lists; undefined when they are equal. */
function firstDifference(actualTexts: readonly string[], expectedTexts: readonly string[]): string | undefined {
  const differenceIndex = Array.from({ length: Math.max(actualTexts.length, expectedTexts.length) }).findIndex(
    (_item, index) => actualTexts[index] !== expectedTexts[index],
  )
  return differenceIndex < 0
    ? undefined
    : `at ${differenceIndex}: has ${actualTexts[differenceIndex] ?? 'nothing'}, should have ${expectedTexts[differenceIndex] ?? 'nothing'}`
}

/** Returns the differences between the open rooms of clients and the database. */
export function listDifferences(clients: readonly ChatClient[], truth: ServerContents): string[] {
  const rooms = new Map(truth.rooms.map((room) => [room.id, room]))
  const messages = groupByRoom(truth.messages)
  return clients.flatMap((client) =>
    client.rooms.ids.flatMap((id) => {
      const room = rooms.get(id)
      const storedMessages = room ? listVisibleMessages(client.me.id, room, messages.get(id) ?? []) : []
      const firstDifferentMessage = firstDifference(
        describeMessages(client.rooms.logOf(id)?.messages ?? []),
        describeMessages(storedMessages),
      )
      return firstDifferentMessage === undefined ? [] : [`room ${id} of ${client.me.username} ${firstDifferentMessage}`]
    }),
  )
}

function findTornRooms({ rooms, changes }: StoredRooms): string[] {
  const logs = groupByRoom(changes)
  return rooms.flatMap(({ id, revision }) => {
    const revisions = (logs.get(id) ?? []).map(({ rev }) => rev)
    const isWhole = revisions.length === revision && revisions.every((rev, index) => rev === index + 1)
    return isWhole ? [] : [`room ${id} at ${revision} has ${revisions.length} changes up to ${revisions.at(-1)}`]
  })
}

function findMiscountedRooms(lists: ReadonlyMap<ChatClient, readonly RoomRow[]>, ledger: StoredRooms): string[] {
  const rooms = new Map(ledger.rooms.map((room) => [room.id, room]))
  const [messages, changes] = [groupByRoom(ledger.messages), groupByRoom(ledger.changes)]
  return [...lists].flatMap(([{ me }, rows]) =>
    rows.flatMap((row) => {
      const room = rooms.get(row.id)
      if (!room) return [`room ${row.id} is listed and is not there`]
      const roomHistory = { messages: messages.get(row.id) ?? [], changes: changes.get(row.id) ?? [] }
      const expectedRoomRow = expectedRow(ledger, room, me.id, roomHistory)
      const actualState = {
        unread: row.unread_message,
        last: row.last_message?.id ?? null,
        lastText: row.last_message?.text ?? null,
        rev: row.rev,
        waiting: row.waiting_since === null ? null : `${Date.parse(row.waiting_since)}`,
      }
      const [actualText, expectedText] = [JSON.stringify(actualState), JSON.stringify(expectedRoomRow)]
      return actualText === expectedText
        ? []
        : [`room ${row.id} for ${me.username}: listed ${actualText}, counted ${expectedText}`]
    }),
  )
}

/**
 * Compares clients with the database.
 *
 * @param clients - The clients.
 * @param lists - Their lists as the server answered them.
 * @param ledger - The content of the database.
 */
export function compareStates(
  clients: readonly ChatClient[],
  lists: ReadonlyMap<ChatClient, readonly RoomRow[]>,
  ledger: StoredRooms,
): StateComparison {
  const sentMessages = clients.flatMap((client) =>
    client.sent.map((sentMessage) => ({ ...sentMessage, sender: client.me.id })),
  )
  const people = new Set(clients.map(({ me }) => me.id))
  const rows = ledger.messages.filter(({ sender }) => people.has(sender))
  const rowsByClientId = Map.groupBy(rows, ({ client_id }) => client_id)
  const acknowledgedIds = new Set(sentMessages.map(({ clientId }) => clientId))
  const isSameMessage = (sentMessage: (typeof sentMessages)[number], row: StoredMessage) =>
    row.id === sentMessage.id && row.room === sentMessage.room && row.sender === sentMessage.sender
  return {
    lostMessages: sentMessages
      .filter(
        (sentMessage) => !rowsByClientId.get(sentMessage.clientId)?.some((row) => isSameMessage(sentMessage, row)),
      )
      .map(({ id, clientId }) => `${id} ${clientId}`),
    doubledMessages: rows
      .filter(
        ({ client_id }) =>
          client_id === null || !acknowledgedIds.has(client_id) || rowsByClientId.get(client_id)?.length !== 1,
      )
      .map(({ id, client_id }) => `${id} ${client_id}`),
    differingRooms: listDifferences(clients, ledger),
    tornRooms: findTornRooms(ledger),
    miscountedRooms: findMiscountedRooms(lists, ledger),
    sent: sentMessages.length,
    rows: rows.length,
    logs: clients.reduce((sum, { rooms }) => sum + rooms.ids.length, 0),
    counterDifferences: [...lists.values()].reduce((sum, list) => sum + list.length, 0),
  }
}

/**
 * Prints the result of comparing clients with the database.
 *
 * @returns Whether everything agrees.
 */
export function report(comparison: StateComparison, clients: readonly ChatClient[]): boolean {
  const faults = clients.flatMap(({ me, faults: clientFaults }) =>
    clientFaults.map((fault) => `${me.username}: ${fault}`),
  )
  const kinds = {
    LOST: comparison.lostMessages,
    DOUBLED: comparison.doubledMessages,
    DIFFERS: comparison.differingRooms,
    TORN: comparison.tornRooms,
    MISCOUNTED: comparison.miscountedRooms,
    FAULT: faults,
  }
  for (const [kind, list] of Object.entries(kinds))
    for (const finding of list.slice(0, 8)) console.log(`   ${kind} ${finding}`)
  console.log(
    `   ${comparison.sent} messages answered for, ${comparison.rows} rows: ${comparison.lostMessages.length} lost, ${comparison.doubledMessages.length} doubled; ` +
      `${comparison.logs} open rooms of clients: ${comparison.differingRooms.length} differ; ${comparison.tornRooms.length} logs with holes; ` +
      `${comparison.counterDifferences} rows of lists: ${comparison.miscountedRooms.length} miscounted; ${faults.length} faults`,
  )
  return Object.values(kinds).every((list) => list.length === 0) && comparison.sent > 0
}

/** Waits until all clients show the state of the server, after all writing has ended. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ChatMessage, RoomRow } from '@dala/model'
import { Api } from './api.ts'
import type { ChatClient } from './client.ts'
import { listDifferences, type ServerContents } from './compare.ts'

async function readAllRows<T>(api: Api, path: string): Promise<T[]> {
  const allRows: T[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const separator = path.includes('?') ? '&' : '?'
    const query = `${path}${separator}pagination[pageSize]=100&pagination[page]=${page}`
    const answer = await api.read<{ results: T[]; pagination: { pageCount: number } }>(query)
    allRows.push(...answer.results)
    pages = answer.pagination.pageCount
  }
  return allRows
}

/** Reads all chat rooms and messages with the token of an owner account. */
export async function readServerContents(url: string, ownerToken: string): Promise<ServerContents> {
  const api = new Api(url, ownerToken)
  const rooms = await readAllRows<RoomRow>(api, '/chatrooms?sort=id')
  const messages = await readAllRows<ChatMessage>(api, '/chatmessages')
  return {
    rooms: rooms.map(({ id, sender }) => ({ id, sender: sender.id })),
    messages: messages.map((message) => ({ ...message, sender: message.sender.id, deleted: false })),
  }
}

/**
 * Waits until all clients agree with the server.
 *
 * @param clients - The clients.
 * @param serverContents - The state of the server.
 * @param seconds - Time limit.
 * @returns The seconds it took; undefined when they still differ.
 */
export async function waitForConvergence(
  clients: readonly ChatClient[],
  serverContents: ServerContents,
  seconds: number,
): Promise<number | undefined> {
  const startMoment = performance.now()
  for (;;) {
    const elapsedSeconds = (performance.now() - startMoment) / 1_000
    if (listDifferences(clients, serverContents).length === 0) return elapsedSeconds
    if (elapsedSeconds > seconds) return undefined
    await pause(100)
  }
}

/**
 * Simulates a consultant, who takes the room that has waited longest, reads, answers, leaves notes, hands
 * over and closes.
 */
import type { RoomRow } from '@dala/model'
import type { RandomDraws } from '../lib/draws.ts'
import type { ChatClient } from './client.ts'
import { voiceOf } from './phrases.ts'
import { type ChatScene, type, waitAround } from './scene.ts'

const ownerOf = ({ assignee, receiver }: RoomRow) => (assignee ?? receiver)?.id

/** Rooms that wait for this consultant or for anybody, the longest wait first. */
async function findWaitingRooms({ api, me }: ChatClient): Promise<RoomRow[]> {
  const { results } = await api.read<{ results: RoomRow[] }>(
    '/get_customized_rooms?sort=waiting&pagination[pageSize]=15',
  )
  return results.filter((row) => {
    const owner = ownerOf(row)
    return row.waiting_since !== null && row.sender.id !== me.id && (owner === undefined || owner === me.id)
  })
}

/**
 * Takes a free room for the consultant.
 *
 * @returns Whether the room was taken; somebody else may have been quicker.
 */
async function takeRoom(client: ChatClient, row: RoomRow): Promise<boolean> {
  if (ownerOf(row) === client.me.id) return true
  const data = { to: client.me.id, from: null }
  const { status, body } = await client.api.insist('POST', `/chatrooms/${row.id}/assign`, { data })
  if (status === 200) client.tally.did('taken')
  // Refusals of taking a room. 403: consultants may not take a room in which they are the customer; 404 and
  // 409: somebody else has it.
  else if (![403, 404, 409].includes(status))
    client.faults.push(`taking was answered with ${status} ${body.error?.message}`)
  return status === 200
}

async function handOver(client: ChatClient, room: number, receiverId: number, note: string): Promise<void> {
  const data = { to: receiverId, from: client.me.id, note }
  const { status } = await client.api.insist('POST', `/chatrooms/${room}/assign`, { data })
  if (status === 200) client.tally.did('handed over')
  // The room was handed over to another consultant; the first one may still read it.
  client.rooms.check(room)
}

async function closeRoom(client: ChatClient, room: number, reason: string): Promise<void> {
  const { status, body } = await client.api.insist('POST', `/chatrooms/${room}/state`, {
    data: { state: 'closed', reason },
  })
  if (status === 200) client.tally.did('closed')
  else if (status !== 403 && status !== 404 && status !== 409 && status !== 422)
    client.faults.push(`closing was answered with ${status} ${body.error?.message}`)
}

/** Simulates a consultant until the scene ends. */
export async function playConsultant(client: ChatClient, draws: RandomDraws, scene: ChatScene): Promise<void> {
  const { me } = client
  const otherConsultants = scene.consultants.filter((id) => id !== me.id)
  while (scene.isRunning()) {
    const rows = await findWaitingRooms(client)
    // The simulated consultant chooses a room at random, so that not all try to take the same one.
    const row = rows[draws.below(Math.min(rows.length, 3))]
    if (row && (await takeRoom(client, row))) await answer(client, draws, scene, row, otherConsultants)
    await waitAround(scene, draws, scene.consultantPause)
  }
  await client.settled()
}

async function answer(
  client: ChatClient,
  draws: RandomDraws,
  chatScene: ChatScene,
  row: RoomRow,
  otherConsultants: readonly number[],
): Promise<void> {
  const room = row.id
  const voice = voiceOf(row.language ?? client.me.language)
  if (!(await client.rooms.watch(room))) return
  await client.seen(room)
  if (draws.chance(0.08)) await client.send(room, { text: draws.pick(voice.notes), kind: 'note' })
  if (otherConsultants.length > 0 && draws.chance(0.04))
    return handOver(client, room, draws.pick(otherConsultants), voice.handOver)
  const text = draws.pick(voice.answers)
  await type(chatScene, draws, client, room, text)
  const sentMessage = await client.send(room, { text })
  if (sentMessage && draws.chance(0.05 * chatScene.editFactor))
    await client.edit(sentMessage.id, `${text} ${voice.more}`)
  if (sentMessage && draws.chance(0.02 * chatScene.editFactor)) await client.remove(sentMessage.id)
  if (sentMessage && draws.chance(0.05)) await closeRoom(client, room, voice.closingText)
}

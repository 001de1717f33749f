/** The shared settings of a simulation: how quick people are, what they send, and when it ends. */
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import type { RandomDraws } from '../lib/draws.ts'
import type { ChatClient } from './client.ts'
import type { CountTally } from './tally.ts'

export interface ChatScene {
  tally: CountTally
  /** Mean seconds between two actions of a simulated customer. */
  customerPause: number
  /** Mean seconds between two actions of a simulated consultant. */
  consultantPause: number
  /** Whether simulated people take time to read and to write. */
  needsTypingTime: boolean
  /** Factor by which simulated people edit and delete messages more often than real people. */
  editFactor: number
  /** Tells whether the scene of the simulation continues. */
  isRunning: () => boolean
  /** Consultants to whom a room may be handed over. */
  consultants: readonly number[]
}

/** Waits about this many seconds while the scene continues; no two waits are equal. */
export async function waitAround(scene: ChatScene, draws: RandomDraws, seconds: number): Promise<void> {
  const endTime = performance.now() + seconds * 1_000 * (0.4 + 1.2 * draws.next())
  for (
    let remainingTime = endTime - performance.now();
    remainingTime > 0 && scene.isRunning();
    remainingTime = endTime - performance.now()
  )
    await pause(Math.min(remainingTime, 500))
}

/** Types a chat message as a person does: the other side first sees the typing indicator. */
export async function type(
  chatScene: ChatScene,
  draws: RandomDraws,
  client: ChatClient,
  room: number,
  text: string,
): Promise<void> {
  if (!chatScene.needsTypingTime) return
  void client.socket.emit('typing', { room, on: true })
  await waitAround(chatScene, draws, 1 + text.length / 60)
  void client.socket.emit('typing', { room, on: false })
}

/**
 * Uploads a picture of a field seen from above.
 *
 * @returns Address of the picture; undefined when the upload is refused.
 */
export async function uploadPicture({ api }: ChatClient, draws: RandomDraws): Promise<string | undefined> {
  const background = { r: draws.below(80) + 60, g: draws.below(90) + 120, b: draws.below(60) + 30 }
  const size = { width: 320 + draws.below(640), height: 240 + draws.below(480) }
  const bytes = await sharp({ create: { ...size, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.append('files', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'field.jpg')
  const headers = { authorization: `Bearer ${api.token}` }
  try {
    const answer = await fetch(`${api.url}/api/upload`, { method: 'POST', headers, body: form })
    if (!answer.ok) return undefined
    const [file] = (await answer.json()) as { url: string }[]
    return file?.url
  } catch {
    // A chat message whose picture could not be uploaded is sent without the picture.
    return undefined
  }
}

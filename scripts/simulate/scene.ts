/** What everybody of a simulation shares: how quick they are, what they send, and when it is enough. */
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import type { Draws } from '../lib/draws.ts'
import type { ChatClient } from './client.ts'
import type { Tally } from './tally.ts'

export interface Scene {
  tally: Tally
  /** Seconds from one deed of a customer to his next one, in the mean. */
  customerPause: number
  /** The same of a consultant. */
  consultantPause: number
  /** Whether people take their time to read and to write. */
  isCalm: boolean
  /** How much oftener than people they change and take back what they wrote. */
  restless: number
  /** Whether it goes on. */
  goesOn: () => boolean
  /** Who may be handed a room. */
  consultants: readonly number[]
}

/** Waits a while around that many seconds, as long as the scene goes on; no two waits are alike. */
export async function waitAround(scene: Scene, draws: Draws, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1_000 * (0.4 + 1.2 * draws.next())
  for (let left = until - performance.now(); left > 0 && scene.goesOn(); left = until - performance.now())
    await pause(Math.min(left, 500))
}

/** Writes a text as a person does: first the other side sees that he writes. */
export async function type(scene: Scene, draws: Draws, client: ChatClient, room: number, text: string): Promise<void> {
  if (!scene.isCalm) return
  void client.ear.say('typing', { room, on: true })
  await waitAround(scene, draws, 1 + text.length / 60)
  void client.ear.say('typing', { room, on: false })
}

/** Puts a picture into the store, a field as seen from above. Out: its address; undefined when it is refused. */
export async function uploadPicture({ api }: ChatClient, draws: Draws): Promise<string | undefined> {
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
    // A picture that did not get through is not sent; the text is.
    return undefined
  }
}

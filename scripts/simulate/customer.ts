/**
 * Simulates a farmer, who asks, answers questions, sends pictures now and then, edits or deletes a message,
 * and asks again.
 */
import type { RandomDraws } from '../lib/draws.ts'
import type { ChatClient } from './client.ts'
import { voiceOf } from './phrases.ts'
import { type ChatScene, type, uploadPicture, waitAround } from './scene.ts'

interface RoomAnswer {
  data?: { id: number }
}

/**
 * Opens the customer's room, with a consultant of their choice or with any. A second request finds the same
 * room.
 */
async function openRoom({ api, me }: ChatClient, draws: RandomDraws, { consultants }: ChatScene): Promise<number> {
  const receiver = consultants.length > 0 && draws.chance(0.3) ? draws.pick(consultants) : null
  const { status, body } = await api.insist<RoomAnswer>('POST', '/chatrooms', {
    data: { receiver, language: me.language },
  })
  if (body.data === undefined) throw new Error(`A room was refused with ${status}: ${body.error?.message}`)
  return body.data.id
}

/** Simulates a customer until the scene ends. */
export async function playCustomer(client: ChatClient, draws: RandomDraws, scene: ChatScene): Promise<void> {
  const { me, tally } = client
  const voice = voiceOf(me.language)
  let line = draws.below(voice.questionTexts.length)
  const room = await openRoom(client, draws, scene)
  await waitAround(scene, draws, scene.customerPause * draws.next())
  await client.rooms.watch(room)
  while (scene.isRunning()) {
    const lastMessage = client.rooms.logOf(room)?.messages.at(-1)
    const isAnswered = lastMessage !== undefined && lastMessage.sender.id !== me.id
    if (isAnswered) await client.seen(room)
    const lastSentMessage = client.sent.at(-1)
    if (lastSentMessage && lastSentMessage.draft.text !== null && draws.chance(0.06 * scene.editFactor))
      await client.edit(lastSentMessage.id, `${lastSentMessage.draft.text} ${voice.more}`)
    else if (lastSentMessage && draws.chance(0.03 * scene.editFactor)) await client.remove(lastSentMessage.id)
    else {
      if (client.rows.get(room)?.state === 'closed') tally.did('asked again')
      const text =
        isAnswered && draws.chance(0.2)
          ? draws.pick(voice.thanks)
          : (voice.questionTexts[line++ % voice.questionTexts.length] ?? '')
      await type(scene, draws, client, room, text)
      const url = draws.chance(0.04) ? await uploadPicture(client, draws) : undefined
      if (url !== undefined) tally.did('picture')
      await client.send(room, {
        text,
        ...(url !== undefined && { attachments: [{ url }] }),
        ...(lastMessage && draws.chance(0.1) && { reply_to: lastMessage.id }),
      })
    }
    await waitAround(scene, draws, scene.customerPause)
  }
  await client.settled()
}

/**
 * Proof that a message sent twice is stored once. The connection is cut after the request is written and
 * before its answer is read; then the message is sent again under its client id.
 * `node scripts/proofs/chat/cuts.ts --times 100`
 */
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { openRoomOf } from './crowd.ts'
import { option } from '../../lib/filled-database.ts'
import { RandomDraws } from '../../lib/draws.ts'
import { signIn } from '../../lib/server-process.ts'
import { Api } from '../../simulate/api.ts'
import { ChatClient } from '../../simulate/client.ts'
import { waitForConvergence, readServerContents } from '../../simulate/converge.ts'
import { readLedger } from '../../simulate/stored-rooms.ts'
import { makeCast } from '../../simulate/people.ts'
import { openStage } from '../../simulate/stage.ts'
import { CountTally } from '../../simulate/tally.ts'
import { failedTally, passedTally, type CountTally as StepTally } from '../../lib/step.ts'

/**
 * Maximum delay of a cut connection in milliseconds: the server may have received the request, finished it,
 * or neither.
 */
const maxDelay = 12

/**
 * Writes a chat message and breaks the connection.
 *
 * @returns Whether the answer had arrived before.
 */
function sendAndDisconnect(url: string, token: string, data: object, delay: number): Promise<boolean> {
  return new Promise((resolve) => {
    let isAnswered = false
    const sendRequest = request(`${url}/api/chatmessages`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    sendRequest.on('response', () => (isAnswered = true))
    // The request for the message fails because its connection is cut on purpose below.
    sendRequest.on('error', () => undefined)
    sendRequest.on('close', () => resolve(isAnswered))
    sendRequest.end(JSON.stringify({ data }), () => void pause(delay).then(() => sendRequest.destroy()))
  })
}

/**
 * Runs the proof of cut connections in the chat, and prints figures.
 *
 * @param times - Number of cuts.
 * @returns The step.
 */
export async function proveCuts(times: number): Promise<StepTally> {
  const stage = await openStage('embedded', { CHAT_TICK_SECONDS: '5' })
  const clients: ChatClient[] = []
  try {
    const [url = ''] = stage.urls
    const owner = await signIn(url)
    const testCast = await makeCast(url, owner, { customers: 1, consultants: 1 })
    const [customer, consultant] = [testCast.customers[0], testCast.consultants[0]]
    if (!customer || !consultant) throw new Error('Nobody is there')
    const room = await openRoomOf(url, customer, consultant)
    for (const me of [customer, consultant])
      clients.push(new ChatClient(me, new CountTally(), { url, token: me.token }))
    await Promise.all(clients.map((client) => client.rooms.watch(room)))

    const draws = new RandomDraws(3, times)
    const outcomeCounts = { answered: 0, 'had arrived': 0, 'had not': 0 }
    for (let turn = 0; turn < times; turn += 1) {
      const data = { room, client_id: randomUUID(), text: `Message ${turn + 1}` }
      if (await sendAndDisconnect(url, customer.token, data, draws.next() * maxDelay)) outcomeCounts.answered += 1
      const { status, body } = await new Api(url, customer.token).insist<{ meta?: { duplicate?: true } }>(
        'POST',
        '/chatmessages',
        { data },
      )
      if (status !== 200) throw new Error(`The repetition was answered with ${status}: ${body.error?.message}`)
      outcomeCounts[body.meta?.duplicate ? 'had arrived' : 'had not'] += 1
    }
    const convergenceTime = await waitForConvergence(clients, await readServerContents(url, owner), 10)
    for (const client of clients) client.close()
    const { messages } = await stage.runWithDatabase(readLedger)
    const messageCounts = clients.map((client) => client.rooms.logOf(room)?.messages.length ?? 0)
    const texts = messages.map(({ text }) => text)
    console.log(
      `   cut ${times} times (${outcomeCounts.answered} after the answer had begun) and sent again: ${outcomeCounts['had arrived']} had arrived, ` +
        `${outcomeCounts['had not']} had not; ${messages.length} rows, ${messageCounts.join(' and ')} bubbles`,
    )
    const isComplete = messages.length === times && texts.every((text, index) => text === `Message ${index + 1}`)
    const isCut = outcomeCounts['had arrived'] > outcomeCounts.answered
    return isComplete && isCut && convergenceTime !== undefined && messageCounts.every((count) => count === times)
      ? passedTally
      : failedTally
  } finally {
    for (const client of clients) client.close()
    await stage.close()
  }
}

if (import.meta.main) {
  const { failed } = await proveCuts(Number(option('--times') ?? 100))
  process.exit(failed > 0 ? 1 : 0)
}

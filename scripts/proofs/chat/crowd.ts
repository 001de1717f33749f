/**
 * Proof that all clients see one order. Twenty people write into one room in parallel: one customer, one
 * consultant, and staff who leave notes. All clients and the database agree, and the customer sees no note.
 * `node scripts/proofs/chat/crowd.ts --messages 1000`
 */
import { option } from '../../lib/filled-database.ts'
import { signIn } from '../../lib/server-process.ts'
import { Api } from '../../simulate/api.ts'
import { ChatClient } from '../../simulate/client.ts'
import { compareStates, readLists, report } from '../../simulate/compare.ts'
import { waitForConvergence, readServerContents } from '../../simulate/converge.ts'
import { readLedger } from '../../simulate/stored-rooms.ts'
import { makeCast, type Person } from '../../simulate/people.ts'
import { openStage } from '../../simulate/stage.ts'
import { CountTally } from '../../simulate/tally.ts'
import { failedTally, passedTally, type CountTally as StepTally } from '../../lib/step.ts'

const writerCount = 20

/** Opens a chat room of a customer with a consultant. */
export async function openRoomOf(url: string, customer: Person, consultant: Person): Promise<number> {
  const data = { receiver: consultant.id, language: customer.language }
  const { status, body } = await new Api(url, customer.token).ask<{ data?: { id: number } }>('POST', '/chatrooms', {
    data,
  })
  if (!body.data) throw new Error(`A room was refused with ${status}: ${body.error?.message}`)
  return body.data.id
}

/**
 * Runs the proof of a chat with many people, and prints figures.
 *
 * @param messages - Number of messages in all.
 * @returns The step.
 */
export async function proveCrowd(messages: number): Promise<StepTally> {
  const stage = await openStage('embedded', { CHAT_TICK_SECONDS: '5' })
  const clients: ChatClient[] = []
  try {
    const [url = ''] = stage.urls
    const owner = await signIn(url)
    const testCast = await makeCast(url, owner, { customers: 1, consultants: 1, admins: writerCount - 2 })
    const [customer, consultant] = [testCast.customers[0], testCast.consultants[0]]
    if (!customer || !consultant) throw new Error('Nobody is there')
    const room = await openRoomOf(url, customer, consultant)
    const tally = new CountTally()
    for (const me of [customer, consultant, ...testCast.admins])
      clients.push(new ChatClient(me, tally, { url, token: me.token }))
    await Promise.all(clients.map((client) => client.rooms.watch(room)))

    const startMoment = performance.now()
    const writerShare = Math.ceil(messages / writerCount)
    const write = async (client: ChatClient, index: number) => {
      const kind = index < 2 ? 'message' : 'note'
      for (let turn = 0; turn < writerShare; turn += 1)
        await client.send(room, { text: `${client.me.username} ${turn + 1}`, kind })
    }
    await Promise.all(clients.map(write))
    const seconds = (performance.now() - startMoment) / 1_000

    const convergenceTime = await waitForConvergence(clients, await readServerContents(url, owner), 10)
    const lists = await readLists(clients)
    for (const client of clients) client.close()
    const ledger = await stage.runWithDatabase(readLedger)
    const customerMessages = clients[0]?.rooms.logOf(room)?.messages ?? []
    const isHidden =
      customerMessages.every(({ kind }) => kind !== 'note') && customerMessages.length === writerShare * 2
    console.log(
      `   ${writerCount} writers, ${tally.summary()} in ${seconds.toFixed(1)} s; the customer sees ${customerMessages.length}, the desk ` +
        `${clients[1]?.rooms.logOf(room)?.messages.length}; revisions 1 to ${ledger.rooms[0]?.revision}; all alike ` +
        `${convergenceTime === undefined ? 'NOT within 10 s' : `${convergenceTime.toFixed(1)} s after the last`}`,
    )
    const isWhole = ledger.rooms[0]?.revision === writerShare * writerCount
    return report(compareStates(clients, lists, ledger), clients) &&
      isHidden &&
      isWhole &&
      convergenceTime !== undefined
      ? passedTally
      : failedTally
  } finally {
    for (const client of clients) client.close()
    await stage.close()
  }
}

if (import.meta.main) {
  const { failed } = await proveCrowd(Number(option('--messages') ?? 1_000))
  process.exit(failed > 0 ? 1 : 0)
}

/**
 * Proof of several servers: two processes on one PostgreSQL. A message crosses from one to the other in time.
 * When the connections between them are killed while people write, the next tick repairs what clients show.
 * `node scripts/proofs/chat/servers.ts --messages 1000 --cuts 10 --tick 20`
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../packages/server/src/db/database.ts'
import { openRoomOf } from './crowd.ts'
import { option } from '../../lib/filled-database.ts'
import { signIn } from '../../lib/server-process.ts'
import { ChatClient } from '../../simulate/client.ts'
import { compareStates, listDifferences, readLists, report } from '../../simulate/compare.ts'
import { waitForConvergence, readServerContents } from '../../simulate/converge.ts'
import { readLedger } from '../../simulate/stored-rooms.ts'
import { makeCast } from '../../simulate/people.ts'
import { hasPostgres, openStage, type ServerStage } from '../../simulate/stage.ts'
import { formatMilliseconds, CountTally } from '../../simulate/tally.ts'
import { failedTally, passedTally, skippedTally, type CountTally as StepTally } from '../../lib/step.ts'

export interface ServersDose {
  messages: number
  cutCount: number
  /** Seconds from one tick of a chat server to the next. */
  tick: number
}

const pairs = 5
/** Maximum milliseconds for a chat message from one server to the other. */
const maxCrossingTime = 500
/** Number of messages of each customer while the connections are down. */
const messagesDuringCut = 5

interface ChatPair {
  room: number
  customerClient: ChatClient
  answers: ChatClient
}

/** Opens rooms of a customer on one server and their consultant on the other. */
async function openChatPairs({ urls }: ServerStage, owner: string, tally: CountTally): Promise<ChatPair[]> {
  const [firstUrl = '', secondUrl = ''] = urls
  const { customers, consultants } = await makeCast(firstUrl, owner, { customers: pairs, consultants: pairs })
  return await Promise.all(
    customers.map(async (customer, index): Promise<ChatPair> => {
      const consultant = consultants[index]
      if (!consultant) throw new Error('Nobody answers')
      const room = await openRoomOf(firstUrl, customer, consultant)
      const customerClient = new ChatClient(customer, tally, { url: firstUrl, token: customer.token })
      const answers = new ChatClient(consultant, tally, { url: secondUrl, token: consultant.token })
      await Promise.all([customerClient.rooms.watch(room), answers.rooms.watch(room)])
      return { room, customerClient, answers }
    }),
  )
}

/** Sends chat messages one after the other in every room, alternately from both sides. */
const exchangeMessages = (chatPairs: readonly ChatPair[], messageCount: number, title: string) =>
  Promise.all(
    chatPairs.map(async ({ room, customerClient: asks, answers }) => {
      for (let turn = 0; turn < messageCount; turn += 1) {
        await (turn % 2 === 0 ? asks : answers).send(room, { text: `${title} ${turn + 1}` })
        await pause(20)
      }
    }),
  )

/**
 * Sends chat messages until the first one has crossed: the servers find each other within seconds of their
 * start.
 */
async function waitUntilConnected(chatPairs: readonly ChatPair[], tally: CountTally): Promise<void> {
  for (let turn = 0; tally.recent().count < pairs && turn < 100; turn += 1) {
    await exchangeMessages(chatPairs, 1, 'Anybody?')
    await pause(200)
  }
}

const killSql = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dala-sockets'`

/**
 * Sends chat messages while the connections between the servers are killed.
 *
 * @returns Number of open rooms that lacked something at the end, and seconds until all were complete.
 */
async function cutConnectionOnce(
  stage: ServerStage,
  database: Database,
  chatPairs: readonly ChatPair[],
  owner: string,
  dose: ServersDose,
) {
  const clients = chatPairs.flatMap(({ customerClient: asks, answers }) => [asks, answers])
  const messageExchange = exchangeMessages(chatPairs, messagesDuringCut, 'While nobody listens')
  for (let turn = 0; turn < 10; turn += 1) {
    await database.script(killSql)
    await pause(20)
  }
  await messageExchange
  const serverContents = await readServerContents(stage.urls[0] ?? '', owner)
  const missingMessages = listDifferences(clients, serverContents).length
  // One more second is allowed for a tick of the server that is on its way.
  return { lacking: missingMessages, took: await waitForConvergence(clients, serverContents, dose.tick + 1) }
}

/**
 * Runs the proof of a chat on two servers, and prints figures.
 *
 * @param dose - Numbers of messages and cuts, and seconds between ticks.
 * @returns The step; skipped without PostgreSQL.
 */
export async function chatServers(dose: ServersDose): Promise<StepTally> {
  if (!hasPostgres()) {
    console.log('   PostgreSQL is not installed.')
    return skippedTally
  }
  const stage = await openStage('two servers', { CHAT_TICK_SECONDS: `${dose.tick}` })
  const clients: ChatClient[] = []
  try {
    const owner = await signIn(stage.urls[0] ?? '')
    const [setupTally, tally] = [new CountTally(), new CountTally()]
    const chatPairs = await openChatPairs(stage, owner, setupTally)
    clients.push(...chatPairs.flatMap(({ customerClient: asks, answers }) => [asks, answers]))
    await waitUntilConnected(chatPairs, setupTally)
    for (const client of clients) client.tally = tally
    await exchangeMessages(chatPairs, Math.ceil(dose.messages / pairs), 'Message')
    const crossingTimes = tally.all()
    const connectionCuts: { lacking: number; took: number | undefined }[] = []
    await stage.runWithDatabase(async (database) => {
      for (let cutIndex = 0; cutIndex < dose.cutCount; cutIndex += 1)
        connectionCuts.push(await cutConnectionOnce(stage, database, chatPairs, owner, dose))
    })
    const lists = await readLists(clients)
    for (const client of clients) client.close()
    const comparison = compareStates(clients, lists, await stage.runWithDatabase(readLedger))
    const missingMessages = connectionCuts.reduce((sum, cutResult) => sum + cutResult.lacking, 0)
    const isRepaired = connectionCuts.every(({ took }) => took !== undefined)
    const slowest = Math.max(...connectionCuts.map(({ took }) => took ?? Infinity))
    console.log(
      `   ${crossingTimes.count} messages crossed in ${formatMilliseconds(crossingTimes.p50)} (p50), ${formatMilliseconds(crossingTimes.p95)} (p95), ` +
        `${formatMilliseconds(crossingTimes.max)} at most; connections killed ${dose.cutCount} times: ${missingMessages} open rooms lacked something, ` +
        `${isRepaired ? `none of them after ${slowest.toFixed(1)} s` : 'NOT all repaired'} (a tick every ${dose.tick} s)`,
    )
    const isInTime = crossingTimes.count > 0 && crossingTimes.p95 <= maxCrossingTime
    return report(comparison, clients) && isInTime && isRepaired && missingMessages > 0 ? passedTally : failedTally
  } finally {
    for (const client of clients) client.close()
    await stage.close()
  }
}

if (import.meta.main) {
  const number = (name: string, preset: number) => Number(option(`--${name}`) ?? preset)
  const dose = { messages: number('messages', 1_000), cutCount: number('cuts', 10), tick: number('tick', 20) }
  const { failed } = await chatServers(dose)
  process.exit(failed > 0 ? 1 : 0)
}

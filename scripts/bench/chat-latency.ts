/**
 * Latency of the chat with 200 open sockets. It measures the way from one client to another, next to a bare
 * Socket.IO echo in the same run; the time from Enter to one's own message in a browser; the list of 500
 * rooms; and 1,000 changes that a client has missed.
 * `node scripts/bench/chat-latency.ts --sockets 200 --messages 1000`
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { measureBubble } from './chat-bubble.ts'
import { openRoomOf } from '../proofs/chat/crowd.ts'
import { option } from '../lib/filled-database.ts'
import { freePort, stop } from '../lib/processes.ts'
import { signIn, trialEnvironment } from '../lib/server-process.ts'
import { ChatClient } from '../simulate/client.ts'
import { type TestCast, mapInParallel, makeCast } from '../simulate/people.ts'
import { openStage, type ServerStage } from '../simulate/stage.ts'
import { formatMilliseconds, type NumberSpread, computeSpread, CountTally } from '../simulate/tally.ts'

interface LatencyDose {
  sockets: number
  messages: number
  rooms: number
  missed: number
}

export const fullLatencyDose: LatencyDose = { sockets: 200, messages: 1_000, rooms: 500, missed: 1_000 }

/** Messages a second that the bench sends, in the echo and in the chat: more than a busy desk receives. */
const messagesPerSecond = 20
/** Limits for the chat's latency in milliseconds (chat §8). */
const promisedTimes = { shown: 50, heard: 300, list: 1_000, missed: 2_000 }

/** Starts an action at a steady pace, whether or not earlier runs of the action have finished. */
async function runAtPace(times: number, runTurn: (turn: number) => Promise<unknown>): Promise<void> {
  const startMoment = performance.now()
  const workPromises: Promise<unknown>[] = []
  for (let turn = 0; turn < times; turn += 1) {
    await pause(Math.max(0, startMoment + (turn * 1_000) / messagesPerSecond - performance.now()))
    workPromises.push(runTurn(turn))
  }
  await Promise.all(workPromises)
}

/** Measures the latency between clients of a bare Socket.IO server. */
async function measureEchoServer({ sockets, messages }: LatencyDose): Promise<NumberSpread> {
  const port = await freePort()
  const env = trialEnvironment({ PORT: String(port) })
  const child = spawn(process.execPath, [join(import.meta.dirname, 'echo.ts')], { env, stdio: 'inherit' })
  const clients: Socket[] = []
  try {
    const durations: number[] = []
    for (let index = 0; index < sockets; index += 1) {
      const options = { auth: { name: `${index}` }, transports: ['websocket'], forceNew: true, reconnectionDelay: 50 }
      clients.push(io(`http://127.0.0.1:${port}`, options))
    }
    await Promise.all(clients.map((client) => new Promise<void>((resolve) => void client.once('connect', resolve))))
    await runAtPace(messages, (turn) => {
      const [senderClient, receiverClient] = [clients[turn % sockets], clients[(turn + 1) % sockets]]
      const startMoment = performance.now()
      const receiptPromise = new Promise<void>((resolve) => {
        receiverClient?.once('said', () => {
          durations.push(performance.now() - startMoment)
          resolve()
        })
      })
      senderClient?.emit(
        'say',
        `${(turn + 1) % sockets}`,
        `Message ${turn} of a length that people write in a chat, more or less.`,
      )
      return receiptPromise
    })
    return computeSpread(durations)
  } finally {
    for (const client of clients) client.disconnect()
    await stop(child)
  }
}

interface Desk {
  clients: ChatClient[]
  /** Chat rooms, each with the clients of a customer and their consultant. */
  rooms: { room: number; asks: ChatClient; answers: ChatClient }[]
}

/** Connects the clients of all measured chat rooms and opens their rooms. */
async function openDesk(url: string, cast: TestCast, tally: CountTally): Promise<Desk> {
  const openClients = (people: TestCast['customers']) =>
    people.map((me) => new ChatClient(me, tally, { url, token: me.token }))
  const [customers, consultants] = [openClients(cast.customers), openClients(cast.consultants)]
  const rooms = await mapInParallel(customers, 4, async (asks, index) => {
    const answers = consultants[index % consultants.length]
    if (!answers) throw new Error('Nobody answers')
    const room = await openRoomOf(url, asks.me, answers.me)
    await asks.rooms.watch(room)
    await answers.rooms.watch(room)
    return { room, asks, answers }
  })
  return { clients: [...customers, ...consultants], rooms }
}

/** Creates further rooms of a consultant besides those with a conversation. */
async function fillList(stage: ServerStage, rooms: number): Promise<void> {
  await stage.fill(`
    insert into users (username, email, password, role_id, language)
    select 'asker-' || n, 'asker-' || n || '@example.org', '-', (select id from roles where type = 'authenticated'), 'ru'
      from generate_series(1, ${rooms}) n;
    insert into chatrooms (sender_id, receiver_id, waiting_since)
    select id, (select id from users where username = 'sim-consultant-1'), now() - make_interval(mins => id % 300)
      from users where username like 'asker-%'`)
}

async function measureList({ answers }: Desk['rooms'][number], rooms: number): Promise<NumberSpread> {
  const durations: number[] = []
  for (let turn = 0; turn < 20; turn += 1) {
    const startMoment = performance.now()
    const pages = Math.ceil(rooms / 100)
    const page = (index: number) =>
      `/get_customized_rooms?sort=waiting&pagination[pageSize]=100&pagination[page]=${index + 1}`
    await Promise.all(Array.from({ length: pages }, (_item, index) => answers.api.read(page(index))))
    durations.push(performance.now() - startMoment)
  }
  return computeSpread(durations)
}

/** Milliseconds that a client needs after an absence to show all messages and changes it missed. */
async function measureMissedMessages(
  { room, asks, answers }: Desk['rooms'][number],
  missedCount: number,
): Promise<number> {
  answers.socket.leave()
  for (let turn = 0; turn < missedCount / 2; turn += 1) {
    const sentMessage = await asks.send(room, { text: `Missed ${turn}` })
    if (sentMessage) await asks.edit(sentMessage.id, `Missed ${turn}, said otherwise`)
  }
  const rev = asks.rooms.logOf(room)?.rev ?? 0
  const startMoment = performance.now()
  answers.socket.open()
  while ((answers.rooms.logOf(room)?.rev ?? 0) < rev) await pause(5)
  return performance.now() - startMoment
}

/**
 * Measures the latency of the chat and prints a table.
 *
 * @param dose - Numbers of sockets, messages and rooms.
 * @returns Whether all limits hold.
 */
export async function chatLatency(dose: LatencyDose): Promise<boolean> {
  const echoLatency = await measureEchoServer(dose)
  const stage = await openStage('embedded')
  let clients: readonly ChatClient[] = []
  try {
    const url = stage.urls[0] ?? ''
    const consultants = Math.ceil(dose.sockets / 10)
    const castSize = { customers: dose.sockets - consultants, consultants }
    const testCast = await makeCast(url, await signIn(url), castSize)
    await fillList(stage, dose.rooms)
    const tally = new CountTally()
    const chatDesk = await openDesk(url, testCast, tally)
    clients = chatDesk.clients
    const answerTimes: number[] = []
    await runAtPace(dose.messages, async (turn) => {
      const { room, asks, answers } = chatDesk.rooms[turn % chatDesk.rooms.length] ?? {}
      if (room === undefined) return
      const startMoment = performance.now()
      await (turn % 2 === 0 ? asks : answers)?.send(room, { text: `Message ${turn} of a length that people write.` })
      answerTimes.push(performance.now() - startMoment)
    })
    await pause(500)
    const [firstRoom, secondRoom = firstRoom] = chatDesk.rooms
    if (!firstRoom || !secondRoom) throw new Error('There is no room')
    const latencies = tally.all()
    const messageWriter = { token: secondRoom.answers.me.token, room: secondRoom.room }
    const [bubbleTimes, list, catchUpTime] = [
      await measureBubble(url, messageWriter, 50),
      await measureList(firstRoom, dose.rooms),
      await measureMissedMessages(firstRoom, dose.missed),
    ]
    const compareRatio = (spread: NumberSpread) =>
      `${(spread.p50 / echoLatency.p50).toFixed(1)} / ${(spread.p95 / echoLatency.p95).toFixed(1)}`
    const row = (rowTitle: string, spread: NumberSpread, times: string, promisedLimit: string) =>
      console.log(
        `| ${rowTitle} | ${spread.count} | ${formatMilliseconds(spread.p50)} | ${formatMilliseconds(spread.p95)} | ${times} | ${promisedLimit} |`,
      )
    console.log(`\nChat, embedded database, ${dose.sockets} sockets open, ${messagesPerSecond} messages a second\n`)
    console.log('| What | times | p50 | p95 | of the echo, p50 / p95 | promised |')
    console.log('|---|--:|--:|--:|--:|--:|')
    row('bare Socket.IO echo, client to client', echoLatency, '1', '–')
    row('send → answered to its sender', computeSpread(answerTimes), compareRatio(computeSpread(answerTimes)), '–')
    row('Enter → one’s own message in the thread', bubbleTimes, '–', `p95 ≤ ${promisedTimes.shown} ms`)
    row('send → heard by the other side', latencies, compareRatio(latencies), `p95 ≤ ${promisedTimes.heard} ms`)
    row(`list of ${dose.rooms} rooms, all its pages`, list, '–', `≤ ${promisedTimes.list} ms`)
    row(`${dose.missed} changes missed, until shown`, computeSpread([catchUpTime]), '–', `≤ ${promisedTimes.missed} ms`)
    const isQuick =
      latencies.p95 <= promisedTimes.heard && list.p95 <= promisedTimes.list && catchUpTime <= promisedTimes.missed
    return latencies.count > 0 && bubbleTimes.p95 <= promisedTimes.shown && isQuick
  } finally {
    for (const client of clients) client.close()
    await stage.close()
  }
}

if (import.meta.main) {
  const number = (name: keyof LatencyDose) => Number(option(`--${name}`) ?? fullLatencyDose[name])
  const dose = {
    sockets: number('sockets'),
    messages: number('messages'),
    rooms: number('rooms'),
    missed: number('missed'),
  }
  process.exit((await chatLatency(dose)) ? 0 : 1)
}

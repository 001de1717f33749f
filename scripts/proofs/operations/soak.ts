/**
 * Proof that the memory of a server stays flat under a mixed load of hours. Staff read, search, write, upload and
 * count reports, readers sign in, and ten people chat, at a constant rate of about 20 requests a second on the
 * embedded database with the demo content. The memory is read from the metrics of the server.
 * `node scripts/proofs/operations/soak.ts --minutes 60`
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { reports } from '@dala/model'
import sharp from 'sharp'
import { RandomDraws } from '../../lib/draws.ts'
import { median, option } from '../../lib/filled-database.ts'
import { freePort } from '../../lib/processes.ts'
import { ownerEmail, signIn, startServer, trialPassword } from '../../lib/server-process.ts'
import { ChatClient } from '../../simulate/client.ts'
import { makeCast, mapInParallel } from '../../simulate/people.ts'
import { CountTally } from '../../simulate/tally.ts'
import { openRoomOf } from '../chat/crowd.ts'

const seed = 7
const pairs = 5
const requestLimit = 30_000
const sampleInterval = 30_000
/** Minutes of each printed line, and the end of the phase in which memory may grow. */
const [lineMinutes, settleMinutes] = [5, 10]
const maxGrowth = 0.1
/** Statuses of a server that is busy and says so, and their largest share of all requests. */
const refusals = new Set([429, 503])
const maxRefusedShare = 0.001
const mebibyte = 1_048_576

interface MemorySample {
  minute: number
  resident: number
  heap: number
}

/** What became of the requests so far. */
class SoakCounts {
  readonly failures: string[] = []
  refused = 0
  requests = 0
  slowest = 0
}

/** A person who sends one request at a time, and notes what became of it. */
class SoakVisitor {
  readonly #url: string
  readonly #token: string | undefined
  readonly #counts: SoakCounts

  constructor(url: string, counts: SoakCounts, token?: string) {
    this.#url = url
    this.#counts = counts
    this.#token = token
  }

  /** Sends a request; returns the body of a successful answer, undefined after a refusal or failure. */
  async send(method: string, path: string, body?: FormData | object): Promise<unknown> {
    const isForm = body instanceof FormData
    const started = performance.now()
    this.#counts.requests += 1
    try {
      const answer = await fetch(`${this.#url}/api${path}`, {
        method,
        headers: {
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(requestLimit),
      })
      const text = await answer.text()
      if (answer.ok) return text === '' ? undefined : (JSON.parse(text) as unknown)
      if (refusals.has(answer.status)) this.#counts.refused += 1
      else this.#counts.failures.push(`${method} ${path}: ${answer.status} ${text.slice(0, 120)}`)
    } catch (error) {
      this.#counts.failures.push(`${method} ${path}: ${String(error)}`)
    } finally {
      this.#counts.slowest = Math.max(this.#counts.slowest, performance.now() - started)
    }
    return undefined
  }
}

/** One kind of work, and the seconds from one to the next. */
interface SoakWork {
  every: number
  run: (turn: number) => Promise<unknown>
}

interface RecordAnswer {
  data: { id: number; attributes: { version: number } }
}

/** A small picture of one colour, a different one at each turn. */
async function makePicture(draws: RandomDraws): Promise<FormData> {
  const background = { r: draws.below(256), g: draws.below(256), b: draws.below(256) }
  const bytes = await sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.append('files', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), `field-${draws.below(1e9)}.jpg`)
  return form
}

/** The work of staff and readers on news, reports and files. */
async function makeWorks(url: string, counts: SoakCounts, readerToken: string): Promise<SoakWork[]> {
  const draws = new RandomDraws(seed, 1)
  const owner = new SoakVisitor(url, counts, await signIn(url))
  const farmer = new SoakVisitor(url, counts, readerToken)
  const guest = new SoakVisitor(url, counts)
  const listIds = async (path: string) =>
    ((await owner.send('GET', path)) as { data: { id: number }[] }).data.map(({ id }) => id)
  const newsIds = await listIds('/news?locale=ru&pagination[pageSize]=40&fields[0]=title')
  const regionIds = await listIds('/regions?locale=ru&pagination[pageSize]=14&fields[0]=name')
  const reportKeys = Object.keys(reports)
  const words = ['вода', 'хлопок', 'семена', 'полив', 'саженцы'].map(encodeURIComponent)
  const makeRecord = () => {
    const title = `Soak ${randomUUID()}`
    return { data: { title, description: title, content: `<p>${title.repeat(20)}</p>` } }
  }
  let edited = (await owner.send('POST', '/news?locale=ru', makeRecord())) as RecordAnswer
  return [
    {
      every: 0.2,
      run: () =>
        owner.send(
          'GET',
          `/news?locale=ru&sort=createdAt:desc&filters[region]=${draws.pick(regionIds)}&populate[region]=true&populate[tags]=true`,
        ),
    },
    { every: 0.5, run: () => owner.send('GET', `/news?locale=ru&sort=title&_q=${draws.pick(words)}`) },
    { every: 0.25, run: () => owner.send('GET', `/news/${draws.pick(newsIds)}?populate[region]=true`) },
    { every: 1, run: (turn) => owner.send('GET', `/consultations?locale=ru&pagination[page]=${1 + (turn % 5)}`) },
    {
      every: 0.5,
      run: async () => {
        const { version } = edited.data.attributes
        const { data } = makeRecord()
        const answer = await owner.send('PUT', `/news/${edited.data.id}?locale=ru`, { data: { ...data, version } })
        if (answer !== undefined) edited = answer as RecordAnswer
      },
    },
    {
      every: 2,
      run: async () => {
        const created = (await owner.send('POST', '/news?locale=ru', makeRecord())) as RecordAnswer | undefined
        if (created) await owner.send('DELETE', `/news/${created.data.id}`)
      },
    },
    { every: 5, run: () => owner.send('GET', `/statistics/${draws.pick(reportKeys)}`) },
    { every: 10, run: async () => owner.send('POST', '/upload', await makePicture(draws)) },
    {
      every: 15,
      run: async () => {
        const account = { identifier: ownerEmail, password: trialPassword }
        const answer = (await guest.send('POST', '/auth/local', account)) as { jwt: string } | undefined
        if (!answer) return
        const reader = new SoakVisitor(url, counts, answer.jwt)
        await reader.send('GET', '/users/me')
        await reader.send('POST', '/auth/logout')
      },
    },
    { every: 0.5, run: () => farmer.send('GET', '/news?locale=uz&fallback=true&pagination[pageSize]=10') },
  ]
}

/** Opens the rooms of the chat; one person after another writes. */
async function openChat(
  url: string,
  counts: SoakCounts,
): Promise<{ clients: ChatClient[]; readerToken: string; work: SoakWork }> {
  const { customers, consultants } = await makeCast(url, await signIn(url), { customers: pairs, consultants: pairs })
  const tally = new CountTally()
  const open = (people: typeof customers) => people.map((me) => new ChatClient(me, tally, { url, token: me.token }))
  const [askers, answerers] = [open(customers), open(consultants)]
  const writers = await mapInParallel(askers, pairs, async (asks, index) => {
    const answers = answerers[index]
    if (!answers) throw new Error('Nobody answers')
    const room = await openRoomOf(url, asks.me, answers.me)
    await Promise.all([asks.rooms.watch(room), answers.rooms.watch(room)])
    return [
      { client: asks, room },
      { client: answers, room },
    ]
  })
  const turns = writers.flat()
  const run = async (turn: number) => {
    const writer = turns[turn % turns.length]
    counts.requests += 1
    await writer?.client.send(writer.room, { text: `Message ${turn} of a length that people write in a chat.` })
    if (turn % 10 === 9) await writer?.client.seen(writer.room)
  }
  return { clients: [...askers, ...answerers], readerToken: customers[0]?.token ?? '', work: { every: 0.5, run } }
}

/** Repeats a work at its pace until its stop; a turn that takes longer than its pace delays the next one. */
async function repeat({ every, run }: SoakWork, signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const next = performance.now() + every * 1_000
    await run(turn)
    await pause(Math.max(0, next - performance.now()), undefined, { signal }).catch(() => undefined)
  }
}

/** Reads the memory of the server from its metrics. */
async function readMemory(metricsUrl: string, minute: number): Promise<MemorySample> {
  const text = await (await fetch(metricsUrl)).text()
  const read = (kind: string) => {
    const value = text.match(new RegExp(`^dala_process_memory_bytes\\{kind="${kind}"\\} (\\S+)$`, 'm'))?.[1]
    if (value === undefined) throw new Error(`The metrics have no memory of the kind "${kind}".`)
    return Number(value) / mebibyte
  }
  return { minute, resident: read('resident'), heap: read('heap') }
}

/** Medians of the samples in a span of minutes. */
function mediansWithin(samples: readonly MemorySample[], from: number, to: number) {
  const chosen = samples.filter(({ minute }) => minute >= from && minute <= to)
  return { resident: median(chosen.map(({ resident }) => resident)), heap: median(chosen.map(({ heap }) => heap)) }
}

/** Reads the memory at regular moments until the end, and prints a line every five minutes. */
async function watchMemory(metricsUrl: string, minutes: number, counts: SoakCounts): Promise<MemorySample[]> {
  const samples: MemorySample[] = []
  const start = performance.now()
  const sampleCount = Math.ceil((minutes * 60_000) / sampleInterval)
  let requestsBefore = 0
  for (let index = 1; index <= sampleCount; index += 1) {
    await pause(Math.max(0, start + index * sampleInterval - performance.now()))
    const minute = (index * sampleInterval) / 60_000
    samples.push(await readMemory(metricsUrl, minute))
    if (minute % lineMinutes !== 0) continue
    const { resident, heap } = mediansWithin(samples, minute - lineMinutes + 0.1, minute)
    const rate = (counts.requests - requestsBefore) / (lineMinutes * 60)
    console.log(
      `   minute ${minute}: memory ${resident.toFixed(0)} MiB, heap ${heap.toFixed(0)} MiB (medians of ${lineMinutes} minutes); ` +
        `${rate.toFixed(1)} requests/s, slowest ${counts.slowest.toFixed(0)} ms, ${counts.refused} refused, ${counts.failures.length} failed`,
    )
    requestsBefore = counts.requests
    counts.slowest = 0
  }
  return samples
}

/**
 * Runs the proof and prints its figures.
 *
 * @param minutes - Minutes under load.
 * @returns Whether no request failed, and the memory of the last fifth is at most a tenth above that of minutes
 * 10 to 20, or of the second sixth of a shorter run.
 */
export async function soak(minutes: number): Promise<{ harmless: boolean }> {
  const metricsPort = await freePort()
  const server = await startServer({ seed: 'demo', env: { METRICS_PORT: String(metricsPort) } })
  const counts = new SoakCounts()
  const stopping = new AbortController()
  const clients: ChatClient[] = []
  try {
    const chat = await openChat(server.url, counts)
    clients.push(...chat.clients)
    const works = await makeWorks(server.url, counts, chat.readerToken)
    const running = Promise.all([...works, chat.work].map((work) => repeat(work, stopping.signal)))
    const samples = await watchMemory(`http://127.0.0.1:${metricsPort}/metrics`, minutes, counts)
    stopping.abort()
    await running
    const settled = Math.min(settleMinutes, minutes / 6)
    const early = mediansWithin(samples, settled, 2 * settled)
    const late = mediansWithin(samples, 0.8 * minutes, minutes)
    const growth = late.resident / early.resident - 1
    const failures = [...counts.failures, ...clients.flatMap(({ faults, api }) => [...faults, ...api.failures])]
    for (const failure of failures.slice(0, 8)) console.log(`   failed: ${failure}`)
    console.log(
      `   ${minutes} minutes, ${counts.requests} requests and messages, ${counts.refused} refused as busy, ${failures.length} failed; ` +
        `memory ${early.resident.toFixed(0)} MiB in minutes ${settled.toFixed(1)} to ${(2 * settled).toFixed(1)}, ${late.resident.toFixed(0)} MiB in the last fifth: ` +
        `${growth >= 0 ? '+' : ''}${(100 * growth).toFixed(1)} %; heap ${early.heap.toFixed(0)} and ${late.heap.toFixed(0)} MiB`,
    )
    return {
      harmless: growth <= maxGrowth && failures.length === 0 && counts.refused <= maxRefusedShare * counts.requests,
    }
  } finally {
    stopping.abort()
    for (const client of clients) client.close()
    await server.close()
  }
}

if (import.meta.main) process.exit((await soak(Number(option('--minutes') ?? 60))).harmless ? 0 : 1)

/**
 * `npm run simulate`: farmers ask and consultants answer in four languages, through the public API and the
 * socket.
 *
 *   npm run simulate -- --customers 20 --consultants 4 --minutes 5 --rate 2 --seed 7
 *   npm run simulate -- --url http://127.0.0.1:1337 --as-customers-only
 *
 * Without `--url` it starts a server of its own on an empty folder, which is deleted at the end; its panel
 * may be opened meanwhile. With `--url` it joins a running server and creates accounts such as `sim-farmer-1`
 * with OWNER_EMAIL and OWNER_PASSWORD of the environment. Without a password of the owner it uses the demo
 * accounts and DEMO_PASSWORD. `--rate` is the number of actions of one customer in a minute. Only servers of
 * this machine are accepted.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ownerEmail, type RunningServer, signIn, startServer, trialPassword } from '../lib/server-process.ts'
import { type TestCast, demoCast, makeCast } from './people.ts'
import { playScene } from './play.ts'
import type { ChatScene } from './scene.ts'
import { formatMilliseconds, type NumberSpread, CountTally } from './tally.ts'

const reportInterval = 5

const knownOptions = {
  customers: { type: 'string', default: '20' },
  consultants: { type: 'string', default: '4' },
  minutes: { type: 'string', default: '5' },
  rate: { type: 'string', default: '2' },
  seed: { type: 'string', default: '7' },
  url: { type: 'string' },
  'as-customers-only': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const usage = `npm run simulate -- [options]

  --customers N          farmers who ask, 1 to 1,000 (20)
  --consultants N        consultants who answer, 0 to 200 (4)
  --minutes N            how long it runs, 0.05 to 1,440 (5)
  --rate N               what one customer does in a minute, 0.1 to 120 (2)
  --seed N               where the random numbers begin (7)
  --url ADDRESS          a running server of this machine; without it one is started on an empty folder
  --as-customers-only    no consultants
  --help                 this text`

function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(2)
}

function readOptions() {
  try {
    return parseArgs({ options: knownOptions }).values
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  }
}

const values = readOptions()
if (values.help) {
  console.log(usage)
  process.exit(0)
}

function readNumber(
  name: 'customers' | 'consultants' | 'minutes' | 'rate' | 'seed',
  minimumCount: number,
  maximumCount: number,
): number {
  const number = Number(values[name])
  if (!(number >= minimumCount && number <= maximumCount))
    refuse(`--${name} must be a number from ${minimumCount} to ${maximumCount}.`)
  return number
}

/**
 * Returns the address of a server on this machine: on any other one, simulated farmers would write to real
 * people.
 */
function readUrl(text: string): string {
  const url = URL.parse(text)
  const isLoopback = url !== null && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (!isLoopback || url.protocol !== 'http:')
    refuse('--url must be an address of this machine, like http://127.0.0.1:1337.')
  return url.origin
}

const counts = { customers: readNumber('customers', 1, 1_000), consultants: readNumber('consultants', 0, 200) }
const [minutes, rate, seed] = [
  readNumber('minutes', 0.05, 1_440),
  readNumber('rate', 0.1, 120),
  readNumber('seed', 0, 2 ** 31),
]
const castSize = { ...counts, ...(values['as-customers-only'] && { consultants: 0 }) }

async function makeCastAt(url: string): Promise<TestCast> {
  const { OWNER_EMAIL = ownerEmail, OWNER_PASSWORD, DEMO_PASSWORD } = process.env
  if (OWNER_PASSWORD) return await makeCast(url, await signIn(url, OWNER_EMAIL, OWNER_PASSWORD), castSize)
  if (DEMO_PASSWORD) return await demoCast(url, DEMO_PASSWORD, castSize)
  return refuse('Set OWNER_PASSWORD, so that accounts can be made, or DEMO_PASSWORD for those of the demo.')
}

const describeSpread = ({ count, p50, p95 }: NumberSpread) =>
  count === 0 ? 'nothing heard' : `heard after ${formatMilliseconds(p50)} (p50), ${formatMilliseconds(p95)} (p95)`

let server: RunningServer | undefined
if (values.url === undefined) server = await startServer({ seed: 'reference', env: { LOG_LEVEL: 'warn' } })
const url = server?.url ?? readUrl(values.url ?? '')
if (server) console.log(`A server of its own: ${url}, ${ownerEmail} with ${trialPassword}`)
const testCast = server ? await makeCast(url, await signIn(url), castSize) : await makeCastAt(url)

const startMoment = performance.now()
const readElapsedSeconds = () => (performance.now() - startMoment) / 1_000
const tally = new CountTally()
let isStopped = false
process.once('SIGINT', () => (isStopped = true))
const chatScene: ChatScene = {
  tally,
  customerPause: 60 / rate,
  // All consultants of the simulation together are slightly faster than the customers.
  consultantPause: Math.max(
    1,
    (0.8 * 60 * Math.max(1, testCast.consultants.length)) / (rate * testCast.customers.length),
  ),
  needsTypingTime: true,
  editFactor: 1,
  isRunning: () => !isStopped && readElapsedSeconds() < minutes * 60,
  consultants: testCast.consultants.map(({ id }) => id),
}
console.log(
  `${testCast.customers.length} customers and ${testCast.consultants.length} consultants, for ${minutes} minutes`,
)
const { clients, playedScenes: playPromise } = playScene({
  testCast,
  chatScene,
  seed,
  urlOf: () => url,
})

const end = playPromise.then(() => 'ended' as const)
while ((await Promise.race([end, pause(reportInterval * 1_000)])) !== 'ended') {
  const connectedCount = clients.filter(({ socket }) => socket.isConnected).length
  console.log(
    `${readElapsedSeconds().toFixed(0).padStart(5)} s   ${tally.count('message')} messages in ${tally.rooms.size} rooms, ` +
      `${connectedCount} connected, ${describeSpread(tally.recent())}`,
  )
}
for (const client of clients) client.close()
console.log(
  `\n${readElapsedSeconds().toFixed(0)} s: ${tally.summary()}; ${tally.rooms.size} rooms; ${describeSpread(tally.all())}`,
)
const faults = clients.flatMap(({ me, faults: clientFaults }) =>
  clientFaults.map((fault) => `${me.username}: ${fault}`),
)
for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`)
await server?.close()
process.exit(faults.length > 0 ? 1 : 0)

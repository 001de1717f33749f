/**
 * Proof that no message is lost, duplicated or out of order. Simulated customers and consultants write as
 * fast as the server accepts, while servers are killed and restarted and connections are cut. Afterwards the
 * state of all clients is compared with the database.
 * `node scripts/proofs/chat/soak.ts --on embedded --messages 10000`
 */
import { setTimeout as pause } from 'node:timers/promises'
import { option } from '../../lib/filled-database.ts'
import { Draws } from '../../lib/draws.ts'
import { signIn } from '../../lib/server-process.ts'
import { compare, readLists, report } from '../../simulate/compare.ts'
import { converge, readTruth } from '../../simulate/converge.ts'
import { readLedger } from '../../simulate/stored-rooms.ts'
import { type Cast, makeCast } from '../../simulate/people.ts'
import { type PlayOutcome, play } from '../../simulate/play.ts'
import type { Scene } from '../../simulate/scene.ts'
import { hasPostgres, openStage, type Stage, type StageKind } from '../../simulate/stage.ts'
import { inMilliseconds, Tally } from '../../simulate/tally.ts'
import { failedOne, passedOne, skippedOne, type Tally as StepTally } from '../../lib/step.ts'

export interface SoakDose {
  customers: number
  consultants: number
  messages: number
  kills: number
  reconnects: number
  /** Seconds from one tick of the chat servers to the next. */
  tick: number
  /** Minutes after which the long proof of the chat fails. */
  minutes: number
}

const seed = 7

/** Numbers of killed servers and cut connections in the proof: planned, or done so far. */
interface FaultCounts {
  kills: number
  cuts: number
}

/** Repeats an action, spread evenly over the messages of the proof; a late turn is caught up. */
async function spread(
  turns: number,
  { tally, isRunning: goesOn }: Scene,
  dose: SoakDose,
  once: () => Promise<boolean>,
) {
  for (let done = 0; done < turns && goesOn();) {
    const isDue = tally.count('message') >= (dose.messages / (turns + 1)) * (done + 1)
    if (isDue && (await once())) done += 1
    else await pause(20)
  }
}

/** Kills servers and cuts connections for as long as the simulated people write. */
async function disturb(stage: Stage, { clients }: PlayOutcome, scene: Scene, dose: SoakDose, done: FaultCounts) {
  const draws = new Draws(seed, 1_000_000)
  const kill = async () => {
    const began = performance.now()
    await stage.killAndRestart(draws.below(stage.urls.length))
    done.kills += 1
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    console.log(`   kill ${done.kills}: after ${scene.tally.count('message')} messages, ready again in ${seconds} s`)
    return true
  }
  const cut = () => {
    const isCut = draws.pick(clients).socket.cut()
    if (isCut) done.cuts += 1
    return Promise.resolve(isCut)
  }
  await Promise.all([spread(dose.kills, scene, dose, kill), spread(dose.reconnects, scene, dose, cut)])
}

function sceneOf(tally: Tally, cast: Cast, dose: SoakDose, done: FaultCounts): Scene {
  const until = performance.now() + dose.minutes * 60_000
  const isWhole = () =>
    tally.count('message') >= dose.messages && done.kills >= dose.kills && done.cuts >= dose.reconnects
  return {
    tally,
    customerPause: Math.max(0.05, dose.customers / 80),
    consultantPause: 0.1,
    takesTime: false,
    editFactor: 1,
    isRunning: () => !isWhole() && performance.now() < until,
    consultants: cast.consultants.map(({ id }) => id),
  }
}

/**
 * Runs the long proof of the chat on a kind of stage, and prints the result.
 *
 * @param dose - How much is done.
 * @param kind - The servers and database it runs on.
 * @returns Whether every part of the promise held.
 * @throws When a server does not start.
 */
async function chatSoak(dose: SoakDose, kind: StageKind): Promise<{ harmless: boolean }> {
  const stage = await openStage(kind, { CHAT_TICK_SECONDS: `${dose.tick}` })
  let playing: PlayOutcome | undefined
  try {
    const [first = ''] = stage.urls
    const owner = await signIn(first)
    const cast = await makeCast(first, owner, dose)
    const tally = new Tally()
    const done: FaultCounts = { kills: 0, cuts: 0 }
    const scene = sceneOf(tally, cast, dose, done)
    const began = performance.now()
    playing = play({ cast, scene, seed, urlOf: (index) => stage.urls[index % stage.urls.length] ?? first })
    const { clients, played } = playing
    await Promise.all([disturb(stage, playing, scene, dose, done), played])
    const seconds = (performance.now() - began) / 1_000

    // A difference that is not repaired now stays, because all writers have stopped.
    const took = await converge(clients, await readTruth(first, owner), dose.tick + 5)
    const lists = await readLists(clients)
    const losses = clients.reduce((sum, { socket }) => sum + socket.losses, 0)
    for (const client of clients) client.close()
    const found = compare(clients, lists, await stage.withDatabase(readLedger))
    const { p50, p95 } = tally.all()
    console.log(
      `   ${kind}: ${clients.length} people, ${tally.summary()}; ${done.kills} servers killed, ${done.cuts} connections cut, ${losses} lost in all; ` +
        `${seconds.toFixed(0)} s, ${(tally.count('message') / seconds).toFixed(0)} messages/s; ` +
        `heard after ${inMilliseconds(p50)} (p50), ${inMilliseconds(p95)} (p95), kills and cuts included; ` +
        `all alike ${took === undefined ? 'NOT within the time' : `${took.toFixed(1)} s after the last`}`,
    )
    const isWhole =
      done.kills === dose.kills && done.cuts === dose.reconnects && tally.count('message') >= dose.messages
    if (!isWhole) console.log('   NOT SO: everything that was to happen has happened')
    return { harmless: report(found, clients) && isWhole && took !== undefined }
  } finally {
    for (const client of playing?.clients ?? []) client.close()
    await stage.close()
  }
}

/** Runs the long proof of the chat as a step, skipped when it needs PostgreSQL and there is none. */
export async function soakStep(dose: SoakDose, kind: StageKind): Promise<StepTally> {
  if (kind === 'two servers' && !hasPostgres()) {
    console.log('   PostgreSQL is not installed.')
    return skippedOne
  }
  return (await chatSoak(dose, kind)).harmless ? passedOne : failedOne
}

if (import.meta.main) {
  const number = (name: string, preset: number) => Number(option(`--${name}`) ?? preset)
  const dose = {
    customers: number('customers', 200),
    consultants: number('consultants', 20),
    messages: number('messages', 10_000),
    kills: number('kills', 10),
    reconnects: number('reconnects', 200),
    tick: number('tick', 20),
    minutes: number('minutes', 30),
  }
  const on = option('--on')
  const kinds: StageKind[] =
    on === 'embedded' ? ['embedded'] : on === 'server' ? ['two servers'] : ['embedded', 'two servers']
  for (const kind of kinds) if ((await soakStep(dose, kind)).failed > 0) process.exitCode = 1
}

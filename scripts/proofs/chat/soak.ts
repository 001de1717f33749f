/**
 * Proof that no message is lost, duplicated or out of order. Simulated customers and consultants write as
 * fast as the server accepts, while servers are killed and restarted and connections are cut. Afterwards the
 * state of all clients is compared with the database.
 * `node scripts/proofs/chat/soak.ts --on embedded --messages 10000`
 */
import { setTimeout as pause } from 'node:timers/promises'
import { option } from '../../lib/filled-database.ts'
import { RandomDraws } from '../../lib/draws.ts'
import { signIn } from '../../lib/server-process.ts'
import { compareStates, readLists, report } from '../../simulate/compare.ts'
import { waitForConvergence, readServerContents } from '../../simulate/converge.ts'
import { readLedger } from '../../simulate/stored-rooms.ts'
import { type TestCast, makeCast } from '../../simulate/people.ts'
import { type PlayOutcome, playScene } from '../../simulate/play.ts'
import type { ChatScene } from '../../simulate/scene.ts'
import { hasPostgres, openStage, type ServerStage, type StageKind } from '../../simulate/stage.ts'
import { formatMilliseconds, CountTally } from '../../simulate/tally.ts'
import { failedTally, passedTally, skippedTally, type CountTally as StepTally } from '../../lib/step.ts'

export interface SoakDose {
  customers: number
  consultants: number
  messages: number
  killCount: number
  reconnects: number
  /** Seconds from one tick of the chat servers to the next. */
  tick: number
  /** Minutes after which the long proof of the chat fails. */
  minutes: number
}

const seed = 7

/** Numbers of killed servers and cut connections in the proof: planned, or done so far. */
interface FaultCounts {
  killCount: number
  cutCount: number
}

/** Repeats an action, spread evenly over the messages of the proof; a late turn is caught up. */
async function measureSpread(
  turnCount: number,
  { tally, isRunning: goesOn }: ChatScene,
  dose: SoakDose,
  waitOnce: () => Promise<boolean>,
) {
  for (let doneTurns = 0; doneTurns < turnCount && goesOn();) {
    const isDue = tally.count('message') >= (dose.messages / (turnCount + 1)) * (doneTurns + 1)
    if (isDue && (await waitOnce())) doneTurns += 1
    else await pause(20)
  }
}

/** Kills servers and cuts connections for as long as the simulated people write. */
async function disturbServers(
  stage: ServerStage,
  { clients }: PlayOutcome,
  chatScene: ChatScene,
  dose: SoakDose,
  faultCounts: FaultCounts,
) {
  const draws = new RandomDraws(seed, 1_000_000)
  const killServer = async () => {
    const startMoment = performance.now()
    await stage.killAndRestart(draws.below(stage.urls.length))
    faultCounts.killCount += 1
    const seconds = ((performance.now() - startMoment) / 1_000).toFixed(1)
    console.log(
      `   kill ${faultCounts.killCount}: after ${chatScene.tally.count('message')} messages, ready again in ${seconds} s`,
    )
    return true
  }
  const cutConnection = () => {
    const isCut = draws.pick(clients).socket.cut()
    if (isCut) faultCounts.cutCount += 1
    return Promise.resolve(isCut)
  }
  await Promise.all([
    measureSpread(dose.killCount, chatScene, dose, killServer),
    measureSpread(dose.reconnects, chatScene, dose, cutConnection),
  ])
}

function describeScene(tally: CountTally, cast: TestCast, dose: SoakDose, faultCounts: FaultCounts): ChatScene {
  const endTime = performance.now() + dose.minutes * 60_000
  const isWhole = () =>
    tally.count('message') >= dose.messages &&
    faultCounts.killCount >= dose.killCount &&
    faultCounts.cutCount >= dose.reconnects
  return {
    tally,
    customerPause: Math.max(0.05, dose.customers / 80),
    consultantPause: 0.1,
    needsTypingTime: false,
    editFactor: 1,
    isRunning: () => !isWhole() && performance.now() < endTime,
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
  let runningPlay: PlayOutcome | undefined
  try {
    const [firstUrl = ''] = stage.urls
    const owner = await signIn(firstUrl)
    const testCast = await makeCast(firstUrl, owner, dose)
    const tally = new CountTally()
    const faultCounts: FaultCounts = { killCount: 0, cutCount: 0 }
    const chatScene = describeScene(tally, testCast, dose, faultCounts)
    const startMoment = performance.now()
    runningPlay = playScene({
      testCast,
      chatScene,
      seed,
      urlOf: (index) => stage.urls[index % stage.urls.length] ?? firstUrl,
    })
    const { clients, playedScenes: playPromise } = runningPlay
    await Promise.all([disturbServers(stage, runningPlay, chatScene, dose, faultCounts), playPromise])
    const seconds = (performance.now() - startMoment) / 1_000

    // A difference that is not repaired now stays, because all writers have stopped.
    const convergenceTime = await waitForConvergence(clients, await readServerContents(firstUrl, owner), dose.tick + 5)
    const lists = await readLists(clients)
    const losses = clients.reduce((sum, { socket }) => sum + socket.losses, 0)
    for (const client of clients) client.close()
    const comparison = compareStates(clients, lists, await stage.runWithDatabase(readLedger))
    const { p50, p95 } = tally.all()
    console.log(
      `   ${kind}: ${clients.length} people, ${tally.summary()}; ${faultCounts.killCount} servers killed, ${faultCounts.cutCount} connections cut, ${losses} lost in all; ` +
        `${seconds.toFixed(0)} s, ${(tally.count('message') / seconds).toFixed(0)} messages/s; ` +
        `heard after ${formatMilliseconds(p50)} (p50), ${formatMilliseconds(p95)} (p95), kills and cuts included; ` +
        `all alike ${convergenceTime === undefined ? 'NOT within the time' : `${convergenceTime.toFixed(1)} s after the last`}`,
    )
    const isWhole =
      faultCounts.killCount === dose.killCount &&
      faultCounts.cutCount === dose.reconnects &&
      tally.count('message') >= dose.messages
    if (!isWhole) console.log('   NOT SO: everything that was to happen has happened')
    return { harmless: report(comparison, clients) && isWhole && convergenceTime !== undefined }
  } finally {
    for (const client of runningPlay?.clients ?? []) client.close()
    await stage.close()
  }
}

/** Runs the long proof of the chat as a step, skipped when it needs PostgreSQL and there is none. */
export async function soakStep(dose: SoakDose, kind: StageKind): Promise<StepTally> {
  if (kind === 'two servers' && !hasPostgres()) {
    console.log('   PostgreSQL is not installed.')
    return skippedTally
  }
  return (await chatSoak(dose, kind)).harmless ? passedTally : failedTally
}

if (import.meta.main) {
  const number = (name: string, preset: number) => Number(option(`--${name}`) ?? preset)
  const dose = {
    customers: number('customers', 200),
    consultants: number('consultants', 20),
    messages: number('messages', 10_000),
    killCount: number('kills', 10),
    reconnects: number('reconnects', 200),
    tick: number('tick', 20),
    minutes: number('minutes', 30),
  }
  const on = option('--on')
  const kinds: StageKind[] =
    on === 'embedded' ? ['embedded'] : on === 'server' ? ['two servers'] : ['embedded', 'two servers']
  for (const kind of kinds) if ((await soakStep(dose, kind)).failed > 0) process.exitCode = 1
}

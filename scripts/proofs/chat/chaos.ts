/**
 * Proof that events may be lost or repeated. Clients lose 30 % of all socket events and receive 30 % twice,
 * while all write, edit and delete. Within 25 s of the end, all show the content of the database.
 * `node scripts/proofs/chat/chaos.ts --seconds 300`
 */
import { option } from '../../lib/filled-database.ts'
import { RandomDraws } from '../../lib/draws.ts'
import { signIn } from '../../lib/server-process.ts'
import { compareStates, readLists, report } from '../../simulate/compare.ts'
import { waitForConvergence, readServerContents } from '../../simulate/converge.ts'
import type { EventFate } from '../../simulate/client-socket.ts'
import { readLedger } from '../../simulate/stored-rooms.ts'
import { makeCast } from '../../simulate/people.ts'
import { type PlayOutcome, playScene } from '../../simulate/play.ts'
import type { ChatScene } from '../../simulate/scene.ts'
import { openStage } from '../../simulate/stage.ts'
import { CountTally } from '../../simulate/tally.ts'
import { failedTally, passedTally, type CountTally as StepTally } from '../../lib/step.ts'

const [share, seed] = [0.3, 11]
/** Maximum seconds until all clients have caught up after the chaos. */
const maxSeconds = 25

export interface ChaosDose {
  customers: number
  consultants: number
  seconds: number
  /** Seconds from one tick of the chat server to the next. */
  tick: number
}

/** Decides whether each chat event is lost or repeated, and counts the decisions. */
function drawFate() {
  const draws = new RandomDraws(seed, 2_000_000)
  const fateCounts = { 'is lost': 0, 'comes twice': 0, passes: 0 }
  let hasEnded = false
  const decideFate = (): EventFate => {
    if (hasEnded) return 'passes'
    const drawnShare = draws.next()
    const drawnFate = drawnShare < share ? 'is lost' : drawnShare < 2 * share ? 'comes twice' : 'passes'
    fateCounts[drawnFate] += 1
    return drawnFate
  }
  return { decide: decideFate, done: fateCounts, end: () => (hasEnded = true) }
}

/**
 * Runs the proof that the chat survives chaos, and prints figures.
 *
 * @param dose - Numbers of people, and duration.
 * @returns The step.
 */
export async function chatChaos(dose: ChaosDose): Promise<StepTally> {
  const stage = await openStage('embedded', { CHAT_TICK_SECONDS: `${dose.tick}` })
  let runningPlay: PlayOutcome | undefined
  try {
    const [url = ''] = stage.urls
    const owner = await signIn(url)
    const testCast = await makeCast(url, owner, dose)
    const tally = new CountTally()
    const { decide, done, end } = drawFate()
    const isChaos = () => done['is lost'] > 0 && tally.count('edit') > 0 && tally.count('delete') > 0
    const endTime = performance.now() + dose.seconds * 1_000
    /** Whether the scene goes on: longer on a busy machine, until each kind of event has come. */
    const isRunning = () =>
      performance.now() < endTime || (!isChaos() && performance.now() < endTime + maxSeconds * 1_000)
    const chatScene: ChatScene = {
      tally,
      customerPause: 1,
      consultantPause: 0.3,
      needsTypingTime: false,
      editFactor: 4,
      isRunning,
      consultants: testCast.consultants.map(({ id }) => id),
    }
    runningPlay = playScene({ testCast, chatScene, seed, urlOf: () => url, chooseFate: decide })
    const { clients, playedScenes: playPromise } = runningPlay
    await playPromise
    end()
    const convergenceTime = await waitForConvergence(clients, await readServerContents(url, owner), maxSeconds)
    const lists = await readLists(clients)
    for (const client of clients) client.close()
    const comparison = compareStates(clients, lists, await stage.runWithDatabase(readLedger))
    console.log(
      `   ${dose.seconds} s, ${clients.length} people, ${tally.summary()}; of ${done['is lost'] + done['comes twice'] + done.passes} events ` +
        `${done['is lost']} were lost and ${done['comes twice']} came twice; all alike ` +
        `${convergenceTime === undefined ? `NOT within ${maxSeconds} s` : `${convergenceTime.toFixed(1)} s after the end`}`,
    )
    return report(comparison, clients) && isChaos() && convergenceTime !== undefined ? passedTally : failedTally
  } finally {
    for (const client of runningPlay?.clients ?? []) client.close()
    await stage.close()
  }
}

if (import.meta.main) {
  const seconds = Number(option('--seconds') ?? 300)
  const { failed } = await chatChaos({ customers: 20, consultants: 5, seconds, tick: Number(option('--tick') ?? 20) })
  process.exit(failed > 0 ? 1 : 0)
}

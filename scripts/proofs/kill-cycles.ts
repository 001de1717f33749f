/**
 * Proof that data survives the death of the process. Writes as fast as answers arrive, kills the server at a
 * random moment, starts it again and looks for every acknowledged write. Once in between, a second server is
 * started on the same folder and must refuse without harm.
 * `node scripts/proofs/kill-cycles.ts --cycles 20`
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, stop } from '../lib/processes.ts'
import {
  signIn,
  startArgs,
  startServer,
  temporaryFolder,
  trialEnvironment,
  type RunningServer,
  type ServerOptions,
} from '../lib/server-process.ts'

const writersAtOnce = 6

/** A write that the server acknowledged: its address and the expected content. */
interface AcknowledgedWrite {
  path: string
  field: 'name' | 'title'
  value: string
}

interface Outcome {
  isHarmless: boolean
  cycles: number
  acknowledgedCount: number
  lostWrites: readonly AcknowledgedWrite[]
  secondStartRefused: boolean
}

interface WriteAnswer {
  data?: { id?: number }
}

function headersOf(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
}

/** Writes tags and news one after the other until the server is gone. */
async function writeUntilGone(
  url: string,
  token: string,
  name: string,
  acknowledgedWrites: AcknowledgedWrite[],
): Promise<void> {
  for (let count = 0; ; count += 1) {
    const isTag = count % 2 === 0
    const field = isTag ? 'name' : 'title'
    const value = `${name} ${count}`
    const resource = isTag ? 'tags' : 'news'
    let body: WriteAnswer
    try {
      const answer = await fetch(`${url}/api/${resource}?locale=en`, {
        method: 'POST',
        headers: headersOf(token),
        body: JSON.stringify({ data: isTag ? { name: value } : { title: value, description: value } }),
      })
      body = (await answer.json()) as WriteAnswer
      if (answer.status >= 400) throw new Error(`A write was refused with ${answer.status}: ${JSON.stringify(body)}`)
    } catch (error) {
      // A broken connection makes fetch fail with a TypeError: that write was not acknowledged.
      if (error instanceof TypeError || error instanceof SyntaxError) return
      throw error
    }
    if (body.data?.id !== undefined) acknowledgedWrites.push({ path: `/api/${resource}/${body.data.id}`, field, value })
  }
}

/** Returns the acknowledged writes that cannot be read back unchanged. */
async function findLostRecords(
  url: string,
  token: string,
  acknowledgedWrites: readonly AcknowledgedWrite[],
): Promise<AcknowledgedWrite[]> {
  const lostWrites: AcknowledgedWrite[] = []
  const queue = [...acknowledgedWrites]
  const reader = async (): Promise<void> => {
    for (let checkedWrite = queue.pop(); checkedWrite; checkedWrite = queue.pop()) {
      const answer = await fetch(url + checkedWrite.path, { headers: headersOf(token) })
      const body = (await answer.json()) as { data?: { attributes?: Record<string, unknown> } | null }
      if (body.data?.attributes?.[checkedWrite.field] !== checkedWrite.value) lostWrites.push(checkedWrite)
    }
  }
  await Promise.all(Array.from({ length: writersAtOnce }, reader))
  return lostWrites
}

/** Starts a second server on the folder of a running one; it must exit with a readable error. */
async function secondStartRefuses(server: RunningServer): Promise<boolean> {
  const env = trialEnvironment({ DATA_DIR: server.dataDir, HOST: '127.0.0.1', PORT: String(await freePort()) })
  const secondServer = spawn(process.execPath, startArgs, { env, stdio: 'ignore' })
  const secondExit = new Promise<number | null>((resolve) => secondServer.once('exit', resolve))
  const code = await Promise.race([secondExit, pause(20_000, 'running' as const, { ref: false })])
  if (code === 'running') await stop(secondServer, 'SIGKILL')
  return code !== 'running' && code !== 0 && server.child.exitCode === null
}

/**
 * Runs the proof and prints acknowledged and lost writes.
 *
 * @param cycles - Number of kills.
 * @param seed - Content of the server before the first write.
 * @returns The same figures.
 * @throws When the server cannot be started or refuses a valid write.
 */
export async function killCycles(cycles: number, seed: ServerOptions['seed'] = 'reference'): Promise<Outcome> {
  const dataDir = temporaryFolder('kill')
  const acknowledgedWrites: AcknowledgedWrite[] = []
  let secondStartRefused = false
  let longestStart = 0
  try {
    for (let cycleIndex = 0; cycleIndex < cycles; cycleIndex += 1) {
      const startMoment = performance.now()
      const server = await startServer({ dataDir, seed })
      if (cycleIndex > 0) longestStart = Math.max(longestStart, performance.now() - startMoment)
      const token = await signIn(server.url)
      const formerWriteCount = acknowledgedWrites.length
      const childExit = new Promise((resolve) => server.child.once('exit', resolve))
      const writerCount = Array.from({ length: writersAtOnce }, (_, writer) =>
        writeUntilGone(server.url, token, `cycle ${cycleIndex} writer ${writer}`, acknowledgedWrites),
      )
      if (cycleIndex === 0) secondStartRefused = await secondStartRefuses(server)
      const delay = 300 + Math.random() * 1200
      await Promise.race([pause(delay), Promise.all(writerCount)])
      server.child.kill('SIGKILL')
      await Promise.all([childExit, ...writerCount])
      console.log(
        `   cycle ${cycleIndex + 1}: killed after ${Math.round(delay)} ms, ${acknowledgedWrites.length - formerWriteCount} writes acknowledged`,
      )
    }
    const server = await startServer({ dataDir, seed })
    const lostRecords = await findLostRecords(server.url, await signIn(server.url), acknowledgedWrites)
    await server.close()
    for (const write of lostRecords.slice(0, 20)) console.log(`   LOST ${write.path} ${write.value}`)
    console.log(
      `   ${cycles} kills, ${acknowledgedWrites.length} writes acknowledged, ${lostRecords.length} lost; slowest start after a kill ` +
        `${(longestStart / 1000).toFixed(1)} s; a second start on the folder ${secondStartRefused ? 'was refused' : 'WAS NOT REFUSED'}`,
    )
    const isHarmless = lostRecords.length === 0 && acknowledgedWrites.length > 0 && secondStartRefused
    return {
      isHarmless,
      cycles,
      acknowledgedCount: acknowledgedWrites.length,
      lostWrites: lostRecords,
      secondStartRefused,
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const position = process.argv.indexOf('--cycles')
  const { isHarmless: isSafe } = await killCycles(position >= 0 ? Number(process.argv[position + 1]) : 20)
  process.exit(isSafe ? 0 : 1)
}

/**
 * Proof that no hostile file gets in. Sends files of twenty-one kinds and endless streams to a server of its
 * own, over loopback. None may be accepted, leave a file behind or be answered with a 5xx; the streams are
 * cut, and the memory of the process stays where it was. `node scripts/fuzz/hostile-uploads.ts --files 200
 * --streams 20 --megabytes 1024`
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readJson } from './server-state.ts'
import { hostileFiles, kindCount } from './hostile-files.ts'
import { makePlainPicture } from './hostile-pictures.ts'
import { sendDocument, sendFile, sendStream, type StreamOutcome } from './hostile-requests.ts'
import { type RunningServer, signIn, startServer } from '../lib/server-process.ts'

const maxGrowth = 64 * 1_048_576
/**
 * Maximum milliseconds of an upload stream: up to the limit, the answer, and the second in which a client may
 * still read it.
 */
const maxTime = 15_000
const formatMegabytes = (bytes: number) => (bytes / 1_048_576).toFixed(0)

interface UploadDose {
  files: number
  streams: number
  /** Size of each streamed upload in megabytes. */
  megabytes: number
}

/** Lists all files below the data folder that uploads could have left. */
function listRemainingFiles({ dataDir }: RunningServer): string[] {
  const listFilesBelow = (folder: string) =>
    existsSync(join(dataDir, folder)) ? readdirSync(join(dataDir, folder)).map((name) => `${folder}/${name}`) : []
  return [...listFilesBelow('uploads'), ...listFilesBelow('incoming')]
}

/** Returns the memory of the server process after garbage collection. */
async function memoryOf(server: RunningServer, token: string): Promise<number> {
  return ((await readJson(server, '/fuzz/memory', token)) as { rss: number }).rss
}

/** Returns the peak memory of the server process during some work; 0 where the system does not report it. */
async function measurePeak(server: RunningServer, uploadWork: Promise<unknown>): Promise<number> {
  const file = `/proc/${server.child.pid}/status`
  const runState = { on: true }
  let peakMemory = 0
  const stopMeasuring = () => void (runState.on = false)
  uploadWork.then(stopMeasuring, stopMeasuring)
  while (runState.on && existsSync(file)) {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8')) ?? []
    peakMemory = Math.max(peakMemory, Number(kilobytes) * 1_024)
    await pause(50)
  }
  await uploadWork
  return peakMemory
}

/**
 * Uploads valid pictures and deletes them, so that the decoder and its memory are as on any server in use.
 *
 * @returns The names of their files, which stay in the trash.
 */
async function warmUp(server: RunningServer, token: string): Promise<ReadonlySet<string>> {
  const headers = { authorization: `Bearer ${token}` }
  for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
    const form = new FormData()
    const bytes = await makePlainPicture(1_600, 1_200).toFormat(format).toBuffer()
    form.append('files', new Blob([new Uint8Array(bytes)]), 'field')
    const answer = await fetch(`${server.url}/api/upload`, { method: 'POST', headers, body: form })
    if (answer.status !== 200) throw new Error(`A good picture was refused: ${await answer.text()}`)
    const [{ id }] = (await answer.json()) as [{ id: number }]
    await fetch(`${server.url}/api/upload/files/${id}`, { method: 'DELETE', headers })
  }
  // The folder of resumable uploads stays.
  const plan = { kind: 'text', name: 'plan.txt', type: 'text/plain', bytes: Buffer.from('\0') }
  await sendDocument(server, token, plan)
  const trashFiles = new Set(listRemainingFiles(server))
  for await (const file of hostileFiles(kindCount)) await (file.document ? sendDocument : sendFile)(server, token, file)
  return trashFiles
}

async function sendFiles(server: RunningServer, token: string, count: number): Promise<string[]> {
  const foundFlaws: string[] = []
  const statuses = new Map<number, number>()
  for await (const file of hostileFiles(count)) {
    const { status, text } = await (file.document ? sendDocument : sendFile)(server, token, file)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    // A sender that disconnects, or is refused while it still sends, may receive no answer.
    const mayEndWithoutAnswer = file.bytes.length > 10 * 1_048_576 || file.claimedSize !== undefined
    if ((status < 400 || status >= 500) && !(status === 0 && mayEndWithoutAnswer))
      foundFlaws.push(`${file.kind}, ${file.name.slice(0, 60)}: status ${status} ${text.slice(0, 400)}`)
  }
  const counts = [...statuses].toSorted(([one], [other]) => one - other)
  console.log(
    `   ${count} files of ${kindCount} kinds: ${counts.map(([status, sum]) => `${status}: ${sum}`).join(', ')}`,
  )
  return foundFlaws
}

async function sendStreams(
  server: RunningServer,
  token: string,
  { streams, megabytes }: UploadDose,
): Promise<string[]> {
  const streamOutcomes: StreamOutcome[] = []
  for (let index = 0; index < streams; index += 1)
    streamOutcomes.push(await sendStream(server, token, megabytes * 1_048_576, index % 2 === 1))
  const sentSizes = streamOutcomes.map((outcome) => outcome.sent)
  const times = streamOutcomes.map(({ milliseconds }) => milliseconds)
  console.log(
    `   ${streams} streams of ${megabytes} MB: cut after ${formatMegabytes(Math.min(...sentSizes))} to ` +
      `${formatMegabytes(Math.max(...sentSizes))} MB, ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms`,
  )
  return streamOutcomes.flatMap(({ status, isCut, milliseconds }, index) => {
    const isRefused = status === 413 || (status === 0 && isCut)
    return isRefused && isCut && milliseconds <= maxTime
      ? []
      : [`stream ${index}: status ${status}, ${isCut ? 'cut' : 'not cut'}, ${milliseconds.toFixed(0)} ms`]
  })
}

/**
 * Runs the proof of hostile uploads, and prints figures and flaws.
 *
 * @param dose - Numbers of files and streams, and size of a stream.
 * @returns Whether all were refused and left nothing behind.
 */
export async function hostileUploads(dose: UploadDose): Promise<{ harmless: boolean }> {
  const preload = join(import.meta.dirname, '../lib/memory-route.ts')
  const server = await startServer({ seed: 'none', preload, isAsInstalled: true, env: { LOG_LEVEL: 'error' } })
  try {
    const token = await signIn(server.url)
    const freshMemory = await memoryOf(server, token)
    const trashFiles = await warmUp(server, token)
    const memoryBefore = await memoryOf(server, token)
    const startMoment = performance.now()
    const foundFlaws = await sendFiles(server, token, dose.files)
    console.log(`   in ${((performance.now() - startMoment) / 1_000).toFixed(1)} s`)
    const streamUpload = sendStreams(server, token, dose)
    const peakMemory = await measurePeak(server, streamUpload)
    foundFlaws.push(...(await streamUpload))
    const memoryAfter = await memoryOf(server, token)
    const records = (await readJson(server, '/api/upload/files', token)) as unknown[]
    const files = listRemainingFiles(server).filter((name) => !trashFiles.has(name))
    console.log(
      `   memory ${formatMegabytes(freshMemory)} MB at first, ${formatMegabytes(memoryBefore)} MB after the warm-up, ${formatMegabytes(memoryAfter)} MB at the end, ` +
        `${formatMegabytes(peakMemory)} MB at most during the streams`,
    )
    console.log(`   ${records.length} accepted, ${files.length} files left, ${foundFlaws.length} flaws`)
    for (const foundFlaw of foundFlaws.slice(0, 10)) console.log(`   ${foundFlaw}`)
    for (const name of files.slice(0, 10)) console.log(`   left: ${name}`)
    const isClean = records.length === 0 && files.length === 0 && foundFlaws.length === 0
    return { harmless: isClean && memoryAfter - memoryBefore <= maxGrowth && server.child.exitCode === null }
  } finally {
    await server.close()
  }
}

if (import.meta.main) {
  const option = (name: string, preset: number): number => {
    const position = process.argv.indexOf(name)
    return position >= 0 ? Number(process.argv[position + 1]) : preset
  }
  const dose = {
    files: option('--files', 200),
    streams: option('--streams', 20),
    megabytes: option('--megabytes', 1_024),
  }
  process.exitCode = (await hostileUploads(dose)).harmless ? 0 : 1
}

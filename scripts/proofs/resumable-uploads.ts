/**
 * Proof that a large upload survives cuts and a killed server, and that many viewers cost no memory. Uploads
 * a video with five cuts, kills the server between two of them, compares checksums, starts a seek to 90 %,
 * and reads ranges with 50 viewers in parallel.
 * `node scripts/proofs/resumable-uploads.ts --size 1024`; with `--bucket`, the video is stored in the bucket
 * that the S3_* variables name.
 */
import { createHash, randomFillSync } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { videoFile } from '../../packages/server/src/testing/lesson-files.ts'
import { optionOf } from './on-place.ts'
import { type RunningServer, signIn, startServer, temporaryFolder } from '../lib/server-process.ts'

const megabyte = 1_048_576
const viewerCount = 50
/**
 * Limits of e-learning §9: seconds of a request, seconds to the first byte of a seek, megabytes of growth.
 */
const limits = { request: 60, seek: 1, growth: 50 }
/** Maximum number of bytes that each viewer of the video reads. */
const maxWatchedBytes = 16 * megabyte

interface Upload {
  address: string
  file: string
  size: number
}

interface SentUpload {
  seconds: number
  status: number | undefined
  body: string
}

const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' })

/**
 * Writes a video of a size: a small mp4, followed by a box of free space with random bytes. Returns its hash.
 */
export async function writeVideo(file: string, megabytes: number): Promise<string> {
  const videoSource = await videoFile('mp4')
  const freeBox = Buffer.alloc(8)
  freeBox.writeUInt32BE(megabytes * megabyte + 8)
  freeBox.write('free', 4, 'latin1')
  const [hash, target] = [createHash('sha256'), createWriteStream(file)]
  const add = async (bytes: Buffer) => {
    hash.update(bytes)
    if (!target.write(bytes)) await new Promise<void>((resolve) => target.once('drain', () => resolve()))
  }
  await add(Buffer.concat([videoSource, freeBox]))
  for (let writtenMegabytes = 0; writtenMegabytes < megabytes; writtenMegabytes += 1)
    await add(randomFillSync(Buffer.alloc(megabyte)))
  target.end()
  await finished(target)
  return hash.digest('hex')
}

/** Sends the bytes of the video behind an offset, and cuts the connection after some of them. */
function send(url: string, token: string, { address, file, size }: Upload, offset: number, cutAfter?: number) {
  const [start, length] = [performance.now(), size - offset]
  return new Promise<SentUpload>((resolve) => {
    const end = (status?: number, body = '') => resolve({ seconds: (performance.now() - start) / 1_000, status, body })
    const uploadCall = request(`${url}${address}`, {
      method: 'PATCH',
      headers: {
        ...headersOf(token),
        'upload-offset': offset,
        'content-type': 'application/offset+octet-stream',
        'content-length': length,
      },
    })
    uploadCall.on('error', () => end())
    uploadCall.on('response', (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (textChunk: string) => (body += textChunk))
      answer.on('end', () => end(answer.statusCode, body))
    })
    const source = createReadStream(file, { start: offset, ...(cutAfter && { end: offset + cutAfter - 1 }) })
    source.on('end', () => cutAfter && uploadCall.destroy())
    source.pipe(uploadCall, { end: !cutAfter })
  })
}

async function offsetOf(url: string, token: string, { address }: Upload): Promise<number> {
  const answer = await fetch(`${url}${address}`, { method: 'HEAD', headers: headersOf(token) })
  return Number(answer.headers.get('upload-offset'))
}

async function beginUpload(url: string, token: string, file: string): Promise<Upload> {
  const { size } = statSync(file)
  const encodeText = (text: string) => Buffer.from(text).toString('base64')
  const metadata = `filename ${encodeText('film.mp4')},purpose ${encodeText('lesson_video')}`
  const answer = await fetch(`${url}/api/upload/resumable`, {
    method: 'POST',
    headers: { ...headersOf(token), 'upload-length': String(size), 'upload-metadata': metadata },
  })
  const address = answer.headers.get('location')
  if (!address) throw new Error(`The upload was refused with ${answer.status}: ${await answer.text()}`)
  return { address, file, size }
}

/** Megabytes of memory of the server process; NaN where the system does not tell. */
function memoryOf({ child }: RunningServer): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024
  } catch {
    return Number.NaN
  }
}

/** Reads part of the video from a share of its length. Returns the seconds to the first byte. */
async function watchUpload(address: string, size: number, share: number): Promise<number> {
  const [start, startByte] = [performance.now(), Math.floor(size * share)]
  const answer = await fetch(address, {
    headers: { range: `bytes=${startByte}-${Math.min(startByte + maxWatchedBytes, size) - 1}` },
  })
  if (answer.status !== 206 || !answer.body) throw new Error(`A range was answered with ${answer.status}`)
  let seconds: number | undefined
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>)
    if (chunk.length > 0) seconds ??= (performance.now() - start) / 1_000
  return seconds ?? Number.NaN
}

/**
 * Watches the video with all viewers in parallel.
 *
 * @returns Memory of the server before, at its start and while they watch, in megabytes.
 */
async function memoryOfViewers(server: RunningServer, address: string, size: number) {
  const start = memoryOf(server)
  // Viewers first watch one after another: buffers of the same bytes wait for the collector, however many
  // watch in parallel.
  for (let turn = 0; turn < viewerCount; turn += 1) await watchUpload(address, size, (turn / viewerCount) * 0.9)
  const memoryBefore = memoryOf(server)
  let maxMemory = memoryBefore
  const memoryWatching = Promise.all(
    Array.from({ length: viewerCount }, (_viewer, index) => watchUpload(address, size, (index / viewerCount) * 0.9)),
  )
  const endPromise = memoryWatching.then(() => true)
  while (!(await Promise.race([endPromise, pause(20, false)]))) maxMemory = Math.max(maxMemory, memoryOf(server))
  return { start, before: memoryBefore, most: maxMemory }
}

/**
 * Uploads a video of the given size and then plays it.
 *
 * @param megabytes - The size.
 * @param env - Settings of an object store; without them the video is stored on disk.
 * @returns Whether checksums are equal and every figure is within its limit.
 */
export async function resumableUploads(
  megabytes: number,
  env: Readonly<Record<string, string>> = {},
): Promise<{ harmless: boolean }> {
  const folder = temporaryFolder('resumable')
  const dataDir = join(folder, 'data')
  const options = { dataDir, env, seed: 'none', isAsInstalled: true } as const
  let server = await startServer(options)
  try {
    const token = await signIn(server.url)
    const file = join(folder, 'film.mp4')
    const hash = await writeVideo(file, megabytes)
    const uploadSession = await beginUpload(server.url, token, file)
    const requests: SentUpload[] = []
    let storedBytes = 0
    for (let cutNumber = 1; cutNumber <= 5; cutNumber += 1) {
      const uploadOffset = await offsetOf(server.url, token, uploadSession)
      const cutOffset = Math.floor((uploadSession.size * cutNumber) / 6) - uploadOffset
      requests.push(await send(server.url, token, uploadSession, uploadOffset, cutOffset))
      if (cutNumber === 3) {
        server.child.kill('SIGKILL')
        await server.close()
        server = await startServer({ ...options, port: server.port })
      }
      storedBytes = (await offsetOf(server.url, token, uploadSession)) / (uploadOffset + cutOffset)
      if (!(storedBytes > 0.9)) break
    }
    const lastAnswer = await send(server.url, token, uploadSession, await offsetOf(server.url, token, uploadSession))
    requests.push(lastAnswer)
    const [record] = lastAnswer.status === 200 ? (JSON.parse(lastAnswer.body) as { url: string; sha256: string }[]) : []
    if (!record) throw new Error(`The upload ended with ${lastAnswer.status}: ${lastAnswer.body}`)
    const address = `${server.url}${record.url}`
    const servedHash = createHash('sha256')
    for await (const chunk of (await fetch(address)).body as AsyncIterable<Uint8Array>) servedHash.update(chunk)
    const isEqual = record.sha256 === hash && servedHash.digest('hex') === hash
    const slowest = Math.max(...requests.map(({ seconds }) => seconds))
    const seekFigures = await watchUpload(address, uploadSession.size, 0.9)
    const { start, before, most } = await memoryOfViewers(server, address, uploadSession.size)
    const memoryGrowth = most - before
    console.log(
      `${megabytes} MB with 5 cuts and a killed server: checksum ${isEqual ? 'equal' : 'different'}, ` +
        `slowest request ${slowest.toFixed(1)} s; seek to 90 % in ${Math.round(seekFigures * 1_000)} ms; ` +
        `memory ${start.toFixed(0)} MB, ${before.toFixed(0)} MB after ${viewerCount} viewers one by one, ` +
        `${most.toFixed(0)} MB with ${viewerCount} in parallel`,
    )
    const isWithin = slowest <= limits.request && seekFigures <= limits.seek && !(memoryGrowth > limits.growth)
    return { harmless: isEqual && isWithin }
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const env: Record<string, string> = {}
  if (process.argv.includes('--bucket')) {
    for (const [name, value] of Object.entries(process.env)) if (name.startsWith('S3_') && value) env[name] = value
  }
  const { harmless } = await resumableUploads(Number(optionOf('--size') ?? 64), env)
  process.exit(harmless ? 0 : 1)
}

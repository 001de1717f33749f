/** Reads what is known of a video from its bytes, in ranges (e-learning §5). */
import { Fault, fault, type VideoDetails } from '@dala/model'
import type { ReceivedBytes } from './received-bytes.ts'

/** Codecs that browsers play, by the kind of file. */
const playableCodecs = {
  mp4: { video: ['avc'], audio: ['aac'] },
  webm: { video: ['vp8', 'vp9', 'av1'], audio: ['opus', 'vorbis'] },
} as const

export type VideoKind = keyof typeof playableCodecs

/** Maximum number of boxes before the search for the index of an mp4 ends. */
const maxBoxes = 1_000

/**
 * Tells whether the index of an mp4 is behind its pictures: a browser then asks for the end of the file
 * before it can show the first one.
 */
async function hasIndexAtEnd({ size, readSlice }: ReceivedBytes): Promise<boolean> {
  for (let boxStart = 0, boxes = 0; boxStart + 8 <= size && boxes < maxBoxes; boxes += 1) {
    const head = Buffer.from(await readSlice(boxStart, boxStart + 16))
    const name = head.toString('latin1', 4, 8)
    if (name === 'moov') return false
    if (name === 'mdat') return true
    const shortSize = head.readUInt32BE(0)
    const length = shortSize === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : shortSize
    if (length < 8) return false
    boxStart += length
  }
  return false
}

/**
 * Reads the details of an uploaded video.
 *
 * @param bytes - The received file.
 * @param kind - The kind that its name says.
 * @param name - Its name, for the refusal.
 * @returns Duration in seconds, size in pixels, codecs, and a warning if its index is at the end.
 * @throws 422 `upload.content` for a file of another kind, `upload.codec` for codecs that browsers cannot
 *   play.
 */
export async function readVideo(bytes: ReceivedBytes, kind: VideoKind, name: string): Promise<VideoDetails> {
  const { CustomSource, Input, MP4, WEBM } = await import('mediabunny')
  const source = new CustomSource({
    getSize: () => bytes.size,
    read: (start, end) => bytes.readSlice(start, end),
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => {},
  })
  const input = new Input({ source, formats: [kind === 'mp4' ? MP4 : WEBM] })
  try {
    if (!(await input.canRead())) throw fault('upload.content', { params: { name } })
    const [video, sounds] = [await input.getPrimaryVideoTrack(), await input.getAudioTracks()]
    if (!video) throw fault('upload.content', { params: { name } })
    const codec = await video.getCodec()
    const soundCodecs = await Promise.all(sounds.map((track) => track.getCodec()))
    const isPlayable =
      playableCodecs[kind].video.some((allowedCodec) => allowedCodec === codec) &&
      soundCodecs.every((sound) => playableCodecs[kind].audio.some((allowedCodec) => allowedCodec === sound))
    const codecs = [codec, ...soundCodecs].map((codecName) => codecName ?? '?')
    if (!isPlayable) throw fault('upload.codec', { params: { codecs: codecs.join(', ') } })
    const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration())
    const warning = kind === 'mp4' && (await hasIndexAtEnd(bytes)) ? ('video.index-at-end' as const) : undefined
    return {
      duration_s: Math.round(seconds * 1_000) / 1_000,
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      codecs,
      size: bytes.size,
      ...(warning && { warning }),
    }
  } catch (error) {
    // The video library throws for a broken file; refusals and failures of the store are passed on.
    if (error instanceof Fault || !(error instanceof Error) || error.name === 'Unavailable') throw error
    throw fault('upload.content', { params: { name } })
  } finally {
    input.dispose()
  }
}

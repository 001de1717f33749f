/**
 * Rules of the files of lessons: the video and its subtitles are uploaded files of the right kind
 * (content-model §4).
 */
import { fault, storedFilePattern } from '@dala/model'
import { sql } from '../db/sql.ts'
import { isObject } from '../resources/read/context.ts'
import type { CheckedWrite, FieldValues } from '../resources/write/behaviour.ts'

interface FoundFile {
  url: string
  mime: string
  bytes: number
  width: number | null
  height: number | null
  video: unknown
}

const address = new RegExp(`^/uploads/${storedFilePattern}$`)

/** File types that each file of a lesson's video must have, by their beginning. */
const mediaTypesByField = { file: 'video/', small: 'video/', poster: 'image/' } as const
type VideoFile = keyof typeof mediaTypesByField
const names = Object.keys(mediaTypesByField) as VideoFile[]

const hasFile = (value: unknown) => value !== undefined && value !== null && value !== ''

/** Throws 422 for a value that is not the address of a file of the right kind for a lesson. */
function refuseField(field: string): never {
  const params = { field }
  throw fault('lesson.file', { params, issues: [{ path: field.split('.'), code: 'lesson.file', params }] })
}

async function findFiles(trx: CheckedWrite['trx'], addresses: readonly unknown[]) {
  const urls = addresses.filter(
    (fileAddress): fileAddress is string => typeof fileAddress === 'string' && address.test(fileAddress),
  )
  if (urls.length === 0) return new Map<unknown, FoundFile>()
  const rows = await trx.query(sql<FoundFile>`
    select url, coalesce(mime, '') as mime, (size * 1000)::float8 as bytes, width, height, video from uploads
     where url = any(${urls}::text[]) and not private`)
  return new Map<unknown, FoundFile>(rows.map((row) => [row.url, row]))
}

/**
 * Checks the files of a lesson that a write changes, and fills in what is known of its video.
 *
 * @param write - The write.
 * @returns Values to set; an empty object when no file changes.
 * @throws 422 `lesson.file` for an address without a file of the right kind.
 */
export async function settleLessonFiles({ values, valuesBefore, trx }: CheckedWrite): Promise<FieldValues> {
  const video = isObject(values.video) ? values.video : undefined
  const formerVideo = isObject(valuesBefore?.video) ? valuesBefore.video : {}
  const changedNames = video ? names.filter((name) => hasFile(video[name]) && video[name] !== formerVideo[name]) : []
  const { subtitles } = values
  const hasSubtitles = hasFile(subtitles) && subtitles !== valuesBefore?.subtitles
  const files = await findFiles(trx, [
    ...changedNames.map((name) => video?.[name]),
    ...(hasSubtitles ? [subtitles] : []),
  ])
  if (hasSubtitles && files.get(subtitles)?.mime !== 'text/vtt') refuseField('subtitles')
  if (!video) return {}
  for (const name of changedNames)
    if (!files.get(video[name])?.mime.startsWith(mediaTypesByField[name])) refuseField(`video.${name}`)
  if (!hasFile(video.file))
    return names.some((name) => hasFile(video[name])) ? refuseField('video.file') : { video: null }
  const file = files.get(video.file)
  // The details of an unchanged video file stay as they are stored.
  const knownVideo = isObject(file?.video) ? file.video : formerVideo
  const { duration_s, size } = knownVideo
  const { width, height } = file ?? knownVideo
  const texts = Object.fromEntries(names.map((name) => [name, hasFile(video[name]) ? video[name] : null]))
  return {
    video: { ...texts, duration_s: duration_s ?? null, width, height, size: size ?? file?.bytes ?? null },
    ...(file && typeof duration_s === 'number' && { duration_minutes: Math.max(1, Math.ceil(duration_s / 60)) }),
  }
}

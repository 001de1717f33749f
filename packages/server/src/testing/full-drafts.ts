/** Drafts with a value in every writable field, made from the declaration: no field keeps its default. */
import { randomUUID } from 'node:crypto'
import { type Field, isLink, type Resource } from '@dala/model'
import type { Database } from '../db/database.ts'
import { dayOf, leastDraft, type Targets } from './drafts.ts'
import { buildUpload, nextNumber } from './factories.ts'

/**
 * Makes a draft with every writable field; the parameters are those of `leastDraft`.
 *
 * @returns Values that the wire returns unchanged, links as ids.
 */
export async function fullDraft(
  database: Database,
  resource: Resource,
  targets: Targets,
): Promise<Record<string, unknown>> {
  const writableFields = Object.entries<Field>(resource.fields).filter(([, field]) => !field.readOnly)
  const links = writableFields.filter(([, field]) => isLink(field))
  const neededLinks = links.map(([name, field]): [string, Field] => [name, { ...field, required: true }])
  const draft = await leastDraft(database, { ...resource, fields: Object.fromEntries(neededLinks) }, targets)
  for (const [name, field] of writableFields) if (!isLink(field)) draft[name] = fullValue(name, field)
  return resource.name === 'lessons' ? { ...draft, ...(await lessonFiles(database)) } : draft
}

/** Files of a lesson in a draft, which the rules of lessons look for (content-model §4). */
async function lessonFiles(database: Database): Promise<Record<string, unknown>> {
  const addressOf = async (ext: string, mime: string, extraFields: object = {}) => {
    const hash = randomUUID().replaceAll('-', '')
    const url = `/uploads/${hash}${ext}`
    await buildUpload(database, { hash, ext, mime, url, ...extraFields })
    return url
  }
  const details = { duration_s: 61, width: 640, height: 360, size: 1_000 }
  const file = await addressOf('.mp4', 'video/mp4', { video: details, width: 640, height: 360 })
  return {
    subtitles: await addressOf('.vtt', 'text/vtt'),
    video: { file, small: null, poster: null, ...details },
    // The server takes the minutes of a lesson from the video.
    duration_minutes: 2,
  }
}

function fullValue(name: string, field: Field): unknown {
  const number = nextNumber()
  switch (field.kind) {
    case 'int':
      return field.max ?? (field.min ?? 0) + 7
    case 'decimal':
      return field.digits[1] > 0 ? 0.5 : 1
    case 'bool':
      return field.default !== true
    case 'date':
      return dayOf(number)
    case 'dateTime':
      return new Date(Date.UTC(2021, 0, 1, number)).toISOString()
    case 'choice':
      return field.transitions ? field.default : field.values.at(-1)
    case 'translations':
      return { en: `${name} ${number}`, kaa: `${name} á ${number}` }
    case 'json':
      if (field.keys) return Object.fromEntries(field.keys.map((key) => [key, { title: name, n: 1.5, list: [true] }]))
      return [{ id: `part-${number}`, title: name, n: 1.5, list: [true, null] }]
    case 'email':
      return `full-${number}@example.org`
    case 'link':
      return `https://example.org/full/${number}`
    case 'slug':
      return `full-${number}`
    case 'colour':
      return '#1a2b3c'
    case 'time':
      return '06:30'
    case 'workingHours':
      return '1-5 09:00-18:00, 6 10:00-14:00'
    case 'rich':
      return `<p>${name} <strong>${number}</strong></p>`
    case 'password':
      return 'Harvest-2026'
    default:
      return `${name} á ў ${number}`
  }
}

/**
 * Records of the random queries: created by the factories, and loaded into memory as the tables store them.
 */
import { type Field, isLocale, isScalar, isToOne, kindOf, type Locale, locales, type Storage } from '@dala/model'
import type { Database } from '../db/database.ts'
import { resourceNamed } from '../resources/attributes.ts'
import {
  buildRecord,
  buildDistrict,
  buildNews,
  buildRegion,
  buildTag,
  buildUpload,
  buildTranslation,
} from './factories.ts'

type Value = string | number | boolean | null | Readonly<Record<string, string | null>>

/** A record of the random queries with its languages; without languages it has one text row. */
export interface HeldDocument {
  readonly id: number
  readonly entries: HeldEntry[]
  readonly links: Record<string, HeldDocument[]>
}
export interface HeldEntry {
  readonly id: number
  readonly document: HeldDocument
  readonly locale: Locale | undefined
  readonly values: Readonly<Record<string, Value>>
}
export type World = Readonly<Record<string, HeldDocument[]>>

/** Resources that random queries are about, and those reached from them. */
export const queriedResources = ['news', 'tags', 'regions', 'districts', 'units'] as const
const storedResources = [...queriedResources, 'uploads']

const systemStorage: Readonly<Record<string, Storage>> = {
  id: 'integer',
  createdAt: 'timestamp',
  updatedAt: 'timestamp',
  version: 'integer',
}

/** Columns of a resource in the test world with their storage. */
export function columnsOf(name: string): [column: string, storage: Storage][] {
  const { fields, localized } = resourceNamed(name)
  const ownColumns = Object.entries<Field>(fields).flatMap(([field, declaredField]): [string, Storage][] =>
    isScalar(declaredField) && !declaredField.private ? [[field, kindOf(declaredField).storage]] : [],
  )
  const entryColumns: [string, Storage][] = localized
    ? [
        ['locale', 'text'],
        ['outdated', 'boolean'],
      ]
    : []
  return [...ownColumns, ...Object.entries(systemStorage), ...entryColumns]
}

export interface HeldLink {
  readonly name: string
  readonly target: string
  readonly isMany: boolean
}

/** Links of a resource in the test world to other loaded resources. */
export function linksOf(name: string): HeldLink[] {
  const { fields, localized } = resourceNamed(name)
  const ownLinks = Object.entries<Field>(fields).flatMap(([link, field]): HeldLink[] =>
    !isScalar(field) && field.kind !== 'count' && storedResources.includes(field.target)
      ? [{ name: link, target: field.target, isMany: !isToOne(field) }]
      : [],
  )
  return localized ? [...ownLinks, { name: 'localizations', target: name, isMany: true }] : ownLinks
}

/** Returns a number between 0 and `below`, the same in every run, mixed from position and salt. */
function mixNumbers(position: number, salt: number, limit: number): number {
  let state = Math.imul(position + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
  return ((state ^ (state >>> 13)) >>> 0) % limit
}
const pickItem = <T>(list: readonly T[], position: number, salt: number): T | undefined =>
  list[mixNumbers(position, salt, list.length)]
const pickItems = <T>(list: readonly T[], position: number, salt: number, maxItems: number): T[] => {
  const count = mixNumbers(position, salt, maxItems + 1)
  return [
    ...new Set(Array.from({ length: count }, (_, index) => pickItem(list, position, salt + 7 * index + 1))),
  ].filter((item) => item !== undefined)
}

const titles = [
  'Alpha',
  'alpha',
  'ALPHA beta',
  'Ёлка и ель',
  'елка И ЕЛЬ',
  'Жар 50% к сроку',
  'Oʻzbekiston don',
  "O'zbekiston Don",
  'Ўзбекистон дон',
  'Ǵárezsiz Úrgenish',
  'Ғәрезсиз Үргениш',
  'Щука_чай',
  'a_b%c\\d',
  'Íssı suw, ısıq',
  'шәҳәр',
  '12',
  'Z 😀 end',
  'City news, an event of the region',
]
const titleOf = (position: number, salt: number) => pickItem(titles, position, salt) ?? ''
/** Returns the languages of a document, most of them in most documents; the first one is written first. */
const languagesOf = (position: number, salt: number): Locale[] => {
  const foundLocales = locales.filter((_, index) => mixNumbers(position, salt + index * 31, 5) > 1)
  const firstLocale = pickItem(locales, position, salt + 3) ?? 'en'
  return [firstLocale, ...foundLocales.filter((locale) => locale !== firstLocale)]
}

type Draft = Record<string, unknown>

/** Creates one record in its languages and returns the wire ids of all of them. */
async function makeDocument(
  database: Database,
  name: string,
  position: number,
  sharedDraft: Draft,
  textsOf: (salt: number) => Draft,
  start: (database: Database, draft: Draft, locale: Locale) => Promise<number>,
): Promise<number[]> {
  const [originalLocale = 'en', ...otherLocales] = languagesOf(position, name.length * 13)
  const id = await start(database, { ...sharedDraft, ...textsOf(0) }, originalLocale)
  const ids = [id]
  for (const [index, locale] of otherLocales.entries()) {
    ids.push(await buildTranslation(database, name, id, locale, textsOf(index + 1)))
  }
  return ids
}

/** Returns an optional value, which is missing for one position in four. */
const optionalDraft = (name: string, value: unknown, position: number, salt: number): Draft =>
  mixNumbers(position, salt, 4) === 0 ? {} : { [name]: value }

/** Fills an emptied database with the records of the random queries, the same in every run. */
export async function fillWorld(database: Database): Promise<void> {
  const regions: number[][] = []
  const districts: number[][] = []
  const tags: number[][] = []
  const uploads: number[] = []
  const count = (length: number) => Array.from({ length }, (_, index) => index)
  for (const recordIndex of count(5)) {
    uploads.push(
      await buildUpload(database, {
        name: `${titleOf(recordIndex, 90)}.png`,
        width: 10 * mixNumbers(recordIndex, 91, 3),
        size: 1.5 * recordIndex,
        ...optionalDraft('alternativeText', titleOf(recordIndex, 92), recordIndex, 93),
      }),
    )
  }
  for (const recordIndex of count(7)) {
    const sharedDraft = {
      type: pickItem(['region', 'republic', 'city'], recordIndex, 1),
      order: mixNumbers(recordIndex, 2, 3),
      ...optionalDraft('code', `R${recordIndex}`, recordIndex, 3),
      ...optionalDraft('iso', pickItem(['UZ-a', 'uz-A', 'UZ_B'], recordIndex, 4), recordIndex, 5),
      ...optionalDraft('lat', 41 + mixNumbers(recordIndex, 6, 3) / 4, recordIndex, 7),
    }
    regions.push(
      await makeDocument(
        database,
        'regions',
        recordIndex,
        sharedDraft,
        (salt) => ({ name: titleOf(recordIndex, 10 + salt) }),
        buildRegion,
      ),
    )
  }
  for (const recordIndex of count(12)) {
    const sharedDraft = {
      type: pickItem(['district', 'city', 'city_district'], recordIndex, 20),
      order: mixNumbers(recordIndex, 21, 4),
      ...optionalDraft('code', `D%${recordIndex}`, recordIndex, 22),
      ...optionalDraft(
        'region',
        pickItem(regions[mixNumbers(recordIndex, 23, regions.length)] ?? [], recordIndex, 24),
        recordIndex,
        25,
      ),
      ...optionalDraft('lng', 60 + mixNumbers(recordIndex, 26, 4) / 8, recordIndex, 27),
    }
    districts.push(
      await makeDocument(
        database,
        'districts',
        recordIndex,
        sharedDraft,
        (salt) => ({ name: titleOf(recordIndex, 30 + salt) }),
        buildDistrict,
      ),
    )
  }
  for (const recordIndex of count(9)) {
    const sharedDraft = optionalDraft('color', pickItem(['#aa0000', '#00bb00'], recordIndex, 40), recordIndex, 41)
    tags.push(
      await makeDocument(
        database,
        'tags',
        recordIndex,
        sharedDraft,
        (salt) => ({ name: titleOf(recordIndex, 42 + salt) }),
        buildTag,
      ),
    )
  }
  const entryOfAnyLanguage = (families: number[][], recordIndex: number, salt: number) =>
    pickItems(families, recordIndex, salt, 3).map((family) => pickItem(family, recordIndex, salt + 1))
  for (const recordIndex of count(40)) {
    const sharedDraft = {
      kind: pickItem(['news', 'announcement', 'event'], recordIndex, 50),
      views: mixNumbers(recordIndex, 51, 5) * 3,
      active: mixNumbers(recordIndex, 52, 2) === 0,
      featured: mixNumbers(recordIndex, 53, 3) === 0,
      tags: entryOfAnyLanguage(tags, recordIndex, 54),
      gallery: pickItems(uploads, recordIndex, 56, 3),
      ...optionalDraft('image', pickItem(uploads, recordIndex, 57), recordIndex, 58),
      ...optionalDraft(
        'region',
        pickItem(regions[mixNumbers(recordIndex, 59, regions.length)] ?? [], recordIndex, 60),
        recordIndex,
        61,
      ),
      ...optionalDraft(
        'date',
        `2026-0${1 + mixNumbers(recordIndex, 62, 3)}-1${mixNumbers(recordIndex, 63, 3)}`,
        recordIndex,
        64,
      ),
      ...optionalDraft(
        'link',
        `https://example.org/${pickItem(['a_b', 'A%25', 'c'], recordIndex, 65) ?? ''}`,
        recordIndex,
        66,
      ),
    }
    const texts = (salt: number): Draft => ({
      title: titleOf(recordIndex, 67 + salt),
      ...optionalDraft('description', `${titleOf(recordIndex, 72 + salt)} ${recordIndex % 4}`, recordIndex, 77 + salt),
      ...optionalDraft('content', `<p>${titleOf(recordIndex, 82 + salt)}</p>`, recordIndex, 87 + salt),
    })
    await makeDocument(database, 'news', recordIndex, sharedDraft, texts, buildNews)
  }
  for (const recordIndex of count(15)) {
    const texts = Object.fromEntries(
      languagesOf(recordIndex, 100).map((locale, index) => [locale, titleOf(recordIndex, 101 + index)]),
    )
    await buildRecord(database, 'units', {
      name: mixNumbers(recordIndex, 106, 5) === 0 ? titleOf(recordIndex, 107) : texts,
      code: `unit-${recordIndex}`,
      kind: pickItem(['mass', 'volume', 'count'], recordIndex, 108),
      order: mixNumbers(recordIndex, 109, 3),
      ...optionalDraft('short', { ru: titleOf(recordIndex, 110) }, recordIndex, 111),
      ...optionalDraft('factor', (1 + mixNumbers(recordIndex, 112, 4)) / 8, recordIndex, 113),
    })
  }
  // Creation times of the records repeat, and translations are older than their source.
  const moment = "timestamptz '2026-01-01T00:00:00Z' + (id % 5) * interval '36 hours'"
  for (const name of storedResources) {
    const table = resourceNamed(name).localized ? `${name}_texts` : name
    await database.script(`update ${table} set created_at = ${moment}, updated_at = ${moment} + interval '1.5 seconds'`)
    if (table === name) continue
    await database.script(`update ${name} set source_changes = id % 3; update ${table} set seen_changes = id % 2`)
  }
}

type Row = Readonly<Record<string, unknown>>

async function rowsOf(database: Database, table: string): Promise<Row[]> {
  const rows = await database.rows({ sql: `select to_jsonb(t)::text from ${table} as t`, parameters: [] })
  return rows.map(([text]) => JSON.parse(String(text)) as Row)
}

/** Reads the tables of the records directly, without the server's read path. */
export async function readWorld(database: Database): Promise<World> {
  const world: Record<string, HeldDocument[]> = {}
  const rows: Record<string, Row[]> = {}
  for (const name of storedResources) {
    const documents = await rowsOf(database, name)
    const texts = resourceNamed(name).localized ? await rowsOf(database, `${name}_texts`) : documents
    rows[name] = documents
    world[name] = documents.map((row) => {
      const document: HeldDocument = { id: Number(row.id), entries: [], links: {} }
      for (const text of texts.filter((textRow) => textRow === row || textRow.document_id === row.id)) {
        document.entries.push(makeHeldEntry(name, document, row, text))
      }
      return document
    })
  }
  const findDocuments = (name: string, id: unknown) => (world[name] ?? []).filter((document) => document.id === id)
  for (const name of storedResources) {
    for (const [index, row] of (rows[name] ?? []).entries()) {
      const document = world[name]?.[index]
      for (const link of linksOf(name)) {
        if (!document || link.isMany) continue
        document.links[link.name] = findDocuments(link.target, row[`${link.name}_id`])
      }
    }
  }
  await holdPairs(database, world, ['news', 'tags', 'news_tags'], ['tags', 'news'])
  await holdPairs(database, world, ['news', 'gallery', 'news_gallery'], ['uploads', undefined])
  for (const region of world.regions ?? []) {
    region.links.districts = (world.districts ?? []).filter(({ links }) => links.region?.includes(region))
  }
  return world
}

/** Loads both sides of the links of one table into memory. */
async function holdPairs(
  database: Database,
  world: World,
  [holder, link, table]: [string, string, string],
  [target, inverse]: [string, string | undefined],
): Promise<void> {
  const pairs = await rowsOf(database, table)
  for (const document of world[holder] ?? []) {
    const ids = pairs.filter((pair) => pair.holder_id === document.id).map((pair) => pair.target_id)
    document.links[link] = (world[target] ?? []).filter(({ id }) => ids.includes(id))
  }
  if (inverse === undefined) return
  for (const document of world[target] ?? []) {
    document.links[inverse] = (world[holder] ?? []).filter(({ links }) => links[link]?.includes(document))
  }
}

function makeHeldEntry(name: string, document: HeldDocument, sharedRow: Row, entryRow: Row): HeldEntry {
  const fullRow: Row = {
    ...sharedRow,
    ...entryRow,
    createdAt: entryRow.created_at,
    updatedAt: entryRow.updated_at,
    outdated:
      entryRow.locale !== sharedRow.source_locale && Number(entryRow.seen_changes) < Number(sharedRow.source_changes),
  }
  const values: Record<string, Value> = {}
  for (const [column, storage] of columnsOf(name)) {
    const value = fullRow[column] ?? null
    values[column] =
      storage === 'timestamp' && typeof value === 'string' ? new Date(value).toISOString() : (value as Value)
  }
  const locale = typeof entryRow.locale === 'string' && isLocale(entryRow.locale) ? entryRow.locale : undefined
  return { id: Number(entryRow.id), document, locale, values }
}

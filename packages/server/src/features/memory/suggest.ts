/** Finds earlier translations of a segment, and of similar ones. */
import { type Caller, type Locale, memoryLimits, type Resource, segmentKey, shareOf, stemsOf } from '@dala/model'
import type { MemorySuggestion } from '@dala/model/api/memory'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { importedSegments } from './segment-rows.ts'
import { type TextPlace, visibleRecords } from './visible-records.ts'

/** A request for suggestions. */
export interface WantedSuggestions {
  source: Locale
  target: Locale
  /** The segment to translate. */
  text: string
  /** The field that is being translated: its own translation is no suggestion. */
  own?: { resource: Resource; entry: number; field: string } | undefined
  /** Language of the names of records. */
  locale: Locale
}

interface Candidate {
  key: string
  text: string
}

interface Pair extends TextPlace {
  key: string
  source: string
  target: string
  file_name: string | null
  imported_at: string | null
}

/** Joins the segment `m` with its translation; without one the row is left out before a limit counts it. */
const translationSql = (target: Locale) => sql`
  cross join lateral (
    select t.text from memory_segments t
     where t.resource = m.resource and t.document_id = m.document_id
       and t.field = m.field and t.block = m.block
       and t.place = m.place and t.locale = ${target}
       and t.blocks = m.blocks and t.places = m.places
     limit 1) as translation`

/**
 * Finds translated segments that share the rare words of a text. A segment with at least half of its words has at
 * least one of the rarer half, so the frequent words, which most segments have, are never looked up.
 */
async function findCandidates(
  runner: Queries,
  { source, target }: WantedSuggestions,
  key: string,
): Promise<Candidate[]> {
  const stems = stemsOf(key, source)
  const rareCount = Math.floor(stems.length / 2) + 1
  return runner.query(sql<Candidate>`
    with rare as materialized (
      select stem from memory_stems where stem = any(${stems}::text[]) and uses > 0 order by uses, stem limit ${rareCount}::int),
    found as materialized (
      select m.id, m.key, m.stems from memory_segments m ${translationSql(target)}
       where m.stems && array(select stem::text from rare) limit ${memoryLimits.candidates}::int),
    same as materialized (
      select m.id, m.key, 2.0 as near from memory_segments m ${translationSql(target)}
       where m.key = ${key} and m.locale = ${source} order by m.id desc limit 1),
    near as materialized (
      select max(id) as id, key, max(near) as near from (
        select id, key, 2.0 * (select count(*) from unnest(stems) as stem where stem = any(${stems}::text[]))
          / greatest(cardinality(stems) + ${stems.length}::int, 1) as near from found) as counted
       where near > 0.4 group by key order by near desc, id desc limit ${memoryLimits.compared}::int)
    select best.key, s.text from (select * from same union all select * from near) as best
      join memory_segments s on s.id = best.id order by best.near desc`)
}

/** Reads translations of segments with the given keys, those of each key from the latest records. */
async function readPairs(
  runner: Queries,
  keys: readonly string[],
  { source, target, own }: WantedSuggestions,
): Promise<Pair[]> {
  const notOwnSql = own
    ? sql`and not (m.resource = ${documentTable(own.resource)} and m.field = ${own.field} and m.document_id =
        (select document_id from ${sql.table(textTable(own.resource))} where id = ${own.entry}::int))`
    : sql``
  return runner.query(sql<Pair>`
    select s.key, s.resource, s.document_id, s.field, s.text as source, s.target,
           i.file_name, i.created_at as imported_at
      from unnest(${[...keys]}::text[]) with ordinality as wanted(key, rank)
     cross join lateral (
       select m.*, translation.text as target from memory_segments m ${translationSql(target)}
        where m.key = wanted.key and m.locale = ${source} ${notOwnSql}
          and not exists (select 1 from memory_changes c where c.resource = m.resource and c.document_id = m.document_id)
        order by m.id desc limit ${memoryLimits.usesPerText}::int) as s
      left join memory_imports i on s.resource = ${importedSegments} and i.id = s.document_id
     order by wanted.rank, s.id desc`)
}

/**
 * Finds the best earlier translations of a segment.
 *
 * @param runner - The database.
 * @param caller - The caller: texts of records that they may not read are not shown.
 * @param wanted - The segment, its languages and its place.
 * @returns At most three, best first; of equal ones the latest.
 */
export async function suggestTranslations(
  runner: Queries,
  caller: Caller,
  wanted: WantedSuggestions,
): Promise<MemorySuggestion[]> {
  const key = segmentKey(wanted.text)
  if (key === '') return []
  const candidates = await findCandidates(runner, wanted, key)
  const comparedKeys = new Map<string, number>()
  for (const candidate of candidates) {
    const share = shareOf(wanted.text, candidate.text, memoryLimits.leastShare)
    if (share >= memoryLimits.leastShare) comparedKeys.set(candidate.key, share)
  }
  const keys = [...comparedKeys].toSorted(([, one], [, other]) => other - one).map(([foundKey]) => foundKey)
  const pairs = keys.length > 0 ? await readPairs(runner, keys.slice(0, 12), wanted) : []
  const places = pairs.filter(({ resource }) => resource !== importedSegments)
  const recordOf = await visibleRecords(runner, caller, places, wanted.locale)

  // Many records use the same text, and each comparison reads all letters.
  const sharesByText = new Map<string, number>()
  const suggestions = new Map<string, MemorySuggestion>()
  for (const pair of pairs) {
    const record = pair.resource === importedSegments ? undefined : recordOf(pair)
    if (pair.resource !== importedSegments && !record) continue
    const share = sharesByText.get(pair.source) ?? shareOf(wanted.text, pair.source, memoryLimits.leastShare)
    sharesByText.set(pair.source, share)
    const suggestionKey = `${share}\n${pair.key}\n${pair.target}`
    const known = suggestions.get(suggestionKey) ?? {
      share,
      source: pair.source,
      target: pair.target,
      uses: [],
      imported: null,
    }
    suggestions.set(suggestionKey, known)
    if (record && known.uses.length < memoryLimits.uses)
      known.uses.push({ resource: record.resource.wire, id: record.id, name: record.name, field: pair.field })
    if (pair.file_name !== null && pair.imported_at !== null)
      known.imported ??= { name: pair.file_name, at: pair.imported_at }
  }
  const targets = new Set<string>()
  return [...suggestions.values()]
    .filter(({ share }) => share >= memoryLimits.leastShare)
    .toSorted((one, other) => other.share - one.share)
    .filter(({ target }) => !targets.has(target) && targets.add(target))
    .slice(0, memoryLimits.suggestions)
}

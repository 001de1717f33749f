/** Reads the translation memory of two languages page by page, for its file. */
import { createHash } from 'node:crypto'
import { type Caller, type Locale, memoryFields, memoryLimits } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { resources, viewOfResource } from '../../resources/attributes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { importedSegments } from './segment-rows.ts'
import { type ExportedPair, tmxHead, tmxTail, tmxUnit } from './tmx.ts'
import { mayReadField } from './visible-records.ts'

interface PairRow {
  document_id: number
  field: string
  block: number
  place: number
  source: string
  target: string
  file_name: string | null
}

const pageSize = 1_000
const firstRow = { document_id: 0, field: '', block: 0, place: 0 }

/** The statement of one page: pairs of a resource behind a row, in the order of their places. */
const pageSql = (
  resource: string,
  { source, target }: { source: Locale; target: Locale },
  after: Pick<PairRow, 'document_id' | 'field' | 'block' | 'place'>,
  condition: Template<unknown>,
) => sql<PairRow>`
  select s.document_id, s.field, s.block, s.place, s.text as source, t.text as target, i.file_name
    from memory_segments s
    join memory_segments t on t.resource = s.resource and t.document_id = s.document_id and t.field = s.field
     and t.block = s.block and t.place = s.place and t.locale = ${target} and t.blocks = s.blocks and t.places = s.places
    left join memory_imports i on s.resource = ${importedSegments} and i.id = s.document_id
   where s.resource = ${resource} and s.locale = ${source}
     and (s.document_id, s.field, s.block, s.place) > (${after.document_id}::int, ${after.field}::text, ${after.block}::int, ${after.place}::int)
     and not exists (select 1 from memory_changes c where c.resource = s.resource and c.document_id = s.document_id)
     and ${condition}
   order by s.document_id, s.field, s.block, s.place limit ${pageSize}::int`

/**
 * Reads the pairs of one resource that a caller may read. Each page is a statement of its own, so that others are
 * served between two.
 */
async function* pairsOf(runner: Queries, caller: Caller, name: string, languages: { source: Locale; target: Locale }) {
  const resource = resources[name]
  const view = resource && viewOfResource(resource, caller, 'list')
  if (name !== importedSegments && !view) return
  let after: Pick<PairRow, 'document_id' | 'field' | 'block' | 'place'> = firstRow
  for (;;) {
    const from = after
    const rows =
      resource && view
        ? await runScopedQuery(runner, { resource, caller, view }, ({ from: tables, where, document }) =>
            pageSql(
              name,
              languages,
              from,
              sql`s.document_id in (select ${sql.ref(`${document}.id`)} from ${tables} where ${where})`,
            ),
          )
        : await runner.query(pageSql(name, languages, from, sql`true`))
    for (const row of rows) {
      if (resource && !mayReadField(resource, row.field, caller)) continue
      yield {
        source: row.source,
        target: row.target,
        origin: row.file_name ?? `${resource?.wire ?? name}.${row.field}`,
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last
  }
}

/**
 * Writes the translation memory of two languages as TMX, each pair once.
 *
 * @param runner - The database.
 * @param caller - The caller: only texts that they may read are in the file.
 * @param languages - The languages of the pairs.
 * @returns Pieces of the file.
 */
export async function* exportMemory(
  runner: Queries,
  caller: Caller,
  languages: { source: Locale; target: Locale },
): AsyncGenerator<string> {
  const { source, target } = languages
  yield tmxHead(source, new Date())
  const known = new Set<string>()
  const names = Object.values(resources).flatMap((resource) =>
    memoryFields(resource).length > 0 && resource.storedAs === undefined ? [resource.name] : [],
  )
  for (const name of [...names, importedSegments]) {
    for await (const pair of pairsOf(runner, caller, name, languages)) {
      const digest = createHash('sha1')
        .update(JSON.stringify([pair.source, pair.target]))
        .digest('base64')
      if (known.has(digest)) continue
      if (known.size === memoryLimits.exportedSegments) {
        yield tmxTail
        return
      }
      known.add(digest)
      yield tmxUnit(source, target, pair satisfies ExportedPair)
    }
  }
  yield tmxTail
}

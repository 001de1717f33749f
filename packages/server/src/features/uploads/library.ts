/** Reads the library: a searched and filtered page of files, and the list of folders (contract §10). */
import type { Caller, Locale, Resource } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { documentTable, inboundLinks } from '../../db/schema.ts'
import { resources, type View } from '../../resources/attributes.ts'
import { mentionTable, organisationTable } from '../../resources/mentions.ts'
import type { QueryContext } from '../../resources/read/context.ts'
import { parseList, type QueryTree, readPagination } from '../../resources/read/parse-query.ts'
import type { Condition } from '../../resources/read/query.ts'
import { toSearchPatterns } from '../../resources/read/query-values.ts'
import { flattenEntry, readList, type TotalsCache } from '../../resources/read/read.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { originalNameOf, presentFile, shownLinks } from './file-record.ts'

const maxFolders = 1_000

interface LibraryRequest {
  files: Resource
  caller: Caller
  view: View
}

/** Query keys of a file list that only the library has. */
interface LibraryKeys {
  _q?: string | undefined
  unused?: boolean | undefined
  mine?: boolean | undefined
  missing_alt?: Locale | undefined
}

/**
 * Returns the conditions of the file library's query keys. `_q` searches names and alternative texts only:
 * matches in the kind or the hash would be useless.
 */
function conditionsOf(
  { _q = '', unused, mine, missing_alt }: LibraryKeys,
  files: Resource,
  context: QueryContext,
): Condition[] {
  const conditions: Condition[] = []
  if (_q !== '') {
    const patterns = toSearchPatterns(_q).map((pattern) => context.slot(pattern))
    const sideConditions = patterns.flatMap((value): Condition[] => [
      { field: 'name', is: '$search', value },
      { field: 'alternativeText', is: '$search', value },
      { spoken: 'alt', value },
    ])
    conditions.push({ any: sideConditions })
  }
  if (unused) {
    for (const { resource } of inboundLinks(files, resources)) context.dependsOn.add(documentTable(resource))
    context.dependsOn.add(mentionTable)
    context.dependsOn.add(organisationTable)
    conditions.push({ unheld: true })
  }
  if (mine) conditions.push({ link: 'owner', targets: '$in', value: context.slot([context.caller.id]) })
  if (missing_alt !== undefined) conditions.push({ silent: 'alt', in: missing_alt })
  return conditions
}

/**
 * Reads one page of the file library.
 *
 * @param database - The database.
 * @param totals - Cached totals.
 * @param request - The caller, and their view of files.
 * @param query - The query of the list, and the keys of the library.
 * @returns Flat records, the pagination, and the names of the originals of cuts by the ids of the cuts.
 * @throws 400 for an invalid query (contract §5, §6).
 */
export async function readLibrary(
  database: Database,
  totals: TotalsCache,
  { files, caller, view }: LibraryRequest,
  query: QueryTree & { libraryKeys: LibraryKeys },
) {
  const { filters, sort, pagination, libraryKeys } = query
  const listQuery = parseList(
    { filters, sort, populate: shownLinks(caller) },
    files,
    caller,
    view,
    readPagination(pagination),
    (context) => conditionsOf(libraryKeys, files, context),
  )
  const { entries, pagination: shownPagination } = await readList(database, totals, listQuery)
  const records = entries.map((entry) => flattenEntry(entry))
  const originals = Object.fromEntries(
    records.flatMap((record) => {
      const name = originalNameOf(record)
      return name === undefined ? [] : [[String(record.id), name]]
    }),
  )
  return { data: records.map((record) => presentFile(record)), meta: { pagination: shownPagination, originals } }
}

/**
 * Lists the folders of visible files with their numbers of files; files without a folder come first.
 */
export function readFolders(database: Database, { files, caller, view }: LibraryRequest) {
  return runScopedQuery(database, { resource: files, caller, view }, ({ from, where, document }) => {
    const folder = sql.ref(`${document}.folder`)
    return sql<{
      folder: string | null
      count: number
    }>`select ${folder} as folder, count(*)::int as count from ${from} where ${where} group by ${folder}
      order by fold_search(${folder}) collate "C" nulls first, ${folder} collate "C" limit ${sql.lit(maxFolders)}`
  })
}

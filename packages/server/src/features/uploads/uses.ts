/** Finds uses of files: records that link to them or name them in a text (contract §10, `if_unused`). */
import { type Caller, fault, type FileUse, rankOfRole, type Resource } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Transaction, Queries } from '../../db/database.ts'
import { publishedTable } from '../../db/published-tables.ts'
import { documentTable, inboundLinks, type InboundLink } from '../../db/schema.ts'
import { attributeOf, resourceNamed, resources, type View, viewOfResource } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { mentioningFields, pictureSettingsSql } from '../../resources/mentions.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import { editsWithFileSql } from '../../domain/market/post-edits.ts'
import { nameSql, shownSql } from '../../resources/read/record-names.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases, entriesFrom } from '../../resources/read/sql-entry.ts'

type Sql = Template<unknown>

/** Uses of a file: the readable ones among the first hundred, and the number of all uses (contract §14). */
export interface FoundUses {
  uses: FileUse[]
  total: number
}

const maxUses = 100

/** Fields of one resource that may use a file: a link, or fields whose values name files. */
type RecordSource = { resource: Resource; fields: readonly string[] } & (
  | { by: 'link'; link: InboundLink }
  /**
   * Source of uses by mentions in texts: a `localized` mention belongs to a record of one language instead of
   * the document.
   */
  | { by: 'mention'; localized: boolean }
)

/** A source of uses of files: fields of records, or the settings of the organisation. */
type UseSource = RecordSource | { by: 'setting' }

/** Name of the organisation's settings among the uses of a file. */
const organisation = 'organisation'

/** Returns all fields that may use a file, by resource, and the settings. */
function sourcesOf(uploads: Resource): UseSource[] {
  const links = inboundLinks(uploads, resources).map((link): RecordSource => ({
    by: 'link',
    link,
    resource: link.resource,
    fields: [link.field],
  }))
  const mentions = Object.values(resources)
    .filter(({ storedAs }) => storedAs === undefined)
    .flatMap((resource) =>
      [false, true].map((localized): RecordSource => ({
        by: 'mention',
        localized,
        resource,
        fields: mentioningFields(resource, localized),
      })),
    )
  return [...links, ...mentions.filter(({ fields }) => fields.length > 0), { by: 'setting' }]
}

/** SQL of all uses of some files: `file`, `part` (the number of the source), `document`, `entry`, `field`. */
function usedFilesSql(sources: readonly UseSource[], files: Sql): Sql {
  const links = sources.flatMap((source, sourceIndex) => {
    if (source.by !== 'link') return []
    const { resource, storage, field } = source.link
    const [file, document, table] =
      storage.in === 'column'
        ? [storage.column, 'id', documentTable(resource)]
        : [storage.otherColumn, storage.ownColumn, storage.table]
    const selectHolders = (holders: string) =>
      sql`select ${sql.ref(file)} as file, ${sql.lit(sourceIndex)} as part, ${sql.ref(document)} as document, null::int as entry, ${sql.lit(field)}::text as field
        from ${sql.table(holders)} where ${sql.ref(file)} = any(${files})`
    // A record that was published with the file and has another one now is one use of the file.
    return [
      resource.publishedCopies
        ? sql`(${selectHolders(table)} union ${selectHolders(publishedTable(table))})`
        : selectHolders(table),
    ]
  })
  const mentionFields = sources.flatMap((source, sourceIndex) =>
    source.by === 'mention'
      ? source.fields.map(
          (field) => sql`(${sql.lit(documentTable(source.resource))}, ${sql.lit(field)}, ${sql.lit(sourceIndex)})`,
        )
      : [],
  )
  const settings = sql`select file, ${sql.lit(sources.findIndex(({ by }) => by === 'setting'))} as part, 0 as document, null::int as entry, field
    from (${pictureSettingsSql}) as chosen where file = any(${files})`
  const mentions = sql`select m.file_id, place.part, m.document_id, m.entry_id, m.field::text
    from (select file_id, resource, document_id, entry_id, field from upload_mentions where file_id = any(${files}) union
          select file_id, resource, document_id, entry_id, field from published_upload_mentions where file_id = any(${files})) m join (values ${sql.join(mentionFields)}) as place(resource, field, part)
      on place.resource = m.resource and place.field = m.field`
  return sql.join([...links, mentions, settings], sql` union all `)
}

/** Row of one use of a file, without the name of its record; a file without uses has one row without a source. */
type UseRow = { file: number; total: number } & (
  | { part: null }
  | { part: number; document: number; entry: number | null; field: string }
)

/** Records of one resource that use files: by language entry where they name the file in a localized field. */
interface Holders {
  source: RecordSource
  view: View
  isByEntry: boolean
  keys: Set<number>
}

/** Finds the uses of files by record, in the order of their sources, and the files without any. */
async function findUseRows(
  runner: Pick<Queries, 'query' | 'parts'>,
  { caller, view }: { caller: Caller; view: View },
  { sources, uploads, files }: { sources: readonly UseSource[]; uploads: Resource; files: readonly number[] },
): Promise<UseRow[]> {
  const [context, aliases] = [new QueryContext(caller), new Aliases(runner)]
  const ids = sql`${[...files]}::int[]`
  const entry = aliases.entry(uploads)
  const scope = scopeOf(context, uploads, view.rows)
  const scopeSql = scope ? sql` and ${conditionSql(scope, entry, caller.language, aliases)}` : sql``
  return runStatement(
    runner,
    context,
    sql<UseRow>`select ${entry.documentId} as file, coalesce(used.total, 0) as total, used.part, used.document, used.entry, used.field
      from ${entriesFrom(entry)} left join (
        select file, part, document, entry, field, (row_number() over (partition by file order by part, document, entry, field))::int as place,
               (count(*) over (partition by file))::int as total from (${usedFilesSql(sources, ids)}) as every) as used
        on used.file = ${entry.documentId} and used.place <= ${sql.lit(maxUses)}
      where ${entry.documentId} = any(${ids})${scopeSql} order by file, used.place`,
  )
}

const keyOf = ({ resource }: RecordSource, isByEntry: boolean, key: number) => `${resource.name} ${isByEntry} ${key}`

/** Reads the ids and names of holders that the caller may see, by `keyOf`; no statement is sent without holders. */
async function readHolders(
  runner: Pick<Queries, 'query' | 'parts'>,
  caller: Caller,
  holders: readonly Holders[],
): Promise<ReadonlyMap<string, { id: number; name: string | null }>> {
  if (holders.length === 0) return new Map()
  const [context, aliases] = [new QueryContext(caller), new Aliases(runner)]
  const parts = holders.map(({ source: { resource }, view, isByEntry, keys }, index) => {
    const entry = isByEntry ? aliases.entry(resource) : undefined
    const shown = entry ? { entry, from: entriesFrom(entry) } : shownSql(resource, caller.language, aliases)
    const scope = scopeOf(context, resource, view.rows)
    const scopeSql = scope ? sql` and ${conditionSql(scope, shown.entry, caller.language, aliases)}` : sql``
    const key = sql.ref(isByEntry ? `${shown.entry.text}.id` : `${shown.entry.document}.id`)
    return sql`select ${sql.lit(index)} as place, ${key} as key, ${sql.ref(`${shown.entry.text}.id`)} as id, ${nameSql(shown.entry, caller.language, view)} as name
      from ${shown.from} where ${key} = any(${[...keys]}::int[])${scopeSql}`
  })
  const rows = await runStatement(
    runner,
    context,
    sql<{ place: number; key: number; id: number; name: string | null }>`${sql.join(parts, sql` union all `)}`,
  )
  return new Map(
    rows.flatMap(({ place, key, id, name }) => {
      const holder = holders[place]
      return holder ? [[keyOf(holder.source, holder.isByEntry, key), { id, name }]] : []
    }),
  )
}

/**
 * Finds the uses of files. A multilingual record has its name in the caller's language, else in its first one.
 * A mention has the name of the record that it belongs to. A use by a record or a field that the caller may
 * not read is only counted.
 *
 * One statement finds the uses, and one more names the records of those resources that have some: names of
 * all resources in one statement took up to 60 MB of the embedded database to plan.
 *
 * @param runner - The database or a transaction.
 * @param reader - The caller, and their view of files.
 * @param files - Ids of files.
 * @returns The uses by file; a file that does not exist or that the caller may not see has no key.
 */
export async function usesOf(
  runner: Pick<Queries, 'query' | 'parts'>,
  reader: { caller: Caller; view: View },
  files: readonly number[],
): Promise<ReadonlyMap<number, FoundUses>> {
  const { caller } = reader
  const uploads = resourceNamed('uploads')
  const sources = sourcesOf(uploads)
  const rows = await findUseRows(runner, reader, { sources, uploads, files })
  const holders = new Map<string, Holders>()
  const readableUses = rows.flatMap((row) => {
    const source = row.part === null ? undefined : sources[row.part]
    if (row.part === null || !source || source.by === 'setting') return []
    const { resource } = source
    const view = viewOfResource(resource, caller, 'get')
    if (!view || attributeOf(resource, view, row.field) === undefined) return []
    const isByEntry = source.by === 'mention' && source.localized
    const key = isByEntry ? row.entry : row.document
    if (key === null) return []
    const group = `${resource.name} ${isByEntry}`
    const sameHolders = holders.get(group) ?? { source, view, isByEntry, keys: new Set() }
    holders.set(group, sameHolders)
    sameHolders.keys.add(key)
    return [{ row, source, key: keyOf(source, isByEntry, key) }]
  })
  const shownHolders = await readHolders(runner, caller, [...holders.values()])
  const foundUses = new Map(rows.map(({ file, total }): [number, FoundUses] => [file, { uses: [], total }]))
  // Only owners read the settings.
  if (caller.role === 'owner')
    for (const row of rows)
      if (row.part !== null && sources[row.part]?.by === 'setting')
        foundUses.get(row.file)?.uses.push({ resource: organisation, id: 0, field: row.field, name: null })
  for (const { row, source, key } of readableUses) {
    const shown = shownHolders.get(key)
    if (shown) foundUses.get(row.file)?.uses.push({ resource: source.resource.wire, field: row.field, ...shown })
  }
  return foundUses
}

/**
 * Refuses to replace a picture that others see in a record: a moderator has approved that picture, not its
 * replacement. Staff may replace it, and users may replace the picture of their own profile.
 *
 * @param trx - The transaction of the change; the file stays locked in it against further uses.
 * @param caller - The user who changes the file.
 * @param file - Id of the file.
 * @throws 409 `upload.replace-used`.
 */
export async function assertReplaceableFile(trx: Transaction, caller: Caller, file: number): Promise<void> {
  if (rankOfRole(caller.role) >= rankOfRole('admin')) return
  await trx.query(sql`select 1 from uploads where id = ${file} for update`)
  const linkSources = sourcesOf(resourceNamed('uploads'))
  const partsOf = (name: string) =>
    linkSources.flatMap((source, sourceIndex) =>
      source.by !== 'setting' && documentTable(source.resource) === name ? [sourceIndex] : [],
    )
  // A cut of a file is a picture of its own, not a use of the file.
  const [{ count } = { count: 0 }] = await trx.query(sql<{ count: number }>`
    select (count(*) + (${editsWithFileSql(file)}))::int as count from (${usedFilesSql(linkSources, sql`array[${file}]::int[]`)}) as used
     where not (part = any(${partsOf('uploads')}::int[]))
       and not (part = any(${partsOf('users')}::int[]) and document = ${caller.id})`)
  if (count > 0) throw fault('upload.replace-used', { params: { count } })
}

/** Finds uses of files: records that link to them or name them in a text (contract §10, `if_unused`). */
import { type Caller, fault, type FileUse, rankOfRole, type Resource } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import type { Transaction, Queries } from '../../db/database.ts'
import { publishedTable } from '../../db/published-tables.ts'
import { documentTable, inboundLinks, type InboundLink } from '../../db/schema.ts'
import { attributeOf, resourceNamed, resources, type View, viewOfResource } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/read/compile-condition.ts'
import { mentioningFields } from '../../resources/mentions.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { scopeOf } from '../../resources/read/parse-filters.ts'
import { editsWithFileSql } from '../../domain/market/post-edits.ts'
import { nameSql, shownSql } from '../../resources/read/record-names.ts'
import { runStatement } from '../../resources/read/scoped.ts'
import { Aliases, entriesFrom, type EntryAlias } from '../../resources/read/sql-entry.ts'

type Sql = Template<unknown>

/** Uses of a file: the readable ones among the first hundred, and the number of all uses (contract §14). */
export interface FoundUses {
  uses: FileUse[]
  total: number
}

const maxUses = 100

/** Fields of one resource that may use a file: a link, or fields whose values name files. */
type UseSource = { resource: Resource; fields: readonly string[] } & (
  | { by: 'link'; link: InboundLink }
  /**
   * Source of uses by mentions in texts: a `localized` mention belongs to a record of one language instead of
   * the document.
   */
  | { by: 'mention'; localized: boolean }
)

/** Returns all fields that may use a file, by resource. */
function sourcesOf(uploads: Resource): UseSource[] {
  const links = inboundLinks(uploads, resources).map((link): UseSource => ({
    by: 'link',
    link,
    resource: link.resource,
    fields: [link.field],
  }))
  const mentions = Object.values(resources)
    .filter(({ storedAs }) => storedAs === undefined)
    .flatMap((resource) =>
      [false, true].map((localized): UseSource => ({
        by: 'mention',
        localized,
        resource,
        fields: mentioningFields(resource, localized),
      })),
    )
  return [...links, ...mentions.filter(({ fields }) => fields.length > 0)]
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
  const mentionFields = sources.flatMap(({ by, resource, fields }, sourceIndex) =>
    by === 'mention'
      ? fields.map((field) => sql`(${sql.lit(documentTable(resource))}, ${sql.lit(field)}, ${sql.lit(sourceIndex)})`)
      : [],
  )
  const mentions = sql`select m.file_id, place.part, m.document_id, m.entry_id, m.field::text
    from (select file_id, resource, document_id, entry_id, field from upload_mentions where file_id = any(${files}) union
          select file_id, resource, document_id, entry_id, field from published_upload_mentions where file_id = any(${files})) m join (values ${sql.join(mentionFields)}) as place(resource, field, part)
      on place.resource = m.resource and place.field = m.field`
  return sql.join([...links, mentions], sql` union all `)
}

/** Returns an alias and the tables of any record of a resource that may use files. */
function entryOf(resource: Resource, aliases: Aliases): { entry: EntryAlias; from: Sql } {
  const entry = aliases.entry(resource)
  return { entry, from: entriesFrom(entry) }
}

/** Row of one use of a file; the file itself has a row without a source. */
type UseRow = { file: number; total: number } & (
  | { part: null }
  | { part: number; id: number; name: string | null; field: string }
)

/**
 * Finds the uses of files in one statement. A multilingual record has its name in the caller's language, else
 * in its first one. A mention has the name of the record that it belongs to. A use by a record or a field
 * that the caller may not read is only counted.
 *
 * @param runner - The database or a transaction.
 * @param reader - The caller, and their view of files.
 * @param files - Ids of files.
 * @returns The uses by file; a file that does not exist or that the caller may not see has no key.
 */
export async function usesOf(
  runner: Pick<Queries, 'query' | 'parts'>,
  { caller, view }: { caller: Caller; view: View },
  files: readonly number[],
): Promise<ReadonlyMap<number, FoundUses>> {
  const uploads = resourceNamed('uploads')
  const linkSources = sourcesOf(uploads)
  const foundUses = new Map<number, FoundUses>()
  const [context, aliases] = [new QueryContext(caller), new Aliases(runner)]
  const namedSql = (source: UseSource): Sql | undefined => {
    const { resource, fields } = source
    const holderView = viewOfResource(resource, caller, 'get')
    const seenFields = holderView
      ? fields.filter((field) => attributeOf(resource, holderView, field) !== undefined)
      : []
    if (!holderView || seenFields.length === 0) return undefined
    const isByEntry = source.by === 'mention' && source.localized
    const { entry, from } = isByEntry ? entryOf(resource, aliases) : shownSql(resource, caller.language, aliases)
    const scope = scopeOf(context, resource, holderView.rows)
    const scopeSql = scope ? sql` and ${conditionSql(scope, entry, caller.language, aliases)}` : sql``
    const mentionCondition = isByEntry
      ? sql`${sql.ref(`${entry.text}.id`)} = used.entry`
      : sql`${sql.ref(`${entry.document}.id`)} = used.document`
    return sql`(select ${sql.ref(`${entry.text}.id`)} as id, ${nameSql(entry, caller.language, holderView)} as name
      from ${from} where ${mentionCondition} and used.field = any(${seenFields}::text[])${scopeSql})`
  }
  const ids = sql`${[...files]}::int[]`
  const fileEntry = aliases.entry(uploads)
  const fileScope = scopeOf(context, uploads, view.rows)
  const fileScopeSql = fileScope ? sql` and ${conditionSql(fileScope, fileEntry, caller.language, aliases)}` : sql``
  const fileRows = sql`select ${fileEntry.documentId} as file, coalesce(total, 0) as total, 0 as place, null::int as part, null::int as id, null::text as name, null::text as field
    from ${entriesFrom(fileEntry)} left join (select file, max(total) as total from used group by file) as counted
      on counted.file = ${fileEntry.documentId} where ${fileEntry.documentId} = any(${ids})${fileScopeSql}`
  const parts = linkSources.flatMap((source, sourceIndex) => {
    const shownSql = namedSql(source)
    return shownSql
      ? [
          sql`select file, total, place, part, shown.id, shown.name, used.field
            from used cross join lateral ${shownSql} as shown where part = ${sql.lit(sourceIndex)} and place <= ${sql.lit(maxUses)}`,
        ]
      : []
  })
  const rows = await runStatement(
    runner,
    context,
    sql<UseRow>`with used as materialized (
      select file, part, document, entry, field, (row_number() over (partition by file order by part, document, entry, field))::int as place,
             (count(*) over (partition by file))::int as total from (${usedFilesSql(linkSources, ids)}) as every)
      ${sql.join([fileRows, ...parts], sql` union all `)} order by file, place`,
  )
  for (const row of rows) {
    if (row.part === null) {
      foundUses.set(row.file, { uses: [], total: row.total })
      continue
    }
    const { id, field, name } = row
    const [fileUses, source] = [foundUses.get(row.file), linkSources[row.part]]
    if (fileUses && source) fileUses.uses.push({ resource: source.resource.wire, id, field, name })
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
    linkSources.flatMap(({ resource }, sourceIndex) => (documentTable(resource) === name ? [sourceIndex] : []))
  // A cut of a file is a picture of its own, not a use of the file.
  const [{ count } = { count: 0 }] = await trx.query(sql<{ count: number }>`
    select (count(*) + (${editsWithFileSql(file)}))::int as count from (${usedFilesSql(linkSources, sql`array[${file}]::int[]`)}) as used
     where not (part = any(${partsOf('uploads')}::int[]))
       and not (part = any(${partsOf('users')}::int[]) and document = ${caller.id})`)
  if (count > 0) throw fault('upload.replace-used', { params: { count } })
}

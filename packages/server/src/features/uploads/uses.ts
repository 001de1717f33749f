/** Where files are used: the records that link to them (contract §10, `if_unused`). */
import type { Caller } from '@dala/model'
import { type RawBuilder, sql } from 'kysely'
import { documentTable, inboundLinks, type InboundLink } from '../../db/schema.ts'
import { attributeOf, resourceNamed, resources, type View, viewOf } from '../../resources/attributes.ts'
import { conditionSql } from '../../resources/compile-condition.ts'
import { QueryContext } from '../../resources/parse-filters.ts'
import type { Runner } from '../../resources/read.ts'
import { nameSql, shownSql } from '../../resources/record-names.ts'
import { runWith } from '../../resources/scoped.ts'
import { Aliases, entriesFrom } from '../../resources/sql-entry.ts'

type Sql = RawBuilder<unknown>

/** One link to a file, by a record and a field that the caller may read; the name is null where it has none. */
interface FileUse {
  /** Name of the resource on the wire. */
  resource: string
  id: number
  field: string
  name: string | null
}

/** Uses that the caller may read, among the first hundred, and how many uses there are, readable or not (contract §14). */
export interface FoundUses {
  uses: FileUse[]
  total: number
}

const most = 100

/** SQL of who holds one of the files by a link: `file`, `part`, `document`. */
function heldSql({ resource, storage }: InboundLink, part: number, files: Sql): Sql {
  return storage.in === 'column'
    ? sql`select ${sql.ref(storage.column)} as file, ${sql.lit(part)} as part, id as document from ${sql.table(documentTable(resource))} where ${sql.ref(storage.column)} = any(${files})`
    : sql`select ${sql.ref(storage.other)}, ${sql.lit(part)}, ${sql.ref(storage.own)} from ${sql.table(storage.table)} where ${sql.ref(storage.other)} = any(${files})`
}

/**
 * Finds what links to files, in one statement. A record of several languages is named by its entry in the caller's
 * language, else by its first. In: who asks, his view of files, and their ids. Out: the uses by file; a file that is not
 * there or not in his reach has no key. A use by a record or a field that the caller may not read is only counted.
 */
export async function usesOf(
  runner: Pick<Runner, 'rows'>,
  { caller, view }: { caller: Caller; view: View },
  files: readonly number[],
): Promise<ReadonlyMap<number, FoundUses>> {
  const uploads = resourceNamed('uploads')
  const links = inboundLinks(uploads, resources)
  const found = new Map<number, FoundUses>()
  const [context, aliases] = [new QueryContext(caller), new Aliases()]
  const named = ({ resource, field }: InboundLink): Sql | undefined => {
    const sight = viewOf(resource, caller, 'get')
    if (!sight || attributeOf(resource, sight, field) === undefined) return undefined
    const { entry, from } = shownSql(resource, caller.language, aliases)
    const scope = context.scopeOf(resource, sight.rows)
    const within = scope ? sql` and ${conditionSql(scope, entry, caller.language, aliases)}` : sql``
    return sql`(select ${sql.ref(`${entry.text}.id`)} as id, ${nameSql(entry, caller.language, sight)} as name
      from ${from} where ${sql.ref(`${entry.document}.id`)} = held.document${within})`
  }
  const ids = sql`${[...files]}::int[]`
  const asked = aliases.entry(uploads)
  const reach = context.scopeOf(uploads, view.rows)
  const reached = reach ? sql` and ${conditionSql(reach, asked, caller.language, aliases)}` : sql``
  const there = sql`select ${asked.documentId} as file, coalesce(total, 0) as total, 0 as place, null::int as part, null::int as id, null::text as name
    from ${entriesFrom(asked)} left join (select file, max(total) as total from held group by file) as counted
      on counted.file = ${asked.documentId} where ${asked.documentId} = any(${ids})${reached}`
  const held = sql.join(
    links.map((link, part) => heldSql(link, part, ids)),
    sql` union all `,
  )
  const parts = links.flatMap((link, part) => {
    const shown = named(link)
    return shown
      ? [
          sql`select file, total, place, part, shown.id, shown.name
            from held cross join lateral ${shown} as shown where part = ${sql.lit(part)} and place <= ${sql.lit(most)}`,
        ]
      : []
  })
  const rows = await runWith(
    runner,
    context.values,
    sql`with held as materialized (
      select file, part, document, (row_number() over (partition by file order by part, document))::int as place,
             (count(*) over (partition by file))::int as total from (${held}) as every)
      ${sql.join([there, ...parts], sql` union all `)} order by file, place`,
  )
  for (const [file, total, , part, id, name] of rows) {
    if (part === null) found.set(Number(file), { uses: [], total: Number(total) })
    const [known, link] = [found.get(Number(file)), links[Number(part ?? -1)]]
    if (!known || !link) continue
    known.uses.push({
      resource: link.resource.wire,
      id: Number(id),
      field: link.field,
      name: typeof name === 'string' ? name : null,
    })
  }
  return found
}

/** Names documents for an answer: the wire id and the name of the entry that their reader would be shown. */
import type { Caller, Resource } from '@dala/model'
import { sql } from 'kysely'
import { compile } from '../db/compiler.ts'
import { relatedViewOf } from './attributes.ts'
import { conditionSql } from './compile-condition.ts'
import { QueryContext } from './parse-filters.ts'
import type { Runner } from './read.ts'
import { fillSlots } from './slots.ts'
import { Aliases, comparedSql, entriesFrom, languageOrder } from './sql-entry.ts'

export interface Named {
  id: number
  name: string
}

/** The documents that stand and that the reader may see through a relation, by key; one statement. */
export async function namesOf(
  runner: Runner,
  target: Resource,
  documents: Iterable<number>,
  caller: Caller,
): Promise<Map<number, Named>> {
  const wanted = [...new Set(documents)]
  const view = relatedViewOf(target, caller)
  if (wanted.length === 0 || !view) return new Map()
  const aliases = new Aliases()
  const entry = aliases.entry(target)
  const context = new QueryContext(caller)
  const scope = context.scopeOf(target, view.rows)
  const within = scope ? sql` and ${conditionSql(scope, entry, caller.language, aliases)}` : sql``
  const { documentId, text } = entry
  const first = target.localized
    ? sql`, ${languageOrder(sql.ref(`${text}.locale`), undefined, caller.language)}`
    : sql``
  const { sql: statement, parameters } = compile(sql`
    select distinct on (${documentId}) ${documentId}, ${sql.ref(`${text}.id`)}, (${comparedSql(entry, target.title, caller.language)})::text
      from ${entriesFrom(entry)} where ${documentId} = any(${wanted}::int[])${within} order by ${documentId}${first}`)
  const rows = await runner.rows({ sql: statement, parameters: fillSlots(parameters, context.values) })
  return new Map(
    rows.map(([document, id, name]) => [
      Number(document),
      { id: Number(id), name: typeof name === 'string' ? name : '' },
    ]),
  )
}

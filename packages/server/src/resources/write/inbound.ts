/** What becomes of the links that point at a record when it goes: one truth for deleting and for what is said before. */
import { sql, type Template } from '../../db/sql.ts'
import { documentTable, type InboundLink } from '../../db/schema.ts'

type Sql = Template<unknown>
type ListStorage = InboundLink['storage'] & { in: 'table' }

/** `restrict`: the record stays while it is held; `cascade`: the holder is a part and goes too; `detach`: the link empties. */
export type UseRule = 'restrict' | 'cascade' | 'detach'

/** What deleting the target does to the holders of a link (contract §4). */
export function ruleOf({ storage }: InboundLink): UseRule {
  if (storage.in === 'table' || storage.onDelete === 'set null') return 'detach'
  return storage.onDelete
}

/** Whether a list must hold something, so that its last target is held back: a company's only direction (contract §4). */
export const mustHold = ({ resource, field, storage }: InboundLink): boolean =>
  storage.in === 'table' && resource.fields[field]?.required === true

/** SQL of the documents that hold a document by a link, as `id`. */
export function holdersSql({ resource, storage }: InboundLink, document: Sql): Sql {
  return storage.in === 'column'
    ? sql`select id from ${sql.table(documentTable(resource))} where ${sql.ref(storage.column)} = ${document}`
    : sql`select ${sql.ref(storage.own)} as id from ${sql.table(storage.table)} where ${sql.ref(storage.other)} = ${document}`
}

/** SQL of those among some holders whose list holds one record only, as `id`. */
export function lastOfListSql({ table, own }: ListStorage, holders: Sql): Sql {
  return sql`select ${sql.ref(own)} as id from ${sql.table(table)} where ${sql.ref(own)} in (${holders}) group by ${sql.ref(own)} having count(*) = 1`
}

/** The rules for links that point at a deleted record. Deleting and its preview share them. */
import { sql, type Template } from '../../db/sql.ts'
import { documentTable, type InboundLink } from '../../db/schema.ts'

type Sql = Template<unknown>
type ListStorage = InboundLink['storage'] & { in: 'table' }

/**
 * `restrict`: a linked record cannot be deleted; `cascade`: the holder is a part and is deleted too;
 * `detach`: the link is emptied.
 */
export type UseRule = 'restrict' | 'cascade' | 'detach'

/** Effect of deleting a link's target on the records that link to it (contract §4). */
export function ruleOf({ storage }: InboundLink): UseRule {
  if (storage.in === 'table' || storage.onDelete === 'set null') return 'detach'
  return storage.onDelete
}

/**
 * Whether a list must not be empty, so that its last target
 * cannot be deleted: a company's only direction (contract §4).
 */
export const isHolderRequired = ({ resource, field, storage }: InboundLink): boolean =>
  storage.in === 'table' && resource.fields[field]?.required === true

/** SQL of the documents that link to a document, as `id`. */
export function holdersSql({ resource, storage }: InboundLink, document: Sql): Sql {
  return storage.in === 'column'
    ? sql`select id from ${sql.table(documentTable(resource))} where ${sql.ref(storage.column)} = ${document}`
    : sql`select ${sql.ref(storage.ownColumn)} as id from ${sql.table(storage.table)} where ${sql.ref(storage.otherColumn)} = ${document}`
}

/** SQL of the linking documents whose list has only the given target, as `id`. */
export function lastOfListSql({ table, ownColumn }: ListStorage, holders: Sql): Sql {
  return sql`select ${sql.ref(ownColumn)} as id from ${sql.table(table)} where ${sql.ref(ownColumn)} in (${holders}) group by ${sql.ref(ownColumn)} having count(*) = 1`
}

/** SQL of prices that may be compared with each other: reliable ones, in the base unit of their product. */
import { sql, type Template } from '../../db/sql.ts'

/**
 * SQL of a price (alias `c`, its unit `cu`) in the base unit of its product (alias `g`); null when they are
 * not comparable, so that mixed units never share an axis.
 */
export const amountSql: Template<unknown> = sql`(case
  when g.converts and cu.kind = g.kind then c.price_base
  when not g.converts and cu.id = g.unit_id then c.price end)`

/** SQL of whether a price (alias `c`) is entered or imported and needs no confirmation. */
export const isSoundSql: Template<unknown> = sql`c.price is not null and c.origin <> 'carried' and c.state <> 'check'`

/** SQL of whether a change may use a price (alias `c`, its day `e`): it is published and sound. */
export const isReliableSql: Template<unknown> = sql`e.state = 'published' and ${isSoundSql}`

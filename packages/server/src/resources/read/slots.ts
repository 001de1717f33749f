/** Slots: parameters of a compiled statement that are filled with a query's values when it runs. */
import { sql, type Template } from '../../db/sql.ts'
import type { SlotIndex } from './query.ts'

/** Place of one value in an SQL statement, filled when the statement runs. */
export class Slot {
  readonly index: SlotIndex
  constructor(index: SlotIndex) {
    this.index = index
  }
}

/** SQL of a slot bound as a PostgreSQL type. */
export function slotSql(index: SlotIndex, type: string): Template<unknown> {
  return sql`${new Slot(index)}::${sql.raw(type)}`
}

/** The caller's id is the first value of every query, for columns that differ by reader. */
export const callerSlot: SlotIndex = 0

/** The parameters of a compiled statement with a query's values in its slots. */
export const fillSlots = (parameters: readonly unknown[], values: readonly unknown[]): unknown[] =>
  parameters.map((item) => (item instanceof Slot ? values[item.index] : item))

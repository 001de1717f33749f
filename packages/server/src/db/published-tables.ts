/**
 * Tables of published copies: a resource whose readers see what was last published has each of its tables
 * twice (e-learning §4).
 */
import type { Column, Table } from './schema-parts.ts'

/** Name of the table with the published copies of a table's rows. */
export const publishedTable = (table: string): string => `published_${table}`

/**
 * Rows of a published copy are found by their document and language, by their record, and by no other value.
 */
const isCopiedIndex = ({ parts }: Table['indexes'][number]) =>
  parts.every((keyColumn) => keyColumn === '"locale"' || /^"\w+_id"$/.test(keyColumn))

/**
 * Makes the tables of published copies. They have the columns of the originals, so that the same statement
 * reads either. A copy leaves with the copy of its record; the copy of a record without a copied parent
 * leaves with the record itself.
 *
 * @param originals - The tables of all resources with copies.
 * @returns The tables of the copies.
 */
export function publishedTablesOf(originals: readonly Table[]): Table[] {
  const names = new Set(originals.map(({ name }) => name))
  return originals.map((original): Table => {
    const name = publishedTable(original.name)
    const isParent = ({ references }: Column) =>
      references !== undefined && references.onDelete === 'cascade' && names.has(references.table)
    const isRoot = !original.columns.some(isParent)
    const columns = original.columns.map((column): Column => {
      const { identity, references, ...copiedColumn } = column
      if (identity)
        return isRoot ? { ...copiedColumn, references: { table: original.name, onDelete: 'cascade' } } : copiedColumn
      if (!references) return copiedColumn
      if (isParent(column))
        return { ...copiedColumn, references: { ...references, table: publishedTable(references.table) } }
      // A link between published copies is stored without a key, because copies come back in no fixed order.
      return names.has(references.table) ? copiedColumn : { ...copiedColumn, references }
    })
    const indexes = original.indexes
      .filter(isCopiedIndex)
      .map((index) => ({ ...index, name: publishedTable(index.name), table: name }))
    return { name, primaryKey: original.primaryKey, columns, indexes }
  })
}

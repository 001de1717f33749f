/** Names for prepared statements: only repeated texts get one, and their number is bounded. */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

// Each connection stores every named statement until the connection ends, and clients can write any number of
// filters.
const maxNames = 400
const usesBeforeName = 3

/** Returns the name of a statement's text, by which PostgreSQL lists a prepared statement. */
export const nameOfStatement = (sql: string): string =>
  `dala_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`

/**
 * Makes a register of names for prepared statements.
 *
 * @returns A function that returns the name of a statement's text, or undefined while it is rare.
 */
export function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  const uses = new LRUCache<string, number>({ max: 1_000 })
  return (sql) => {
    const existingName = names.get(sql)
    if (existingName !== undefined || names.size >= maxNames) return existingName
    const seenCount = (uses.get(sql) ?? 0) + 1
    uses.set(sql, seenCount)
    if (seenCount < usesBeforeName) return undefined
    const name = nameOfStatement(sql)
    names.set(sql, name)
    uses.delete(sql)
    return name
  }
}

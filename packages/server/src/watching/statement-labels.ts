/** Names of statements and of their errors, without text or values of the statements. */
import { databaseFailure } from '../db/failures.ts'

const operations = new Set(['select', 'insert', 'update', 'delete', 'merge', 'with', 'values'])

/** Returns the first word of a statement; `other` for rare ones, so that the label is bounded. */
export function operationOf(statement: string): string {
  const word = /[a-z]+/i.exec(statement.slice(0, 200))?.[0].toLowerCase() ?? ''
  return operations.has(word) ? word : 'other'
}

/** Returns the class of an error, the first two signs of SQLSTATE: 23 for violated constraints, for instance. */
export function errorClassOf(error: unknown): string {
  if (databaseFailure(error) === 'unavailable') return 'connection'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : 'other'
}

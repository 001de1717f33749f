/** Counts what is sent to a database. */
import type { Database } from '../db/database.ts'

/** Runs work. Out: the statements it sent, begin and commit left out. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const end = database.onStatement((text) => statements.push(text))
  try {
    await work()
  } finally {
    end()
  }
  return statements
}

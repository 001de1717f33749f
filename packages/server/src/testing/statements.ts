/** Counts the statements that reach a database. */
import type { Database } from '../db/database.ts'

/** Runs work and returns the statements that it sent to the database, without begin and commit. */
export async function statementsOf(database: Database, runTask: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const end = database.onStatement((text) => statements.push(text))
  try {
    await runTask()
  } finally {
    end()
  }
  return statements
}

/** Turns Kysely's `sql` texts into statements; Kysely builds them here and never runs them. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import type { Statement } from './driver.ts'

// Kysely's own PGlite driver keeps one shared "current transaction" that statements of other requests would join, and
// its PostgreSQL driver decodes differently; sessions and transactions are therefore ours (`driver.ts`).
export const compiler = new Kysely<Record<string, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Text and parameters of a template. */
export function compile(template: RawBuilder<unknown>): Statement {
  const { sql, parameters } = template.compile(compiler)
  return { sql, parameters }
}

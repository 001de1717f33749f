/**
 * Parts that the engine receives because they know resources by name. A database is opened with them and
 * carries them (`database.parts`, `trx.parts`).
 */
import type { Resource } from '@dala/model'
import type { Template } from '../db/sql.ts'
import type { Behaviour } from './write/behaviour.ts'

/** Aliases that the tables of an entry have in a statement. */
export interface EntryTables {
  readonly resource: Resource
  readonly document: string
  readonly text: string
}

/** Makes the SQL of a computed field of an entry; throws for a field that nothing computes. */
export type ComputedSql = (entry: EntryTables, field: string) => Template<unknown>

declare module '../db/database.ts' {
  interface EngineParts {
    /** Returns the rules of a resource beyond its declaration; undefined without any. */
    readonly behaviourOf: (resource: Resource) => Behaviour | undefined
    readonly computedSql: ComputedSql
    /** Hashes a password with a random salt. */
    readonly hashPassword: (password: string) => Promise<string>
    /** Compares a password with a stored hash. */
    readonly verifyPassword: (storedHash: string, password: string) => Promise<boolean>
    /** SQL of an account's person, by its id: one JSON object, null without a person. */
    readonly personSql: (id: Template<unknown>) => Template<unknown>
  }
}

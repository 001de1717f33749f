/** Behaviours: what a resource does when it is written, beyond its declaration. */
import type { Caller, Locale, OperationName } from '@dala/model'
import type { Transaction } from '../../db/database.ts'

export type FieldValues = Readonly<Record<string, unknown>>

/** A write that passed the checks of the declaration and is about to be stored. */
export interface CheckedWrite {
  /**
   * `restore`: a whole record has come back; `valuesBefore` and `values` both contain all of its present values.
   */
  operation: Exclude<OperationName, 'list' | 'get'> | 'translate' | 'restore'
  caller: Caller
  /** Whether the server itself writes and may set states and read-only fields. */
  isTrusted: boolean
  /** Body of the write as the client sent it, without its envelope. */
  draft: FieldValues
  /** The stored record: columns by field, to-one links as document ids by field; undefined on create. */
  valuesBefore: FieldValues | undefined
  /** Key of the stored record; undefined on create. */
  document: number | undefined
  /** Checked values that the write sets, by field; to-one links as document ids. */
  values: FieldValues
  /** List links that the write changes, with their new documents. */
  lists: Readonly<Record<string, unknown>>
  /** Leaves a list link unchanged by the write. */
  leaveListUnchanged: (list: string) => void
  /** Whether the write undoes a bulk job. */
  isUndo?: true
  /**
   * The columns named by `targetColumns`, of the target that a
   * link has after this write; undefined without a target.
   */
  target: (link: string) => FieldValues | undefined
  locale: Locale | undefined
  /** Time of the write in the format of the wire. */
  now: string
  /** Transaction of the write, for rules that must count. Every statement adds to the cost of the write. */
  trx: Transaction
}

export interface Behaviour {
  /** Fields that only increase, such as a count of revisions; undoing a write increases them too. */
  increasingFields?: readonly string[]
  /**
   * Columns of link targets that `settleValues` needs: link → fields of the target. They are loaded with the links.
   */
  targetColumns?: Readonly<Record<string, readonly string[]>>
  /**
   * A to-one link to a resource without languages. Every write locks its target before the records that link
   * to it, so that writes around one target wait for each other in one order (lock-order.ts).
   */
  locksFirst?: string
  /**
   * Checks a write and sets further values; runs after all field checks, so a body that is invalid by itself
   * has been refused before.
   *
   * @returns Additional values to set (to-one links as document ids), or nothing.
   * @throws Faults of the catalogue.
   */
  settleValues: (write: CheckedWrite) => FieldValues | void | Promise<FieldValues | void>
}

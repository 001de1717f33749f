/** What a resource does of its own accord when it is written, beyond what its declaration can say. */
import type { Caller, Locale, OperationName } from '@dala/model'
import type { Transaction } from '../../db/database.ts'

export type Facts = Readonly<Record<string, unknown>>

/** A write that was checked against the declaration and is about to be stored. */
export interface SettledWrite {
  /** `restore`: a whole record has come back; `before` and `values` are both all that it is now. */
  operation: Exclude<OperationName, 'list' | 'get'> | 'translate' | 'restore'
  caller: Caller
  /** The server itself writes: states and read-only fields are its own business. */
  trusted: boolean
  /** The inner body as it came. */
  draft: Facts
  /** The stored record: columns by field, to-one links as document ids by field; undefined on create. */
  before: Facts | undefined
  /** Key of the stored record; undefined on create. */
  document: number | undefined
  /** Checked values by field, to-one links as document ids by field: what this write sets. */
  values: Facts
  /** The list links that this write changes, with the documents that each is to hold. */
  lists: Readonly<Record<string, unknown>>
  /** Leaves a list link as it is stored. */
  holdBack: (list: string) => void
  /** The write takes back what a job has done. */
  takesBack?: true
  /** What `looksAt` names, of the target a link will have after this write; undefined without a target. */
  target: (link: string) => Facts | undefined
  locale: Locale | undefined
  /** The moment of the write, as the wire spells it. */
  now: string
  /** For rules that must count; every statement here is one more of the write. */
  trx: Transaction
}

export interface Behaviour {
  /** Fields that only ever go on, a count of revisions: what takes a write back moves them too. */
  goesOn?: readonly string[]
  /** Columns of link targets that `settle` looks at: link → fields of the target. They come with the links themselves. */
  looksAt?: Readonly<Record<string, readonly string[]>>
  /**
   * A link to one record without languages that every write locks before the records that hold it, so that writes of
   * what hangs on the same record wait for each other in one order (lock-order.ts).
   */
  locksFirst?: string
  /**
   * Out: values to set besides (to-one links as document ids), or nothing. Throws faults of the catalogue; it runs
   * after all field checks, so a body that is wrong in itself has been refused already.
   */
  settle: (write: SettledWrite) => Facts | void | Promise<Facts | void>
}

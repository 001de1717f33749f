/** The budget of an answer: how many related records one statement may put into its lists. */
import { type Fault, fault } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'

type Sql = Template<unknown>

/** Limits of related lists: of one list, and of all lists of a statement together. */
export const answerBudget = { listRecords: 1_000, records: 10_000, megabytes: 8 } as const

/**
 * Maximum size of related lists that the enclosing list counts. A call of `spend_on_list` costs as much as
 * reading two records, so an ordinary page with a few tags per record pays nothing.
 */
const smallBudget = { records: 16, bytes: 16_384 }

const tooLongCode = 'DA001'
const tooLargeCode = 'DA002'

/** Maximum number of rows read for a related list: one more than allowed shows that it is too long. */
export const rowsToRead: number = answerBudget.listRecords + 1

/** A list of related records in an answer, as columns of the statement that reads it. */
interface CountedList {
  /** JSON of the related list's entries. */
  list: Sql
  /** Number of records in the related list and below it that `spend_on_list` has not counted yet. */
  records: Sql
}

/**
 * SQL of a list that is counted towards the budget of its statement. Reading it ends the statement when the
 * budget is spent.
 *
 * @param list - The aggregate of the entries.
 * @param records - The aggregate of records in and below the list that are not counted yet.
 * @param path - The names of the links from the root to the list.
 * @returns The two columns of the list.
 */
export function countedListSql(list: Sql, records: Sql, path: readonly string[]): CountedList {
  const isSmall = sql`${records} <= ${sql.lit(smallBudget.records)} and pg_column_size(${list}) <= ${sql.lit(smallBudget.bytes)}`
  const { listRecords, records: maxRecords, megabytes } = answerBudget
  const limits = sql.join([listRecords, maxRecords, megabytes * 1_000_000].map((limit) => sql.lit(limit)))
  const spendSql = sql`spend_on_list(${list}, count(*), ${records}, ${sql.lit(['populate', ...path].join('.'))}, ${limits})`
  return {
    list: sql`case when ${isSmall} then ${list} else ${spendSql} end`,
    records: sql`case when ${isSmall} then ${records} else 0 end`,
  }
}

/**
 * Reads the refusal of a statement that has spent the budget of its answer.
 *
 * @param error - Any error that a statement threw.
 * @returns The refusal that names the path of the list, or undefined for every other error.
 */
export function budgetFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const path = error.message
  const { listRecords, records, megabytes } = answerBudget
  if (error.code === tooLongCode) return fault('query.list-too-long', { params: { path, max: listRecords } })
  if (error.code === tooLargeCode) return fault('query.answer-too-large', { params: { path, max: records, megabytes } })
  return undefined
}

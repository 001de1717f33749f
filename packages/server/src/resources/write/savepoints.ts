/**
 * Savepoints: parts of a transaction that can be rolled
 * back alone, with their hooks and change notifications.
 */
import type { Transaction } from '../../db/database.ts'

const sendSql = (trx: Transaction, sql: string) => trx.rows({ sql, parameters: [] })

/**
 * Runs work within a savepoint. A throw rolls it back and is rethrown. A result that `keeps` refuses rolls it
 * back too, and is returned. Hooks before and after the commit and change notifications remain only for work
 * that is not rolled back.
 */
export async function runInSavepoint<T>(
  trx: Transaction,
  runWork: (savepointTrx: Transaction) => Promise<T>,
  keepsResult: (result: T) => boolean = () => true,
): Promise<T> {
  const beforeCommitCalls: (() => Promise<void>)[] = []
  const afterCommitCalls: (() => void | Promise<void>)[] = []
  const changedCalls: Parameters<Transaction['changed']>[] = []
  const rollBack = () => sendSql(trx, 'rollback to savepoint part')
  await sendSql(trx, 'savepoint part')
  try {
    const result = await runWork({
      ...trx,
      changed: (...change) => changedCalls.push(change),
      send: () => {
        throw new Error('A statement of a part must be answered before the part ends')
      },
      beforeCommit: (callback) => beforeCommitCalls.push(callback),
      afterCommit: (callback) => afterCommitCalls.push(callback),
    })
    if (keepsResult(result)) {
      for (const change of changedCalls) trx.changed(...change)
      for (const commitCall of beforeCommitCalls) trx.beforeCommit(commitCall)
      for (const commitCall of afterCommitCalls) trx.afterCommit(commitCall)
    } else await rollBack()
    await sendSql(trx, 'release savepoint part')
    return result
  } catch (error) {
    await rollBack()
    await sendSql(trx, 'release savepoint part')
    throw error
  }
}

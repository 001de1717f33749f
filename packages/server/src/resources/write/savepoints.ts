/**
 * Savepoints: parts of a transaction that can be rolled
 * back alone, with their hooks and change notifications.
 */
import type { Transaction } from '../../db/database.ts'

const send = (trx: Transaction, sql: string) => trx.rows({ sql, parameters: [] })

/**
 * Runs work within a savepoint. A throw rolls it back and is rethrown. A result that `keeps` refuses rolls it
 * back too, and is returned. Hooks before and after the commit and change notifications remain only for work
 * that is not rolled back.
 */
export async function inSavepoint<T>(
  trx: Transaction,
  work: (part: Transaction) => Promise<T>,
  keeps: (result: T) => boolean = () => true,
): Promise<T> {
  const before: (() => Promise<void>)[] = []
  const after: (() => void | Promise<void>)[] = []
  const changed: Parameters<Transaction['changed']>[] = []
  const takeBack = () => send(trx, 'rollback to savepoint part')
  await send(trx, 'savepoint part')
  try {
    const result = await work({
      ...trx,
      changed: (...change) => changed.push(change),
      send: () => {
        throw new Error('A statement of a part must be answered before the part ends')
      },
      beforeCommit: (then) => before.push(then),
      afterCommit: (then) => after.push(then),
    })
    if (keeps(result)) {
      for (const change of changed) trx.changed(...change)
      for (const then of before) trx.beforeCommit(then)
      for (const then of after) trx.afterCommit(then)
    } else await takeBack()
    await send(trx, 'release savepoint part')
    return result
  } catch (error) {
    await takeBack()
    await send(trx, 'release savepoint part')
    throw error
  }
}

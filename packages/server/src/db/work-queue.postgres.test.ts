/** Tests several instances on one PostgreSQL server that is still empty. */
import { expect, it } from 'vitest'
import { openBareDatabase } from '../testing/databases.ts'
import { WorkQueue } from './work-queue.ts'

it('lets one instance create the tables of the work queue while the others wait', async () => {
  const database = await openBareDatabase('empty_queue')
  const errors: unknown[] = []
  // The queue is created several times, because a race between two programs does not fail every time.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await database.script('drop schema if exists pgboss cascade')
    const queues = Array.from({ length: 4 }, () => new WorkQueue(database))
    for (const queue of queues) {
      queue.register('some-work', { findUnfinished: () => Promise.resolve([1]), run: () => Promise.resolve() })
    }
    const startResults = await Promise.allSettled(queues.map((queue) => queue.start((error) => errors.push(error))))
    for (const queue of queues) await queue.stop()
    expect(startResults.filter(({ status }) => status === 'rejected')).toEqual([])
  }
  await database.close()
  expect(errors).toEqual([])
})

import { beforeAll, describe, expect, it } from 'vitest'
import reports from '../../seed/data/statistics.json' with { type: 'json' }
import { sql } from '../../db/sql.ts'
import { buildRecord } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { computeReport, findNames } from '../statistics/index.ts'
import { FileMaker } from './maker.ts'
import type { ReportReaders } from './read-report.ts'
import { lostFiles } from './store.ts'

const resourceApp = startResourceApp(async ({ database }) => {
  for (const report of reports.statistics) await buildRecord(database, 'statistics', report)
})
const errors: unknown[] = []
let fileMaker: FileMaker | undefined
const makerWith = (readers: Partial<ReportReaders> = {}, maxWait?: number) =>
  new FileMaker(resourceApp.database, { computeReport, findNames, ...readers }, (error) => errors.push(error), maxWait)
beforeAll(() => {
  fileMaker = makerWith()
})

async function addRunningFile(minutesAgo: number, attempts = 1): Promise<number> {
  const [row] = await resourceApp.database.query(sql<{ id: number }>`
    insert into report_files (user_id, key, query, format, locale, parts, name, attempts, claimed_at, expires_at)
    values (${resourceApp.people['admin'] ?? 0}, 'people', '{"period": "days7"}', 'csv', 'en', '{figures}', 'people.csv', ${attempts}::int,
            now() - make_interval(mins => ${minutesAgo}::int), now() + interval '1 hour') returning id`)
  return row?.id ?? 0
}
const stateOf = async (id: number) => {
  const [row] = await resourceApp.database.query(
    sql<{ state: string; attempts: number }>`select state, attempts from report_files where id = ${id}`,
  )
  return row
}

describe('FileMaker', () => {
  it('makes a file whose process has ended, three times at most', async () => {
    const [lostFile, hopelessFile, runningFile] = [
      await addRunningFile(5),
      await addRunningFile(5, 3),
      await addRunningFile(0),
    ]
    const lostIds = await lostFiles(resourceApp.database, false)
    expect([lostFile, hopelessFile, runningFile].map((id) => lostIds.includes(id))).toEqual([true, true, false])
    expect(await lostFiles(resourceApp.database, true)).toContain(runningFile)
    for (const id of [lostFile, hopelessFile]) await fileMaker?.resume(id)
    expect(await stateOf(lostFile)).toEqual({ state: 'done', attempts: 2 })
    expect(await stateOf(hopelessFile)).toMatchObject({ state: 'failed' })
    await fileMaker?.resume(lostFile)
    expect(await stateOf(lostFile)).toEqual({ state: 'done', attempts: 2 })
  })

  it('stores a failure of work in the background, and reports it', async () => {
    const brokenMaker = makerWith({ computeReport: () => Promise.reject(new Error('broken')) })
    const id = await addRunningFile(5)
    await brokenMaker.resume(id)
    expect(await stateOf(id)).toMatchObject({ state: 'failed' })
    expect(errors).toEqual([new Error('broken')])
  })

  it('does not make a file for an account that was blocked', async () => {
    const id = await addRunningFile(5)
    await resourceApp.database.query(
      sql`update users set blocked = true where id = ${resourceApp.people['admin'] ?? 0}`,
    )
    await fileMaker?.resume(id)
    await resourceApp.database.query(
      sql`update users set blocked = false where id = ${resourceApp.people['admin'] ?? 0}`,
    )
    expect(await stateOf(id)).toMatchObject({ state: 'failed' })
  })

  it('answers with the file that is made while the request waits', async () => {
    const id = await addRunningFile(0)
    await makerWith({}, 3_600_000).begin(id)
    expect(await stateOf(id)).toMatchObject({ state: 'done' })
  })

  it('answers while a slow file is made in the background', async () => {
    let finishMaking = () => {}
    const gate = new Promise<void>((resolve) => (finishMaking = resolve))
    const gatedReport: ReportReaders['computeReport'] = async (...call) => {
      await gate
      return computeReport(...call)
    }
    const slowMaker = makerWith({ computeReport: gatedReport }, 20)
    const id = await addRunningFile(0)
    await slowMaker.begin(id)
    expect(await stateOf(id)).toMatchObject({ state: 'running' })
    finishMaking()
    await slowMaker.settled()
    expect(await stateOf(id)).toMatchObject({ state: 'done' })
  })
})

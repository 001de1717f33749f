import { sql, type Template } from '../../db/sql.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../db/database.ts'
import { openTestDatabase, skipTriggers } from '../../testing/databases.ts'
import { buildRecord, buildAuditLine, buildNews, buildTag } from '../../testing/factories.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { checkChain } from './audit-check.ts'
import { expireAudit } from './audit-expiry.ts'
import { AuditSealer, sealWaitingLines } from './sealer.ts'

let database: Database
beforeEach(async () => {
  ;({ database } = await openTestDatabase())
})
const forgeLine = (template: Template<unknown>) => skipTriggers(database, template)

/** Inserts ten audit lines, about records and of other kinds, and seals them. */
async function sealedLines(): Promise<void> {
  const tag = await buildTag(database)
  for (let index = 0; index < 3; index += 1) {
    await buildNews(database, { title: `N${index}`, tags: [tag] })
    await buildAuditLine(database, { details: { code: 'access.denied', route: `/api/кў ${index}` } })
  }
  for (let index = 0; index < 3; index += 1) await buildAuditLine(database)
  expect(await sealWaitingLines(database)).toBe(10)
}

describe('audit lines', () => {
  test.each([
    ['an update', sql`update audit set address = '10.0.0.1' where id = 2`],
    ['another seal', sql`update audit set seal = 99 where id = 2`],
    ['a seal taken off', sql`update audit set seal = null, hash = null where id = 2`],
    ['a delete', sql`delete from audit where id = 2`],
    ['emptying', sql`truncate audit`],
    [
      'a line that comes with a seal',
      sql`insert into audit (action, seal, hash) values ('export', 99, repeat('a', 64))`,
    ],
    ['an update of a revision', sql`update revisions set changes = '{}' where id = 1`],
    ['a delete of a revision', sql`delete from revisions where id = 1`],
    ['emptying the revisions', sql`truncate revisions`],
  ])('refuses %s in the append-only tables of the audit', async (_what, template) => {
    await sealedLines()
    await expect(database.query(template)).rejects.toThrow(/append-only/)
    expect(await checkChain(database)).toMatchObject({ checked: 10, waiting: 0 })
  })
  test('accepts nothing but a seal for a pending audit line, and no deletion', async () => {
    const id = await buildAuditLine(database)
    const expiryTransaction = database.transaction(async (trx) => {
      await trx.query(sql`set local dala.audit_expiry = 'on'`)
      await trx.query(sql`delete from audit where id = ${id}`)
    })
    await expect(expiryTransaction).rejects.toThrow(/append-only/)
    const sealingSql = sql`update audit set seal = 1, hash = repeat('a', 64), address = 'x' where id = ${id}`
    await expect(database.query(sealingSql)).rejects.toThrow(/append-only/)
  })
})

describe('the audit chain', () => {
  test('chains audit lines of concurrent writers in the order of their seals', async () => {
    const writeLine = async (index: number) => {
      await buildTag(database)
      await buildAuditLine(database, { requestId: `r${index}` })
      return sealWaitingLines(database)
    }
    await Promise.all(Array.from({ length: 20 }, (_, index) => writeLine(index)))
    await sealWaitingLines(database)
    expect(await checkChain(database)).toMatchObject({ checked: 40, waiting: 0, head: { seal: 40 } })
    expect(await checkChain(database)).not.toHaveProperty('faultSentence')
  })
  test('puts an audit line that is committed late behind the lines sealed before', async () => {
    await database.query(sql`select nextval(pg_get_serial_sequence('audit', 'id'))`)
    await buildAuditLine(database)
    await sealWaitingLines(database)
    await database.query(sql`insert into audit (id, action) values (1, 'export')`)
    await sealWaitingLines(database)
    expect(await database.query(sql`select id, seal from audit order by seal`)).toEqual([
      { id: 2, seal: 1 },
      { id: 1, seal: 2 },
    ])
    expect(await checkChain(database)).toMatchObject({ checked: 2 })
  })

  const forgedHash = sql`repeat('a', 64)`
  test.each<[what: string, forgeries: Template<unknown>[], told: RegExp]>([
    ['an altered line', [sql`update audit set address = '10.9.9.9' where seal = 5`], /seal 5\) is not what was sealed/],
    ['an altered detail', [sql`update audit set details = '{"route": "/"}' where seal = 3`], /seal 3\) is not/],
    ['an altered time', [sql`update audit set created_at = created_at + interval '1 ms' where seal = 4`], /seal 4\)/],
    [
      'an altered revision',
      [sql`update revisions set changes = '{}' where id = (select revision_ids[1] from audit where seal = 2)`],
      /seal 2\) is not/,
    ],
    [
      'a lost revision',
      [sql`delete from revisions where id = (select revision_ids[1] from audit where seal = 2)`],
      /seal 2\) is not/,
    ],
    ['a lost line', [sql`delete from audit where seal = 6`], /with the seal 6 is missing: the next one is line/],
    ['a lost beginning', [sql`delete from audit where seal <= 2`], /with the seal 1 is missing/],
    [
      'two lines that changed places',
      [
        sql`update audit set seal = -seal where seal in (4, 5)`,
        sql`update audit set seal = 9 + seal where seal in (-4, -5)`,
      ],
      /seal 4\) is not/,
    ],
    [
      'a line put behind the last one',
      [sql`insert into audit (action, seal, hash) values ('export', 11, ${forgedHash})`],
      /seal 11\) is not/,
    ],
    [
      'a line put before the first one',
      [sql`insert into audit (action, seal, hash) values ('export', 0, ${forgedHash})`],
      /before the chain begins at 1/,
    ],
    ['a line that lost its place', [sql`update audit set seal = null where seal = 10`], /has a hash and no place/],
  ])('reports %s', async (_what, forgeries, message) => {
    await sealedLines()
    for (const forgery of forgeries) await forgeLine(forgery)
    expect((await checkChain(database)).faultSentence).toMatch(message)
  })
  test('reports that the stored head is missing when the end of the audit chain was cut off', async () => {
    await sealedLines()
    const { head } = await checkChain(database)
    expect(await checkChain(database, head.hash)).toMatchObject({ hasHead: true })
    await forgeLine(sql`delete from audit where seal >= 9`)
    await buildAuditLine(database)
    await buildAuditLine(database)
    await sealWaitingLines(database)
    expect(await checkChain(database, head.hash)).toMatchObject({ checked: 10, hasHead: false })
  })
  test('continues the audit chain from an anchor after old lines were deleted, up to the first young line', async () => {
    await forgeLine(sql`select 1`)
    for (const age of [400, 399, 10, 398, 5]) {
      const id = await buildAuditLine(database)
      await forgeLine(sql`update audit set created_at = now() - make_interval(days => ${age}::int) where id = ${id}`)
    }
    const expiredCount = await expireAudit(database, 365)
    expect([expiredCount, await checkChain(database)]).toMatchObject([
      2,
      { checked: 3, anchor: { seal: 2 }, head: { seal: 5 } },
    ])
    expect(await expireAudit(database, 365)).toBe(0)
    expect(await expireAudit(database, 1)).toBe(3)
    const { head } = await checkChain(database)
    await buildAuditLine(database)
    await sealWaitingLines(database)
    const chainAfter = await checkChain(database, head.hash)
    expect(chainAfter).toMatchObject({ checked: 1, anchor: head, head: { seal: 6 }, hasHead: true })
    expect(chainAfter).not.toHaveProperty('faultSentence')
  })
})

test('seals audit lines after the write and notifies lists of the audit', async () => {
  const receivedNames: string[] = []
  const end = database.onChange((changes) => changes !== 'all' && receivedNames.push(...changes))
  const sealer = new AuditSealer(database)
  sealer.start((error) => receivedNames.push(String(error)))
  await buildRecord(database, 'tags', { name: 'T' })
  await waitUntil(async () => {
    expect(await checkChain(database)).toMatchObject({ checked: 1, waiting: 0 })
    expect(receivedNames).toContain('audit')
  })
  await sealer.stop()
  end()
})

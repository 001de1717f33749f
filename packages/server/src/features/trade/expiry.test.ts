import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { buildRecord, buildUser, buildTranslation } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { PostExpiry } from './expiry.ts'

const resourceApp = startResourceApp()

describe('the timer of trading posts', () => {
  it('expires posts after their public time, once, and no others', async () => {
    const tradingposttype = await buildRecord(resourceApp.database, 'tradingposttypes', {
      name: { en: 'T' },
      code: 'selling',
    })
    const user = await buildUser(resourceApp.database, 'authenticated')
    const post = (draft: object) =>
      buildRecord(resourceApp.database, 'tradinposts', { title: 'P', tradingposttype, user, ...draft })
    const [pastMoment, futureMoment] = ['2026-01-01T00:00:00.000Z', new Date(Date.now() + 60_000).toISOString()]
    const duePost = await post({ status: 'processed', expires_at: pastMoment })
    await buildTranslation(resourceApp.database, 'tradinposts', duePost, 'ru', { title: 'П' })
    const otherPosts = [
      await post({ status: 'processed', expires_at: futureMoment }),
      await post({ status: 'on_hold', expires_at: pastMoment }),
      await post({ status: 'archived', expires_at: pastMoment }),
    ]
    const statuses = async () =>
      Object.fromEntries(
        (
          await resourceApp.read<{ data: { id: number; attributes: { status: string } }[] }>('/tradinposts?sort=id')
        ).data.map(({ id, attributes }) => [id, attributes.status]),
      )
    const statusesBefore = await statuses()
    // Two instances of the server expire trading posts at the same time.
    const counts = await Promise.all([1, 2].map(() => new PostExpiry(resourceApp.database).expire()))
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1])
    expect(await statuses()).toEqual({ ...statusesBefore, [duePost]: 'expired' })
    expect(Object.keys(statusesBefore)).toHaveLength(otherPosts.length + 1)
    const trace = await resourceApp.database.query(sql`
      select changes, user_id from revisions where resource = 'tradinposts' and operation = 'update'`)
    expect(trace).toEqual([{ changes: { status: { before: 'processed', after: 'expired' } }, user_id: null }])
    expect(await new PostExpiry(resourceApp.database).expire()).toBe(0)
  })
  it('runs the timer of trading posts from its start to its stop', async () => {
    await resourceApp.database.query(
      sql`update tradinposts set status = 'processed', expires_at = now() - interval '1 second'`,
    )
    const errors: unknown[] = []
    const clock = new PostExpiry(resourceApp.database)
    clock.start((error) => errors.push(error))
    await clock.stop()
    const leftPosts = await resourceApp.database.query(sql`select 1 from tradinposts where status = 'processed'`)
    expect([errors, leftPosts]).toEqual([[], []])
  })
})

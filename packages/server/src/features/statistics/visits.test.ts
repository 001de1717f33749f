import type { ReportAnswer } from '@dala/model'
import { beforeAll, describe, expect, it } from 'vitest'
import reports from '../../seed/data/statistics.json' with { type: 'json' }
import { sql } from '../../db/sql.ts'
import { buildRecord, buildRegion, buildUser } from '../../testing/factories.ts'
import { buildPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp(async ({ database }) => {
  for (const report of reports.statistics) await buildRecord(database, 'statistics', report)
})
let region = 0
beforeAll(async () => {
  region = await buildRegion(resourceApp.database)
  const users = [0, 1, 2].map(() => buildUser(resourceApp.database, 'authenticated', { region }))
  const [dailyUser, earlyUser, lateUser] = await Promise.all(users)
  // Times of Tashkent, five hours ahead of UTC: the second visit of `early` is on 11 March there.
  const visits = [
    [dailyUser, '2025-03-01T06:00:00Z'],
    [dailyUser, '2025-03-10T06:00:00Z'],
    [dailyUser, '2025-03-11T06:00:00Z'],
    [dailyUser, '2025-03-12T06:00:00Z'],
    [earlyUser, '2025-03-09T06:00:00Z'],
    [earlyUser, '2025-03-10T20:00:00Z'],
    [lateUser, '2025-03-20T06:00:00Z'],
  ] as const
  for (const [user, visitTime] of visits)
    await resourceApp.database.query(sql`
      insert into user_days (user_id, day, first_at)
      values (${user ?? 0}, (${visitTime}::timestamptz at time zone 'Asia/Tashkent')::date, ${visitTime}::timestamptz)`)
})
const readSeen = async (query: string) => {
  const { data } = await resourceApp.read<ReportAnswer>(`/statistics/people?${query}&filters[region]=${region}`)
  return data.metrics.find(({ key }) => key === 'seen')
}

describe('active users', () => {
  it.each([
    ['from=2025-03-11&to=2025-03-12', 2, 2],
    ['from=2025-03-10&to=2025-03-10', 1, 1],
    ['from=2025-03-11&to=2025-03-20&compare=none', 3, null],
    ['from=2025-03-13&to=2025-03-19', 0, 2],
    // Periods of two years overlap with the same days of the year before.
    ['from=2024-03-11&to=2026-03-10&compare=year', 3, 2],
    ['from=2025-02-01&to=2025-02-28', 0, 0],
  ])('counts an active user once in each of two periods for %s', async (query, value, earlierValue) => {
    expect(await readSeen(query)).toMatchObject({ value, n: value, previous: earlierValue })
  })

  it('draws no line of active users, because a user who is active on several days counts once', async () => {
    expect(await readSeen('from=2025-03-01&to=2025-03-31')).not.toHaveProperty('spark')
  })

  it('counts as many active users as the records of the figure', async () => {
    const path = `/statistics/people/records?from=2025-03-11&to=2025-03-20&metric=seen&filters[region]=${region}`
    expect((await resourceApp.read<{ count: number }>(path)).count).toBe(3)
  })

  it('counts a user as active in past periods after a later visit', async () => {
    await resourceApp.database.query(sql`update users set last_seen_at = now() where last_seen_at is null`)
    expect(await readSeen('from=2025-03-11&to=2025-03-12')).toMatchObject({ value: 2, previous: 2 })
  })

  it('stores one visit of a user for all requests of a day', async () => {
    const person = await buildPerson(resourceApp, 'authenticated')
    await resourceApp.database.query(
      sql`update sessions set last_seen_at = now() - interval '2 minutes' where user_id = ${person.id}`,
    )
    expect((await person.ask('GET', '/users/me')).status).toBe(200)
    expect(
      await resourceApp.database.query(sql`
        select day = (now() at time zone 'Asia/Tashkent')::date as today from user_days where user_id = ${person.id}`),
    ).toEqual([{ today: true }])
  })
})

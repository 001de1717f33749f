import type { HomeAnswer, HomeGroup, HomeGroupKey } from '@dala/model'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { type DeskPerson, startDesk } from '../../testing/desk.ts'
import { buildRecord, buildDistrict, buildNews, buildRegion, buildTranslation } from '../../testing/factories.ts'
import { statementsOf } from '../../testing/statements.ts'
import { endOfPutOff } from './put-off.ts'

const testDesk = startDesk()
const readHome = (callerName: DeskPerson, query = '') => testDesk.read<HomeAnswer>(callerName, `/home${query}`)
const groupOf = async (callerName: DeskPerson, key: HomeGroupKey, query = ''): Promise<HomeGroup | undefined> =>
  (await readHome(callerName, query)).data.groups.find((group) => group.key === key)
const totalOf = async (callerName: DeskPerson, url: string) => {
  const body = await testDesk.read<{ meta?: { pagination: { total: number } }; pagination?: { total: number } }>(
    callerName,
    url,
  )
  return (body.meta?.pagination ?? body.pagination)?.total
}
const timeMinutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const db = () => testDesk.app.database
const ids: Record<string, number> = {}
const me = (callerName: DeskPerson) => testDesk.person(callerName).id

beforeAll(async () => {
  // Chat rooms of the test: one of each consultant, a free one, and one where nobody waits.
  for (const receiver of ['consultant', 'colleague', null] as const) {
    const room = await testDesk.room(receiver)
    await testDesk.sendMessage('customer', room, `When do we water, ${receiver}?`)
    await testDesk.age(room, 90)
    ids[`room of ${receiver}`] = room
  }
  ids.quiet = await testDesk.room('admin')
  // Consultations of the test: overdue, in time, answered, finished, reopened.
  const slowCategory = await buildRecord(db(), 'consultationcategories', { name: 'Slow', first_reply_minutes: 600 })
  const ask = (question: string, minutes: number, draft: object = {}) =>
    buildRecord(db(), 'consultations', { question, user: me('customer'), createdAt: timeMinutesAgo(minutes), ...draft })
  const ownDraft = { consultant: me('consultant') }
  ids.old = await ask('Spots on the leaves of cotton', 3_000, ownDraft)
  ids.young = await ask('How much water', 5, ownDraft)
  ids.slow = await ask('In time by its category', 100, { ...ownDraft, category: slowCategory })
  ids.free = await ask('Nobody has it', 100)
  ids.foreign = await ask('Of a colleague', 200, { consultant: me('colleague') })
  await ask('Answered', 500, { ...ownDraft, answer: 'x', answered_at: timeMinutesAgo(490) })
  await ask('Finished', 500, { ...ownDraft, finished_at: timeMinutesAgo(5) })
  ids.again = await ask('Reopened', 5_000, {
    ...ownDraft,
    answer: 'x',
    answered_at: timeMinutesAgo(4_900),
    reopened_at: timeMinutesAgo(140),
  })
  ids.adminOwn = await ask('Of the admin', 60, { consultant: me('admin') })
  // Trading posts of the test, in different states.
  const type = await buildRecord(db(), 'tradingposttypes', { name: 'Sale', code: 'selling' })
  for (const title of ['Seeds', 'Rice', 'Hay', 'Melons'])
    ids[title] = await buildRecord(db(), 'tradinposts', { title, tradingposttype: type, user: me('customer') })
  await buildRecord(db(), 'tradinposts', { title: 'Public', tradingposttype: type, status: 'processed' })
  // Texts of the test: a source that changed after its translations were written.
  ids.news = await buildNews(db(), { title: 'Subsidies' })
  for (const locale of ['ru', 'uz'] as const)
    await buildTranslation(db(), 'news', ids.news, locale, { title: `Subsidies ${locale}` })
  await testDesk.ask('admin', 'PUT', `/news/${ids.news}`, { title: 'Subsidies, longer' })
  // Prices of the test: the day before has four, today has one entered, one that must be confirmed, and two
  // gaps.
  const region = await buildRegion(db())
  const unit = await buildRecord(db(), 'units', { name: { en: 'kg' }, code: 'kg', kind: 'mass', factor: 1 })
  const priceDistricts = [
    await buildDistrict(db(), { name: 'Near', region }),
    await buildDistrict(db(), { name: 'Far', region }),
  ]
  const goods = [
    await buildRecord(db(), 'products', { name: 'Wheat', unit }),
    await buildRecord(db(), 'products', { name: 'Rice', unit }),
  ]
  const { date } = (await testDesk.read<{ data: { date: string } }>('admin', '/pricedates/today')).data
  const yesterday = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)
  const dayBefore = await buildRecord(db(), 'pricedates', { date: yesterday, state: 'published' })
  ids.day = await buildRecord(db(), 'pricedates', { date })
  for (const product of goods)
    for (const district of priceDistricts)
      await buildRecord(db(), 'pricelists', { pricedate: dayBefore, product, district, unit, price: 10 })
  const [wheat, nearDistrict] = [goods[0], priceDistricts[0]]
  await buildRecord(db(), 'pricelists', { pricedate: ids.day, product: wheat, district: nearDistrict, unit, price: 10 })
  ids.flagged = await buildRecord(db(), 'pricelists', {
    pricedate: ids.day,
    product: goods[1],
    district: nearDistrict,
    unit,
    price: 1_000,
    state: 'check',
  })
})

describe('GET /api/home', () => {
  it('shows staff the groups of the team, each with the number of its full page', async () => {
    const { data } = await readHome('admin')
    expect(data.groups.map(({ key }) => key)).toEqual(['chats', 'overdue', 'prices', 'posts', 'translations'])
    const numberOf = Object.fromEntries(data.groups.map(({ key, count }) => [key, count]))
    const review = await testDesk.read<{ data: { counts: { confirm: number; look: number; missing: number } } }>(
      'admin',
      `/pricedates/${ids.day}/review`,
    )
    const { confirm, look, missing } = review.data.counts
    const translations = await testDesk.read<{ data: { outdated: number }[] }>('admin', '/translations')
    const queue = await testDesk.read<{ data: { counts: { on_hold: number } } }>('admin', '/tradinposts/queue')
    expect(numberOf).toEqual({
      chats: await totalOf('admin', '/get_customized_rooms?scope=all&filters[waiting]=true'),
      overdue: await totalOf('admin', '/consultations?filters[overdue][$eq]=true'),
      prices: confirm + look + missing,
      posts: await totalOf('admin', '/tradinposts?filters[waiting_since][$notNull]=true'),
      translations: translations.data.reduce((sum, { outdated }) => sum + outdated, 0),
    })
    expect(numberOf).toEqual({ chats: 3, overdue: 5, prices: 3, posts: 4, translations: 2 })
    expect(queue.data.counts.on_hold).toBe(numberOf['posts'])
    expect(data.totals).toEqual({ team: 17, mine: 1 })
    expect(data.late).toBe(8)
    expect(Math.round((Date.now() - Date.parse(data.oldest ?? '')) / 60_000)).toBeGreaterThanOrEqual(2_970)
  })

  it('shows consultants their own rooms and questions, and free rooms and questions', async () => {
    const { data } = await readHome('consultant')
    expect(data.scope).toBe('mine')
    expect(data.groups.map(({ key, count }) => [key, count])).toEqual([
      ['ownChats', 1],
      ['free', 1],
      ['ownConsultations', 4],
    ])
    const ownFilter = `filters[consultant][$eq]=${me('consultant')}`
    expect(data.groups.map(({ count }) => count)).toEqual([
      await totalOf('consultant', '/get_customized_rooms?filters[assignee]=me&filters[waiting]=true'),
      await totalOf(
        'consultant',
        '/consultations?filters[consultant][$null]=true&filters[status][$in]=new&filters[status][$in]=reopened',
      ),
      await totalOf(
        'consultant',
        `/consultations?${ownFilter}&filters[status][$in]=assigned&filters[status][$in]=reopened`,
      ),
    ])
    expect(data.totals).toEqual({ mine: 6 })
    const [chat, freeRow, consultation] = data.groups.map(({ rows }) => rows[0])
    expect(chat).toMatchObject({
      id: ids['room of consultant'],
      title: 'When do we water, consultant?',
      from: { name: 'Aygul Oʻrinova' },
    })
    expect(freeRow).toMatchObject({ id: ids.free, owner: null })
    expect(consultation).toMatchObject({ id: ids.old, title: 'Spots on the leaves of cotton' })
  })

  it('never shows a consultant a row of a colleague', async () => {
    const rows = (await readHome('consultant')).data.groups.flatMap((group) => group.rows)
    expect(rows.map(({ id, owner }) => owner?.id ?? id)).not.toContain(me('colleague'))
    expect(rows.map(({ title }) => title)).not.toContain('Of a colleague')
    expect(await groupOf('colleague', 'ownConsultations')).toMatchObject({ count: 1, rows: [{ id: ids.foreign }] })
  })

  it('shows the most urgent rows of a group first, as many as it declares, and flagged prices before districts', async () => {
    const posts = await groupOf('admin', 'posts')
    expect(posts?.rows.map(({ id }) => id)).toEqual([ids['Seeds'], ids['Rice']])
    const prices = await groupOf('admin', 'prices')
    expect(prices).toMatchObject({
      flagged: 1,
      missing: 2,
      all: { path: `price-list/${ids.day}` },
      rows: [
        { kind: 'flagged', count: 1, title: 'Rice', place: 'Near' },
        { kind: 'district', count: 2, title: 'Far' },
      ],
    })
    const [firstRow] = (await groupOf('admin', 'overdue'))?.rows ?? []
    expect(firstRow).toMatchObject({ id: ids.old })
  })

  it('shows staff their own pending items on request', async () => {
    const { data } = await readHome('admin', '?scope=mine')
    expect(data.groups.map(({ key, count }) => [key, count])).toEqual([['ownConsultations', 1]])
    expect(data.groups[0]?.rows).toMatchObject([{ id: ids.adminOwn }])
  })

  it('returns no scope of the home page for a user without pending items', async () => {
    const { data } = await readHome('neighbour')
    expect(data).toMatchObject({ scope: 'mine', totals: {}, groups: [], week: null, changes: null, putOff: 0 })
  })

  it('refuses a scope that is not the caller’s or does not exist, and requires a session', async () => {
    expect((await testDesk.ask('consultant', 'GET', '/home?scope=team')).status).toBe(403)
    expect((await testDesk.ask('neighbour', 'GET', '/home?scope=mine')).status).toBe(403)
    expect((await testDesk.ask('admin', 'GET', '/home?scope=all')).status).toBe(400)
    expect((await testDesk.ask('admin', 'GET', '/home?put_off=perhaps')).status).toBe(400)
    expect((await testDesk.app.ask('GET', '/home', undefined, 'public')).status).toBe(401)
  })

  it('shows staff the week of prices, and consultants their answers with three figures', async () => {
    const { week } = (await readHome('admin')).data
    expect(week).toMatchObject({ of: 'prices', figures: [] })
    expect(week?.days).toHaveLength(7)
    expect(week?.days.find(({ pricedate }) => pricedate === ids.day)).toMatchObject({ share: 50 })
    expect(week?.unpublished).toEqual([
      { date: week?.days.find(({ pricedate }) => pricedate === ids.day)?.date, pricedate: ids.day },
    ])
    // The home page shows nothing without the report's record, which decides who may read it.
    expect((await readHome('consultant')).data.week).toBeNull()
    await buildRecord(db(), 'statistics', { key: 'consultants', title: 'Consultants' })
    const ownWeek = (await readHome('consultant')).data.week
    expect(ownWeek?.figures.map(({ key }) => key)).toEqual(['reply_median', 'within_target', 'rating'])
    expect(ownWeek?.of).toBe('answers')
  })

  it('shows staff the changes of colleagues, and joins consecutive ones of one user', async () => {
    for (const name of ['Uzbek', 'Karakalpak', 'Russian'])
      expect((await testDesk.ask('admin', 'POST', '/tags', { name })).status).toBe(200)
    const [firstChange] = (await readHome('owner')).data.changes ?? []
    expect(firstChange).toMatchObject({
      action: 'record.create',
      resource: 'tags',
      count: 3,
      by: { id: me('admin') },
      record: null,
    })
    expect((await testDesk.ask('owner', 'POST', '/tags', { name: 'Alone' })).status).toBe(200)
    const [lastChange] = (await readHome('owner')).data.changes ?? []
    expect(lastChange).toMatchObject({ count: 1, record: { title: 'Alone' }, by: { id: me('owner') } })
  })

  it('shows consultants the transitions of their own questions alone', async () => {
    await testDesk.ask('admin', 'POST', `/consultations/${ids.young}/assign`, { to: me('colleague'), note: 'n' })
    await testDesk.ask('admin', 'POST', `/consultations/${ids.young}/assign`, { to: me('consultant'), note: 'n' })
    const ownChanges = (await readHome('consultant')).data.changes
    expect(ownChanges?.[0]).toMatchObject({ action: 'step.assign', by: { id: me('admin') }, record: { id: ids.young } })
    expect((await readHome('colleague')).data.changes).toEqual([])
  })

  it('takes a bounded number of statements for the home page, however many records wait', async () => {
    const count = async () => (await statementsOf(db(), () => readHome('admin'))).length
    const addRecords = async (records: number) => {
      for (let index = 0; index < records; index += 1)
        await buildRecord(db(), 'consultations', {
          question: `More ${index}`,
          user: me('customer'),
          createdAt: timeMinutesAgo(400),
        })
      // The first call of the home page caches values that later calls use, so it is not counted.
      await count()
      return count()
    }
    const statementCount = await addRecords(2)
    expect(await addRecords(6)).toBe(statementCount)
    expect(statementCount).toBeLessThan(20)
    await db().query(sql`delete from consultations where question like 'More %'`)
  })
})

describe('rows that are put off', () => {
  const putOffRow = (callerName: DeskPerson, data: object) => testDesk.ask(callerName, 'POST', '/home/put-off', data)

  it('hides postponed rows from their user alone, and shows them on request', async () => {
    const row = { group: 'posts', ref: String(ids['Seeds']) }
    expect((await putOffRow('admin', { ...row, time: 'tomorrow' })).status).toBe(200)
    const { data } = await readHome('admin')
    const posts = data.groups.find(({ key }) => key === 'posts')
    expect(posts?.count).toBe(4)
    expect(posts?.rows.map(({ id }) => id)).toEqual([ids['Rice'], ids['Hay']])
    expect(data).toMatchObject({ putOff: 1 })
    expect((await groupOf('owner', 'posts'))?.rows[0]?.id).toBe(ids['Seeds'])
    const laterGroups = (await readHome('admin', '?put_off=true')).data.groups
    expect(laterGroups).toMatchObject([{ key: 'posts', rows: [{ id: ids['Seeds'] }] }])
    expect(laterGroups[0]?.rows[0]?.putOffUntil).not.toBeNull()
    expect((await testDesk.ask('admin', 'POST', '/home/put-back', row)).status).toBe(200)
    expect((await groupOf('admin', 'posts'))?.rows[0]?.id).toBe(ids['Seeds'])
  })

  it('postpones rows of texts and of prices of a day', async () => {
    for (const key of ['translations', 'prices'] as const) {
      const [row] = (await groupOf('admin', key))?.rows ?? []
      expect((await putOffRow('admin', { group: key, ref: row?.ref, time: 'hour' })).status).toBe(200)
      expect((await groupOf('admin', key))?.rows.map(({ ref }) => ref)).not.toContain(row?.ref)
      expect((await groupOf('admin', key, '?put_off=true'))?.rows.map(({ ref }) => ref)).toEqual([row?.ref])
      await testDesk.ask('admin', 'POST', '/home/put-back', { group: key, ref: row?.ref })
    }
  })

  it('shows a postponed row again when its time is over', async () => {
    const row = { group: 'posts', ref: String(ids['Seeds']) }
    await putOffRow('admin', { ...row, time: 'hour' })
    await db().query(sql`update home_put_off set until = now() - interval '1 second'`)
    expect((await readHome('admin')).data.putOff).toBe(0)
    expect((await groupOf('admin', 'posts'))?.rows[0]?.id).toBe(ids['Seeds'])
  })

  it('stores at most two hundred postponed rows of a user, and removes those that return first', async () => {
    await db().query(sql`
      insert into home_put_off (user_id, group_key, ref, until)
      select ${me('owner')}, 'posts', n::text, now() + make_interval(mins => n) from generate_series(100001, 100200) n`)
    expect((await putOffRow('owner', { group: 'posts', ref: '99', time: 'hour' })).status).toBe(200)
    const [storedCounts] = await db().query(sql<{ count: number; own: number }>`
      select count(*)::int as count, (count(*) filter (where ref = '99'))::int as own from home_put_off where user_id = ${me('owner')}`)
    expect(storedCounts).toEqual({ count: 200, own: 0 })
    await db().query(sql`delete from home_put_off`)
  })

  it('refuses to postpone rows in a group of others, and an unknown row', async () => {
    expect((await putOffRow('consultant', { group: 'posts', ref: '1', time: 'hour' })).status).toBe(403)
    expect((await putOffRow('neighbour', { group: 'ownChats', ref: '1', time: 'hour' })).status).toBe(403)
    for (const data of [
      {},
      { group: 'posts', ref: '1' },
      { group: 'posts', ref: '1', time: 'year' },
      { group: 'posts', ref: 'x', time: 'hour' },
      { group: 'posts', ref: '1/2/3/4', time: 'hour' },
      { group: 'other', ref: '1', time: 'hour' },
    ])
      expect((await putOffRow('admin', data)).status).toBe(422)
    expect((await testDesk.app.ask('POST', '/home/put-off', { data: {} }, 'public')).status).toBe(401)
    expect((await testDesk.app.ask('POST', '/home/put-back', { data: {} }, 'public')).status).toBe(401)
  })
})

describe('the time that a row is put off for', () => {
  // The clock of the test shows a Wednesday afternoon in Tashkent.
  const now = Date.parse('2026-11-25T14:05:00+05:00')
  it.each([
    ['hour', '2026-11-25T15:05:00+05:00'],
    ['tomorrow', '2026-11-26T08:00:00+05:00'],
    ['monday', '2026-11-30T08:00:00+05:00'],
  ] as const)('ends the postponement “%s” at %s', (time, end) => {
    expect(endOfPutOff(db().calendar, time, now)).toBe(Date.parse(end))
  })

  it('ends a postponement to Monday on the next Monday, also from a Monday or a Sunday night', () => {
    expect(endOfPutOff(db().calendar, 'monday', Date.parse('2026-11-30T09:00:00+05:00'))).toBe(
      Date.parse('2026-12-07T08:00:00+05:00'),
    )
    expect(endOfPutOff(db().calendar, 'monday', Date.parse('2026-11-29T23:59:00+05:00'))).toBe(
      Date.parse('2026-11-30T08:00:00+05:00'),
    )
  })
})

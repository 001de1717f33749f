/** Compares figures of prices, trading, learning and users with a plain recount of small worlds (statistics §4). */
import { type Locale, locales, type ReportAnswer } from '@dala/model'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import {
  buildRecord,
  buildDistrict,
  buildRegion,
  buildUser,
  publishCourses,
  buildTranslation,
} from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp(async ({ database }) => {
  const { default: reports } = await import('../../seed/data/statistics.json', { with: { type: 'json' } })
  for (const report of reports.statistics) await buildRecord(database, 'statistics', report)
})

const ask = (address: string) => resourceApp.read<ReportAnswer>(`/statistics/${address}`)
const valueOf = ({ data }: ReportAnswer, key: string) => data.metrics.find((metric) => metric.key === key)?.value
const rowsOf = ({ data }: ReportAnswer, dim: string, metric: string) =>
  data.breakdowns.find((breakdown) => breakdown.dim === dim && breakdown.metric === metric)
const rowOf = (answer: ReportAnswer, dim: string, metric: string, id: number | string) =>
  rowsOf(answer, dim, metric)?.rows.find((row) => row.id === id)?.value

/** Compares the number of records behind figures of a report, and behind the rows of their tables, with the figures. */
async function checkRecords(report: string, { data }: ReportAnswer, days: string, keys: readonly string[]) {
  const figures = data.metrics
    .filter(({ key }) => keys.includes(key))
    .map(({ key, n }) => ({ query: `metric=${key}`, n }))
  const rows = data.breakdowns
    .filter(({ metric }) => keys.includes(metric))
    .flatMap(({ dim, metric, rows: shownRows, not_set: notSet }) =>
      [...shownRows.map(({ id, n }) => ({ id, n })), ...(notSet ? [{ id: 'not_set', n: notSet.n }] : [])].map(
        ({ id, n }) => ({
          query: `metric=${metric}&dim=${dim}&dim_id=${id}`,
          n,
        }),
      ),
    )
  const expectedRows = [...figures, ...rows]
  const countedRows: typeof expectedRows = []
  for (const { query } of expectedRows) {
    const { count } = await resourceApp.read<{ count: number }>(`/statistics/${report}/records?${days}&${query}`)
    countedRows.push({ query, n: count })
  }
  expect(countedRows).toEqual(expectedRows)
}

async function documentOf(resource: string, id: number): Promise<number> {
  const [textRow] = await resourceApp.database.query(
    sql<{ id: number }>`select document_id as id from ${sql.table(`${resource}_texts`)} where id = ${id}`,
  )
  return textRow?.id ?? 0
}

describe('figures of prices', () => {
  const ids = { apple: 0, salt: 0, region: 0, districts: [0, 0] }
  const add = async (
    product: number,
    district: number,
    pricedate: number,
    price: number | null,
    overrides: object = {},
  ) =>
    buildRecord(resourceApp.database, 'pricelists', {
      product,
      district,
      pricedate,
      price,
      unit,
      origin: 'entered',
      state: 'ok',
      ...overrides,
    })
  let unit = 0
  beforeAll(async () => {
    const { database } = resourceApp
    unit = await buildRecord(database, 'units', {
      name: { en: 'kg' },
      short: { en: 'kg' },
      code: 'kg',
      kind: 'mass',
      factor: 1,
    })
    ids.region = await buildRegion(database)
    ids.districts = [await buildDistrict(database, { region: ids.region }), await buildDistrict(database)]
    ids.apple = await buildRecord(database, 'products', { name: 'Apple', unit })
    ids.salt = await buildRecord(database, 'products', { name: 'Salt', unit })
    const [nearDistrict = 0, farDistrict = 0] = ids.districts
    const day = (date: string, overrides: object = {}) =>
      buildRecord(database, 'pricedates', { date, state: 'published', published_at: `${date}T11:00:00Z`, ...overrides })
    const [firstDay, week, lastDay] = [
      await day('2025-01-01'),
      await day('2025-02-01'),
      await day('2025-02-08', { no_market: [farDistrict] }),
    ]
    const onTime = (date: string) => ({ createdAt: `${date}T08:00:00Z` })
    await add(ids.apple, nearDistrict, firstDay, 900, onTime('2025-01-01'))
    await add(ids.apple, nearDistrict, week, 1000, onTime('2025-02-01'))
    await add(ids.salt, nearDistrict, week, 500, onTime('2025-02-01'))
    await add(ids.salt, farDistrict, week, 500, onTime('2025-02-01'))
    await add(ids.apple, farDistrict, week, 800, onTime('2025-02-01'))
    await add(ids.apple, nearDistrict, lastDay, 1100, onTime('2025-02-08'))
    await add(ids.apple, farDistrict, lastDay, 880, { createdAt: '2025-02-09T08:00:00Z' })
    const saltPrice = await add(ids.salt, nearDistrict, lastDay, 400, onTime('2025-02-08'))
    for (const changes of [
      { price: { before: 380, after: 410 } },
      { price: { before: 410, after: 400 } },
      { note: { before: null, after: 'x' } },
    ])
      await resourceApp.database.query(sql`
        insert into revisions (resource, document_id, operation, changes) values ('pricelists', ${saltPrice}, 'update', ${JSON.stringify(changes)}::jsonb)`)
  })

  it('leaves out districts without a market from the expected prices, as the price day does', async () => {
    const answer = await ask('prices?from=2025-02-08&to=2025-02-08')
    const { data } = await resourceApp.read<{
      data: { attributes: { coverage: { expected: number; filled: number } } }[]
    }>('/pricedates?filters[date]=2025-02-08')
    // The salt of the far district had a price a week before, but the district had no market.
    expect(data[0]?.attributes.coverage).toMatchObject({ expected: 3, filled: 3 })
    expect(valueOf(answer, 'coverage')).toBe(100)
  })
  it('counts prices entered after their day', async () => {
    const answer = await ask('prices?from=2025-02-01&to=2025-02-08')
    expect(valueOf(answer, 'cells')).toBe(7)
    expect(valueOf(answer, 'late')).toBeCloseTo(100 / 7, 1)
  })
  it('counts each correction of a published price', async () => {
    expect(valueOf(await ask('prices?period=days7'), 'corrected')).toBe(2)
    expect(valueOf(await ask('prices?from=2025-02-01&to=2025-02-08'), 'corrected')).toBe(0)
  })
  it('computes changes and the spread of the prices of the last published day', async () => {
    const answer = await ask('prices')
    expect(rowOf(answer, 'product', 'moved7', ids.apple)).toBeCloseTo(10, 1)
    expect(rowOf(answer, 'product', 'moved7', ids.salt)).toBeCloseTo(-20, 1)
    expect(rowsOf(answer, 'product', 'moved7')?.rows.map(({ id }) => id)).toEqual([ids.salt, ids.apple])
    expect(valueOf(answer, 'moved7')).toBeCloseTo(10, 1)
    expect(rowOf(answer, 'product', 'moved30', ids.apple)).toBeCloseTo((1100 / 900 - 1) * 100, 1)
    expect(valueOf(answer, 'moved1')).toBeNull()
    expect(rowOf(answer, 'product', 'spread', ids.apple)).toBeCloseTo(25, 1)
    expect(rowOf(answer, 'product', 'spread', ids.salt)).toBeUndefined()
    const narrowedAnswer = await ask(`prices?filters[region]=${ids.region}`)
    expect(valueOf(narrowedAnswer, 'spread')).toBeNull()
  })
  it('leaves out cells of the price list without a price for a year', async () => {
    expect(valueOf(await ask('prices'), 'since_price')).toBeNull()
    const addDaysAgo = async (days: number, overrides: object = {}) => {
      const [row] = await resourceApp.database.query(sql<{ day: string }>`
        select to_char((now() at time zone 'Asia/Tashkent')::date - ${days}::int, 'YYYY-MM-DD') as day`)
      const pricedate = await buildRecord(resourceApp.database, 'pricedates', { date: row?.day, state: 'draft' })
      await add(ids.salt, ids.districts[0] ?? 0, pricedate, 400, overrides)
    }
    await addDaysAgo(3)
    expect(valueOf(await ask('prices'), 'since_price')).toBe(3)
    // A price without a region is in the same cell, one of the other kind of market is not.
    await addDaysAgo(13, { region: null })
    expect(valueOf(await ask('prices'), 'since_price')).toBe(3)
    await addDaysAgo(14, { market_type: 'wholesale' })
    expect(valueOf(await ask('prices'), 'since_price')).toBe(8.5)
  })
})

describe('figures of decisions on trading posts', () => {
  it('counts decisions, their reasons, the wait and repeated refusals', async () => {
    const { database } = resourceApp
    const tradingposttype = await buildRecord(database, 'tradingposttypes', {
      name: { en: 'Selling' },
      code: 'selling',
    })
    const reason = await buildRecord(database, 'moderationreasons', {
      label: { en: 'Spam' },
      code: 'spam',
      text: { en: 'Spam' },
    })
    const [firstPost, secondPost] = [
      await documentOf(
        'tradinposts',
        await buildRecord(database, 'tradinposts', { title: 'One', tradingposttype, status: 'rejected' }),
      ),
      await documentOf(
        'tradinposts',
        await buildRecord(database, 'tradinposts', { title: 'Two', tradingposttype, status: 'processed' }),
      ),
    ]
    const decideReview = (
      document: number,
      newState: string,
      timestamp: string,
      waitedTime: string | null,
      decisionFields: { subject?: string; reasons?: string[]; undone?: string } = {},
    ) =>
      database.query(sql`
        insert into post_decisions (document_id, subject, from_state, to_state, reasons, kept, created_at, notify_at, undone_at)
        values (${document}, ${decisionFields.subject ?? 'post'}, 'on_hold', ${newState}, ${decisionFields.reasons ?? []}::text[],
                ${JSON.stringify({ values: { waiting_since: waitedTime } })}::jsonb, ${timestamp}, ${timestamp}, ${decisionFields.undone ?? null}::timestamptz)`)
    await decideReview(firstPost, 'rejected', '2025-04-02T10:00:00Z', '2025-04-02T09:00:00Z', {
      reasons: ['spam', 'gone'],
    })
    await decideReview(firstPost, 'rejected', '2025-04-03T10:00:00Z', '2025-04-03T07:00:00Z')
    await decideReview(secondPost, 'needs_changes', '2025-04-04T10:00:00Z', null, { reasons: ['spam'] })
    await decideReview(secondPost, 'processed', '2025-04-05T10:00:00Z', '2025-04-05T08:00:00Z', { subject: 'edit' })
    await decideReview(secondPost, 'rejected', '2025-04-06T10:00:00Z', null, { undone: '2025-04-06T10:00:05Z' })
    await decideReview(secondPost, 'archived', '2025-04-07T10:00:00Z', null)
    const answer = await ask('trading?from=2025-04-01&to=2025-04-30')
    expect(['decided', 'decision_median', 'reasons', 'refused_again'].map((key) => valueOf(answer, key))).toEqual([
      4, 120, 4, 1,
    ])
    expect(rowsOf(answer, 'outcome', 'decided')?.rows.map(({ id, value }) => [id, value])).toEqual([
      ['processed', 1],
      ['needs_changes', 1],
      ['rejected', 2],
    ])
    expect(rowOf(answer, 'subject', 'decided', 'edit')).toBe(1)
    await checkRecords('trading', answer, 'from=2025-04-01&to=2025-04-30', [
      'decided',
      'decision_median',
      'reasons',
      'refused_again',
    ])
    const reasons = rowsOf(answer, 'reason', 'reasons')
    expect([reasons?.rows.map(({ id, name, value }) => [id, name, value]), reasons?.not_set?.value]).toEqual([
      [[reason, 'Spam', 2]],
      2,
    ])
  })
})

describe('figures of learners', () => {
  it('counts starts, completions, lessons and watched time of learners', async () => {
    const { database } = resourceApp
    const region = await buildRegion(database)
    const [firstUser, secondUser] = [
      await buildUser(database, 'authenticated', { region }),
      await buildUser(database, 'authenticated'),
    ]
    const course = await buildRecord(database, 'courses', { title: 'Soil', state: 'published' })
    const lessons = [
      await buildRecord(database, 'lessons', { title: 'One', course, state: 'visible', complete_when: 'opened' }),
      await buildRecord(database, 'lessons', {
        title: 'Two',
        course,
        state: 'visible',
        complete_when: 'watched',
        watch_ratio: 0.8,
        video: { duration_s: 100 },
      }),
    ]
    await publishCourses(database)
    const courseKey = await documentOf('courses', course)
    const [firstLesson = 0, secondLesson = 0] = await Promise.all(lessons.map((id) => documentOf('lessons', id)))
    const progress = (
      user: number,
      lesson: number,
      timestamp: string,
      locale: string,
      watchedSeconds: number,
      completedAt: string | null,
    ) =>
      database.query(sql`
        insert into lesson_progress (user_id, lesson_id, course_id, watched_s, locale, opened_at, completed_at, created_at, updated_at)
        values (${user}, ${lesson}, ${courseKey}, ${watchedSeconds}, ${locale}, ${timestamp}, ${completedAt}::timestamptz, ${timestamp}, ${timestamp})`)
    await progress(firstUser, firstLesson, '2025-04-02T10:00:00Z', 'ru', 0, '2025-04-02T10:00:00Z')
    await progress(firstUser, secondLesson, '2025-04-03T10:00:00Z', 'uz', 90, '2025-04-04T10:00:00Z')
    await progress(secondUser, firstLesson, '2025-04-10T10:00:00Z', 'kaa', 0, '2025-04-10T10:00:00Z')
    await progress(secondUser, secondLesson, '2025-04-11T10:00:00Z', 'kaa', 10, null)
    await database.query(sql`
      insert into course_completions (user_id, course_id, completed_at, certificate) values (${firstUser}, ${courseKey}, '2025-04-04T10:00:00Z', 'T1')`)
    const answer = await ask('learning?from=2025-04-01&to=2025-04-30')
    const keys = [
      'starts',
      'learners_active',
      'completions',
      'finish_median',
      'lessons_started',
      'lesson_finished',
      'watched',
    ]
    expect(keys.map((key) => valueOf(answer, key))).toEqual([2, 2, 1, 2, 4, 75, 50])
    await checkRecords('learning', answer, 'from=2025-04-01&to=2025-04-30', keys)
    expect(rowOf(answer, 'course', 'starts', course)).toBe(2)
    expect(rowOf(answer, 'language', 'starts', 'ru')).toBe(1)
    expect(lessons.map((id) => rowOf(answer, 'lesson', 'lesson_finished', id))).toEqual([100, 50])
    expect(rowsOf(answer, 'region', 'completions')?.rows.map(({ id, value }) => [id, value])).toContainEqual([
      region,
      1,
    ])
    expect(rowsOf(answer, 'region', 'starts')?.not_set?.value).toBe(1)
    const narrowedAnswer = await ask(`learning?from=2025-04-01&to=2025-04-30&filters[region]=${region}`)
    expect(keys.map((key) => valueOf(narrowedAnswer, key))).toEqual([1, 1, 1, 2, 2, 100, 90])
    expect(valueOf(await ask('overview?from=2025-04-01&to=2025-04-30'), 'learners_active')).toBe(2)
    expect(valueOf(await ask('learning?from=2025-04-05&to=2025-04-30'), 'learners_active')).toBe(1)
  })
})

describe('figures of translations', () => {
  it('agrees with a table of 60 items in all combinations of draft, published, current, outdated and missing', async () => {
    const { database } = resourceApp
    const states = ['missing', 'current', 'outdated'] as const
    type State = (typeof states)[number]
    // All combinations of three languages for published items and drafts, and six items written in Russian.
    const combinations = states.flatMap((ru) => states.flatMap((uz) => states.map((kaa) => ({ ru, uz, kaa }))))
    const items: { active: boolean; source: Locale; others: Partial<Record<Locale, State>> }[] = [
      ...[true, false].flatMap((isActive) =>
        combinations.map((otherStates) => ({ active: isActive, source: 'en' as const, others: otherStates })),
      ),
      ...[true, false].flatMap((isActive) =>
        states.map((en) => ({
          active: isActive,
          source: 'ru' as const,
          others: { en, uz: 'current', kaa: 'missing' } as const,
        })),
      ),
    ]
    expect(items).toHaveLength(60)
    const formerAnswer = await ask('content')
    for (const { active, source, others } of items) {
      const id = await buildRecord(database, 'news', { title: 'Item', active }, source)
      const document = await documentOf('news', id)
      await database.query(sql`update news set source_changes = 2 where id = ${document}`)
      for (const locale of locales) {
        const state = others[locale]
        if (state === undefined || state === 'missing') continue
        await buildTranslation(database, 'news', id, locale, { title: 'Item' })
        const seenChanges = state === 'current' ? 2 : 1
        await database.query(
          sql`update news_texts set seen_changes = ${seenChanges} where document_id = ${document} and locale = ${locale}`,
        )
      }
    }
    const laterAnswer = await ask('content')
    const publishedItems = items.filter(({ active }) => active)
    const countItems = (state: State, locale?: Locale) =>
      publishedItems
        .flatMap(({ others }) => Object.entries(others))
        .filter(([code, itemState]) => itemState === state && (locale === undefined || code === locale)).length
    const increaseOf = (key: string) => (valueOf(laterAnswer, key) ?? 0) - (valueOf(formerAnswer, key) ?? 0)
    expect([increaseOf('published'), increaseOf('drafts')]).toEqual([30, 30])
    for (const state of states) {
      const key = `translations_${state}`
      expect([state, increaseOf(key)]).toEqual([state, countItems(state)])
      for (const locale of locales)
        expect([
          state,
          locale,
          (rowOf(laterAnswer, 'locale', key, locale) ?? 0) - (rowOf(formerAnswer, 'locale', key, locale) ?? 0),
        ]).toEqual([state, locale, countItems(state, locale)])
    }
    expect(valueOf(laterAnswer, 'translated')).toBeCloseTo(
      ((valueOf(laterAnswer, 'translations_current') ?? 0) /
        states.reduce((sum, state) => sum + (valueOf(laterAnswer, `translations_${state}`) ?? 0), 0)) *
        100,
      1,
    )
  })
})

describe('figures over time and by hour', () => {
  it('divides questions among categories in each interval, and by hour and weekday in the report zone', async () => {
    const { database } = resourceApp
    const category = await buildRecord(database, 'consultationcategories', { name: 'Bees' })
    // 20:30 in UTC on a Sunday is 01:30 on Monday in Tashkent.
    for (const [createdAt, recordCategory] of [
      ['2024-03-03T20:30:00Z', category],
      ['2024-03-03T20:40:00Z', category],
      ['2024-03-05T07:00:00Z', null],
    ] as const)
      await buildRecord(database, 'consultations', { question: 'Q', category: recordCategory, createdAt })
    const { data } = await ask('consultations?from=2024-03-03&to=2024-03-05&interval=day')
    const [stack] = data.stacks
    expect(stack?.intervals.map(({ t }) => t)).toEqual(['2024-03-03', '2024-03-04', '2024-03-05'])
    expect(stack?.rows).toEqual([{ id: category, name: 'Bees', values: [0, 2, 0] }])
    expect(stack?.not_set).toEqual([0, 0, 1])
    expect(data.matrices[0]?.rows).toEqual([
      { weekday: 1, hour: 1, value: 2 },
      { weekday: 2, hour: 12, value: 1 },
    ])
    const spark = data.metrics.find(({ key }) => key === 'asked')?.spark
    expect(spark).toEqual([
      { t: '2024-03-03', value: 0, partial: false },
      { t: '2024-03-04', value: 2, partial: false },
      { t: '2024-03-05', value: 1, partial: false },
    ])
  })
})

describe('figures of users', () => {
  it('counts questions by region for each 1,000 users of the region', async () => {
    const { database } = resourceApp
    const region = await buildRegion(database)
    for (let index = 0; index < 4; index += 1)
      await buildUser(database, 'authenticated', { region, createdAt: '2025-06-01T10:00:00Z' })
    for (const createdAt of ['2025-06-02T10:00:00Z', '2025-06-03T10:00:00Z', '2025-07-03T10:00:00Z'])
      await buildRecord(database, 'consultations', { question: 'Q', region, createdAt })
    const answer = await ask('people?from=2025-06-01&to=2025-06-30')
    expect(rowOf(answer, 'region', 'asked_ratio', region)).toBe(500)
    await checkRecords('people', answer, 'from=2025-06-01&to=2025-06-30', ['asked_ratio'])
    const july = await ask('people?from=2025-07-01&to=2025-07-30')
    expect(rowsOf(july, 'region', 'asked_ratio')?.rows.find(({ id }) => id === region)).toMatchObject({
      value: 250,
      previous: 500,
    })
  })
})

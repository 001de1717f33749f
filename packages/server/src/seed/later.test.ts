import type { ReportMetric } from '@dala/model'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../db/sql.ts'
import { demoSettings, type LaterDemo, openLaterDemo } from '../testing/later-demo.ts'
import { Calendar } from './calendar.ts'
import { demoParts } from './later-parts.ts'
import news from './season/data/news.json' with { type: 'json' }
import { LaterSeed, seedLater } from './later.ts'

const calendar = new Calendar('2026-10-14')
/** A day of the season on which a user has entered a price. */
const seasonStart = calendar.mondays(30)[0]
/** The tests of pictures, and of parts that need pictures, are in later-pictures.test.ts. */
const needsPictures = (partName: string) => partName.includes('pictures') || partName === 'season sliders'

describe('the later parts', { timeout: 300_000 }, () => {
  let laterDemo: LaterDemo
  const number = async (query: string) =>
    Number((await laterDemo.database.rows({ sql: query, parameters: [] }))[0]?.[0])

  beforeAll(async () => {
    laterDemo = await openLaterDemo(needsPictures)
    await laterDemo.database.script(`insert into pricedates (date) values ('${seasonStart}')`)
    return laterDemo.close
  }, 180_000)

  it('fills no later part of the demo for samples', async () => {
    const reportedSteps: number[] = []
    const options = {
      ...laterDemo.options,
      onPart: (doneParts: number) => reportedSteps.push(doneParts),
    }
    await seedLater(laterDemo.database, { ...demoSettings, seed: 'samples' }, options)
    expect(reportedSteps).toEqual([])
  })

  it('stops the later seed between two parts and continues with the next part', async () => {
    const leftOutCount = demoParts().filter(({ name }) => needsPictures(name)).length
    const laterSeed = new LaterSeed()
    const failedErrors: unknown[] = []
    const reachedSignal = Promise.withResolvers<void>()
    laterSeed.start(
      (signal) =>
        seedLater(laterDemo.database, demoSettings, {
          ...laterDemo.options,
          signal,
          onPartDone: (doneParts) => doneParts === leftOutCount + 3 && reachedSignal.resolve(),
        }),
      (error) => failedErrors.push(error),
    )
    await reachedSignal.promise
    await laterSeed.stop()
    const marks = await number(`select count(*) from seeds where name like 'season%' or name like '%pictures%'`)
    expect(marks).toBeGreaterThanOrEqual(leftOutCount + 3)
    expect(marks).toBeLessThan(demoParts().length)
    const reportedSteps: number[] = []
    await seedLater(laterDemo.database, demoSettings, {
      ...laterDemo.options,
      onPartDone: (doneParts) => reportedSteps.push(doneParts),
    })
    expect(laterSeed.progress).toBeUndefined()
    expect(reportedSteps[0]).toBe(marks + 1)
    expect(reportedSteps.at(-1)).toBe(demoParts().length)
    expect(failedErrors).toEqual([])
  })

  it('fills fourteen months of prices with gaps and a few slips, and skips a day that a user has begun', async () => {
    expect(await number('select count(*) from pricelists')).toBeGreaterThan(50_000)
    expect(await number('select count(distinct district_id) from pricelists')).toBe(33)
    // The price table of a day has a price in each column for this region.
    expect(
      await number(`
        select count(*) from districts d left join pricelists p on p.district_id = d.id and p.pricedate_id = (select max(id) from pricedates)
         where d.region_id = (select region_id from districts where code = '1735401') and p.id is null`),
    ).toBe(0)
    const days = await laterDemo.database.query(
      sql<{ day: string }>`select date::text as day from pricedates order by date`,
    )
    expect(days.map(({ day }) => day)).toEqual(calendar.mondays(61))
    expect(
      await number(
        `select count(*) from pricelists l join pricedates p on p.id = l.pricedate_id where p.date = '${seasonStart}'`,
      ),
    ).toBe(0)
    expect(
      await number('select count(*) from pricelists where region_id is null or price_base is null and unit_id is null'),
    ).toBe(0)
    const slipCount = await number(`
      select count(*) from pricelists l join (select product_id, avg(price) as usual from pricelists group by product_id) u using (product_id)
       where l.price > 5 * u.usual or l.price < u.usual / 5`)
    expect(slipCount).toBeGreaterThanOrEqual(3)
    expect(slipCount).toBeLessThanOrEqual(5)
  })

  it('dates news of the demo in the month of their topic, and none before the season', async () => {
    const rows = await laterDemo.database.query(sql<{ title: string; date: string }>`
      select t.title, d.date::text as date from news d join news_texts t on t.document_id = d.id where t.locale = 'ru'`)
    const dates = new Map(rows.map(({ title, date }) => [title, date]))
    const months = news.map(({ title, month }) => [title.ru, month, dates.get(title.ru)] as const)
    expect(months.filter(([, month, date]) => month !== null && Number(date?.slice(5, 7)) !== month)).toEqual([])
    expect(rows.length).toBe(40)
    expect(rows.filter(({ date }) => date < calendar.dayBefore(430) || date >= calendar.day)).toEqual([])
  })

  it('seeds 24 courses whose lessons have texts, and translations in every state', async () => {
    expect(await number('select count(*) from courses')).toBe(24)
    expect(
      await number(`select count(distinct course_id) from lessons l join lessons_texts t on t.document_id = l.id
        where length(t.content) > 100`),
    ).toBe(18)
    const { data } =
      await laterDemo.get<{ resource: string; current: number; outdated: number; missing: number }[]>('translations')
    const newsLines = data.filter(({ resource }) => resource === 'news')
    for (const state of ['current', 'outdated', 'missing'] as const)
      expect(newsLines.some((newsLine) => newsLine[state] > 0)).toBe(true)
  })

  it('seeds no user who waits for more than four days, and some open work for today', async () => {
    const waitingRows = await laterDemo.database.query(sql<{ at: string }>`
      select coalesce(reopened_at, created_at) as at from consultations where answered_at is null or reopened_at > answered_at
      union all select waiting_since from chatrooms where waiting_since is not null
      union all select t.created_at from tradinposts d join tradinposts_texts t on t.document_id = d.id where d.status = 'on_hold'`)
    expect(waitingRows.length).toBeGreaterThan(5)
    for (const { at } of waitingRows) expect(Date.parse(at)).toBeGreaterThan(Date.parse(calendar.before(4, '00:00')))
  })

  it('seeds no question, answer or closing after the day of the seed, and no answer before its question', async () => {
    const end = calendar.before(0, '00:00')
    const moments = ['created_at', 'answered_at', 'finished_at'].map(
      (column) => `count(*) filter (where ${column} > '${end}')`,
    )
    expect(await number(`select ${moments.join(' + ')} from consultations`)).toBe(0)
    expect(
      await number('select count(*) from consultations where answered_at < created_at or finished_at < answered_at'),
    ).toBe(0)
    expect(await number(`select count(*) from chatmessages where created_at > '${end}'`)).toBe(0)
    expect(
      await number(
        'select count(*) from consultations c join users u on u.id = c.user_id where u.created_at > c.created_at',
      ),
    ).toBe(0)
  })

  it.each(['consultations', 'consultants', 'people', 'prices', 'trading', 'content', 'learning', 'overview'])(
    'seeds figures of the report %s for the present period and the one before',
    async (key) => {
      const path = `statistics/${key}?from=${calendar.dayBefore(28)}&to=${calendar.dayBefore(1)}&compare=previous`
      const { data } = await laterDemo.get<{ metrics: ReportMetric[] }>(path)
      const { metrics } = data
      expect(metrics.some(({ value }) => value !== null && value > 0)).toBe(true)
      expect(metrics.some(({ value, previous }) => Number(value) > 0 && Number(previous) > 0)).toBe(true)
    },
  )
})

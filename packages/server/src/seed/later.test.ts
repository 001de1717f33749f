import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReportMetric } from '@dala/model'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../db/sql.ts'
import type { Database } from '../db/database.ts'
import { DiskStorage } from '../features/uploads/storage/disk-storage.ts'
import { Uploads } from '../features/uploads/uploads.ts'
import { openTestApp, tokenOf } from '../testing/app.ts'
import { Calendar } from './calendar.ts'
import products from './data/reference.json' with { type: 'json' }
import { seed, type SeedSettings } from './index.ts'
import { laterParts } from './later-parts.ts'
import news from './season/data/news.json' with { type: 'json' }
import { LaterSeed, seedLater } from './later.ts'
import { goodsDrawn } from './pictures/goods.ts'
import { listPictures } from './pictures/list-subjects.ts'
import { samplePictures, seasonPictures } from './pictures/subjects.ts'
import { toDocument } from './pictures/svg.ts'

const settings: SeedSettings = { seed: 'demo', day: '2026-10-14', ownerEmail: 'owner@example.org' }
const calendar = new Calendar('2026-10-14')
/** A day of the season that somebody has begun. */
const begun = calendar.mondays(30)[0]

/** A place for pictures that is gone after the tests. */
function openStore(database: Database) {
  const dataDir = mkdtempSync(join(tmpdir(), 'dala-later-'))
  const limits = { fileBytes: 10_485_760, quotaBytes: 524_288_000, quotaFiles: 5_000, reserveBytes: 0 }
  const warn = (error: unknown) => {
    throw error
  }
  const storage = new DiskStorage(join(dataDir, 'uploads'))
  return { dataDir, store: { uploads: new Uploads({ database, storage, dataDir, limits, warn }) } }
}

describe('the drawings', () => {
  const subjects = [...samplePictures(), ...seasonPictures(), ...listPictures()]

  it('are there for every product', () => {
    expect(products.products.map(({ slug }) => slug).filter((slug) => !goodsDrawn.includes(slug))).toEqual([])
  })

  it('have a name of their own each, and are the same ones each time', () => {
    expect(new Set(subjects.map(({ label }) => label)).size).toBe(subjects.length)
    const bare = (text: string) => text.replaceAll(/shade\d+/g, 'shade')
    for (const { drawing } of subjects.slice(0, 40))
      expect(bare(toDocument(drawing()))).toBe(bare(toDocument(drawing())))
  })
})

describe('the parts behind the start', { timeout: 300_000 }, () => {
  let database: Database
  let inject: <T = { attributes: Record<string, unknown> }[]>(path: string) => Promise<{ data: T }>
  let files: ReturnType<typeof openStore>
  const number = async (query: string) => Number((await database.rows({ sql: query, parameters: [] }))[0]?.[0])

  beforeAll(async () => {
    const opened = await openTestApp()
    database = opened.database
    files = openStore(database)
    await seed(database, { ...settings, ownerPassword: 'Harvest-2026' })
    await database.script(`insert into pricedates (date) values ('${begun}')`)
    const token = await tokenOf(opened.app, 'owner')
    inject = async (path) => {
      const answer = await opened.app.inject({ url: `/api/${path}`, headers: { authorization: `Bearer ${token}` } })
      if (answer.statusCode !== 200) throw new Error(`${path} was refused: ${answer.body}`)
      return answer.json()
    }
    return async () => {
      await opened.app.close()
      rmSync(files.dataDir, { recursive: true, force: true })
    }
  }, 180_000)

  it('are not filled for samples', async () => {
    const heard: number[] = []
    const options = {
      store: files.store,
      signal: new AbortController().signal,
      onPart: (done: number) => heard.push(done),
    }
    await seedLater(database, { ...settings, seed: 'samples' }, options)
    expect(heard).toEqual([])
  })

  it('stop between two parts and go on with the next one', async () => {
    const later = new LaterSeed()
    const failed: unknown[] = []
    const reached = Promise.withResolvers<void>()
    later.start(
      (signal) =>
        seedLater(database, settings, {
          store: files.store,
          signal,
          onPart: (done) => done === 3 && reached.resolve(),
        }),
      (error) => failed.push(error),
    )
    await reached.promise
    await later.stop()
    const marks = await number(`select count(*) from seeds where name like 'season%' or name like 'pictures%'`)
    expect(marks).toBeGreaterThanOrEqual(3)
    expect(marks).toBeLessThan(laterParts().length)
    const heard: number[] = []
    await seedLater(database, settings, {
      store: files.store,
      signal: new AbortController().signal,
      onPart: (done) => heard.push(done),
    })
    expect(later.progress).toBeUndefined()
    expect(heard[0]).toBe(marks + 1)
    expect(heard.at(-1)).toBe(laterParts().length)
    expect(failed).toEqual([])
  })

  it('fill fourteen months of prices in the districts of the season, with gaps and a few slips, and leave a day that somebody has begun', async () => {
    expect(await number('select count(*) from pricelists')).toBeGreaterThan(50_000)
    expect(await number('select count(distinct district_id) from pricelists')).toBe(33)
    // The table of a day of this region has a figure in each column.
    expect(
      await number(`
        select count(*) from districts d left join pricelists p on p.district_id = d.id and p.pricedate_id = (select max(id) from pricedates)
         where d.region_id = (select region_id from districts where code = '1735401') and p.id is null`),
    ).toBe(0)
    const days = await database.query(sql<{ day: string }>`select date::text as day from pricedates order by date`)
    expect(days.map(({ day }) => day)).toEqual(calendar.mondays(61))
    expect(
      await number(
        `select count(*) from pricelists l join pricedates p on p.id = l.pricedate_id where p.date = '${begun}'`,
      ),
    ).toBe(0)
    expect(
      await number('select count(*) from pricelists where region_id is null or price_base is null and unit_id is null'),
    ).toBe(0)
    const slips = await number(`
      select count(*) from pricelists l join (select product_id, avg(price) as usual from pricelists group by product_id) u using (product_id)
       where l.price > 5 * u.usual or l.price < u.usual / 5`)
    expect(slips).toBeGreaterThanOrEqual(3)
    expect(slips).toBeLessThanOrEqual(5)
  })

  it('date news in the month that they speak of, and none before the season', async () => {
    const rows = await database.query(sql<{ title: string; date: string }>`
      select t.title, d.date::text as date from news d join news_texts t on t.document_id = d.id where t.locale = 'ru'`)
    const dates = new Map(rows.map(({ title, date }) => [title, date]))
    const months = news.map(({ title, month }) => [title.ru, month, dates.get(title.ru)] as const)
    expect(months.filter(([, month, date]) => month !== null && Number(date?.slice(5, 7)) !== month)).toEqual([])
    expect(rows.length).toBe(40)
    expect(rows.filter(({ date }) => date < calendar.dayBefore(430) || date >= calendar.day)).toEqual([])
  })

  it('have 24 courses whose lessons have texts, and translations in every state', async () => {
    expect(await number('select count(*) from courses')).toBe(24)
    expect(
      await number(`select count(distinct course_id) from lessons l join lessons_texts t on t.document_id = l.id
        where length(t.content) > 100`),
    ).toBe(18)
    const { data } =
      await inject<{ resource: string; current: number; outdated: number; missing: number }[]>('translations')
    const ofNews = data.filter(({ resource }) => resource === 'news')
    for (const state of ['current', 'outdated', 'missing'] as const)
      expect(ofNews.some((one) => one[state] > 0)).toBe(true)
  })

  it('leave nobody waiting for more than four days, and something to do for today', async () => {
    const asked = await database.query(sql<{ at: string }>`
      select coalesce(reopened_at, created_at) as at from consultations where answered_at is null or reopened_at > answered_at
      union all select waiting_since from chatrooms where waiting_since is not null
      union all select t.created_at from tradinposts d join tradinposts_texts t on t.document_id = d.id where d.status = 'on_hold'`)
    expect(asked.length).toBeGreaterThan(5)
    for (const { at } of asked) expect(Date.parse(at)).toBeGreaterThan(Date.parse(calendar.before(4, '00:00')))
  })

  it('ask, answer and end nothing after the day of the seed, and nothing before it was asked', async () => {
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
    'give the report %s figures in this period and in the one before',
    async (key) => {
      const path = `statistics/${key}?from=${calendar.dayBefore(28)}&to=${calendar.dayBefore(1)}&compare=previous`
      const { data } = await inject<{ metrics: ReportMetric[] }>(path)
      const { metrics } = data
      expect(metrics.some(({ value }) => value !== null && value > 0)).toBe(true)
      expect(metrics.some(({ value, previous }) => Number(value) > 0 && Number(previous) > 0)).toBe(true)
    },
  )

  it.each([
    ['news', 'image'],
    ['courses', 'image'],
    ['companies', 'logo'],
    ['partners', 'image'],
    ['branches', 'image'],
    ['serviceposts', 'image'],
    ['tools', 'image'],
    ['products', 'mainPhoto'],
    ['tradinposts', 'mainPhoto'],
    ['servicecategories', 'image'],
    ['productcategories', 'image'],
    ['companycategories', 'image'],
    ['agrocultureareas', 'image'],
    ['tradingpostcategories', 'image'],
    ['consultantcategories', 'image'],
    ['consultationcategories', 'image'],
    ['coursecategories', 'image'],
  ])('leave no %s without %s', async (name, field) => {
    const { data } = await inject(`${name}?locale=ru&pagination[pageSize]=100&populate=${field}&fields[0]=id`)
    expect(data.length).toBeGreaterThan(5)
    expect(data.filter(({ attributes }) => !(attributes[field] as { data?: unknown } | null)?.data)).toEqual([])
  })

  it('show banners in four languages', async () => {
    const { data } = await inject(`sliders?locale=kaa&populate=image`)
    expect(data).toHaveLength(3)
    expect(data.filter(({ attributes }) => !(attributes['image'] as { data?: unknown } | null)?.data)).toEqual([])
  })

  it('store a picture once, also when its part was broken off before it was shown', async () => {
    const before = await number('select count(*) from uploads')
    await database.script(`delete from seeds where name = 'pictures 1'; update users set avatar_id = null`)
    await seedLater(database, settings, { store: files.store, signal: new AbortController().signal })
    expect(await number('select count(*) from uploads')).toBe(before)
    expect(await number('select count(*) from users where avatar_id is not null')).toBe(6)
    expect(readdirSync(join(files.dataDir, 'incoming'))).toEqual([])
  })
})

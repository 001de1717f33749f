/**
 * Small test world for reports: questions, prices, posts, courses, content and people of three past months.
 */
import { sql } from '../db/sql.ts'
import reports from '../seed/data/statistics.json' with { type: 'json' }
import { buildRecord, buildDistrict, buildRegion, buildUser, buildTranslation } from './factories.ts'
import type { ResourceApp } from './resource-app.ts'

export interface ReportWorld {
  regions: readonly number[]
  categories: readonly number[]
  consultants: readonly number[]
}

const day = 86_400_000
const start = Date.parse('2025-03-01T00:00:00+05:00')

/** Makes random numbers that are the same in every run. */
function makeNumbers(seed: number): (upperLimit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * limit)
  }
}

const iso = (time: number) => new Date(time).toISOString()

/** Creates the test world of reports and returns the wire ids by which reports are filtered. */
export async function buildReportWorld({ database }: ResourceApp): Promise<ReportWorld> {
  for (const report of reports.statistics) await buildRecord(database, 'statistics', report)
  const drawNumber = makeNumbers(7)
  const pickItem = <T>(items: readonly T[]): T | undefined => items[drawNumber(items.length)]
  const regions = [await buildRegion(database), await buildRegion(database)]
  const categories = [
    await buildRecord(database, 'consultationcategories', { name: 'Water', first_reply_minutes: 600 }),
    await buildRecord(database, 'consultationcategories', { name: 'Animals' }),
  ]
  const consultants: number[] = []
  for (const name of ['A', 'B', 'C'])
    consultants.push(
      await buildUser(database, 'authenticated', { is_consultant: true, name, last_seen_at: iso(start) }),
    )
  const farmers: number[] = []
  for (let index = 0; index < 9; index += 1)
    farmers.push(
      await buildUser(database, 'authenticated', {
        region: pickItem([...regions, null]),
        language: pickItem(['ru', 'uz', 'kaa']),
        createdAt: iso(start + drawNumber(90) * day),
        last_seen_at: iso(start + drawNumber(90) * day),
      }),
    )

  for (let index = 0; index < 60; index += 1) {
    // The times include the last hours of a UTC day, which are the first ones of the next day in the report
    // zone.
    const createdTime = start + drawNumber(92 * 24 * 60) * 60_000
    const answeredTime = drawNumber(4) > 0 ? createdTime + drawNumber(3_000) * 60_000 : undefined
    const finishedTime =
      answeredTime !== undefined && drawNumber(3) > 0 ? answeredTime + drawNumber(9_000) * 60_000 : undefined
    await buildRecord(database, 'consultations', {
      question: `Question ${index}`,
      category: pickItem([...categories, null]),
      region: pickItem([...regions, null]),
      consultant: pickItem([...consultants, null]),
      user: pickItem(farmers),
      language: pickItem(['ru', 'kaa', null]),
      createdAt: iso(createdTime),
      ...(answeredTime !== undefined && {
        answer: 'x',
        answered_at: iso(answeredTime),
        rating: pickItem([null, 3, 5]),
      }),
      ...(finishedTime !== undefined && { finished_at: iso(finishedTime) }),
    })
  }

  const units = await buildRecord(database, 'units', { name: { en: 'kg' }, short: { en: 'kg' }, code: 'kg', factor: 1 })
  const fruitCategory = await buildRecord(database, 'productcategories', { name: 'Fruit' })
  const products = [
    await buildRecord(database, 'products', { name: 'Apple', productcategory: fruitCategory, unit: units }),
    await buildRecord(database, 'products', { name: 'Salt', unit: units }),
  ]
  const districts = [await buildDistrict(database, { region: regions[0] }), await buildDistrict(database)]
  for (const date of ['2025-03-31', '2025-04-01', '2025-04-15', '2025-05-02']) {
    const pricedate = await buildRecord(database, 'pricedates', {
      date,
      state: 'published',
      published_at: `${date}T11:00:00Z`,
    })
    for (const product of products)
      for (const district of districts) {
        if (drawNumber(4) === 0) continue
        await buildRecord(database, 'pricelists', {
          product,
          district,
          pricedate,
          unit: units,
          price: pickItem([1000, 1200, null]),
          origin: pickItem(['entered', 'carried', 'imported']),
          state: pickItem(['ok', 'check']),
          createdAt: `${date}T08:00:00Z`,
        })
      }
  }

  const types = [
    await buildRecord(database, 'tradingposttypes', { name: { en: 'Selling' }, code: 'selling' }),
    await buildRecord(database, 'tradingposttypes', { name: { en: 'Buying' }, code: 'purchase' }),
  ]
  for (let index = 0; index < 14; index += 1)
    await buildRecord(database, 'tradinposts', {
      title: `Post ${index}`,
      tradingposttype: pickItem(types),
      region: pickItem([...regions, null]),
      delivery: drawNumber(2) === 0,
      status: pickItem(['on_hold', 'processed', 'rejected']),
      createdAt: iso(start + drawNumber(90) * day),
    })

  const coursecategory = await buildRecord(database, 'coursecategories', { name: 'Soil' })
  for (const state of ['draft', 'published', 'published', 'archived']) {
    const course = await buildRecord(database, 'courses', {
      title: 'Course',
      state,
      coursecategory: pickItem([coursecategory, null]),
      createdAt: iso(start),
    })
    for (let index = 0; index < 3; index += 1)
      await buildRecord(database, 'lessons', {
        title: 'Lesson',
        course,
        duration_minutes: 10 + index,
        state: pickItem(['visible', 'hidden']),
        createdAt: iso(start + drawNumber(90) * day),
      })
  }

  await buildNewsInAllStates({ database })
  await database.query(sql`update users set created_at = ${iso(start - day)} where username in ('owner', 'admin')`)
  return { regions, categories, consultants }
}

/** Creates news, published and drafted, each without, with a current and with an outdated translation. */
async function buildNewsInAllStates({ database }: Pick<ResourceApp, 'database'>): Promise<void> {
  for (const isActive of [true, false]) {
    await buildRecord(database, 'news', { title: 'Alone', active: isActive })
    const currentNews = await buildRecord(database, 'news', { title: 'Current', active: isActive })
    await buildTranslation(database, 'news', currentNews, 'ru', { title: 'Новость' })
    const outdatedNews = await buildRecord(database, 'news', { title: 'Outdated', active: isActive })
    await buildTranslation(database, 'news', outdatedNews, 'ru', { title: 'Старая' })
    await buildTranslation(database, 'news', outdatedNews, 'kaa', { title: 'Eski' })
    await database.query(
      sql`update news set source_changes = 1 where id = (select document_id from news_texts where id = ${outdatedNews})`,
    )
  }
}

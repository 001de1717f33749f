/** Seeds the content of the season: news, companies, courses and trading posts. */
import { sql } from '../../db/sql.ts'
import type { Calendar } from '../calendar.ts'
import { drawOf, pickItem } from '../draws.ts'
import { seedCourse, type SampleCourse } from '../learning.ts'
import { regionCodes } from '../lists.ts'
import { decisionOf } from '../market.ts'
import type { SeedRecord } from '../records.ts'
import type { SeededRecord, Seeder } from '../seeder.ts'
import companies from './data/companies.json' with { type: 'json' }
import courses from './data/courses.json' with { type: 'json' }
import news from './data/news.json' with { type: 'json' }
import posts from './data/posts.json' with { type: 'json' }
import sliders from './data/sliders.json' with { type: 'json' }
import { seasonFarmers, seasonLength } from './people.ts'
import { seasonDistricts } from './prices.ts'

/**
 * Returns the age in days of each news of the season: seasonal ones in their month, the others at equal
 * distances.
 */
function daysOfNews(calendar: Calendar): number[] {
  const newsWithoutMonth = news.filter(({ month }) => month === null)
  return news.map((item, position) =>
    item.month === null
      ? 2 + Math.round((newsWithoutMonth.indexOf(item) / newsWithoutMonth.length) * (seasonLength - 30))
      : calendar.daysSince(item.month, 2 + Math.floor(drawOf('date', position) * 26)),
  )
}

/** Seeds news of fourteen months, dated in the season of their topic, with view counts. */
export async function seedSeasonNews(seeder: Seeder): Promise<void> {
  const { calendar } = seeder
  const ages = daysOfNews(calendar)
  const records = news.map(({ picture: _drawn, month: _season, ...item }, position): SeedRecord => {
    const days = ages[position] ?? 2
    const createdAt = calendar.before(days, pickItem(['09:15', '10:40', '11:30', '15:05'], 'written', position))
    const views = Math.round(40 + drawOf('views', position) * 400 + Math.min(days, 60) * 6)
    return { ...item, createdAt, date: calendar.dayBefore(days), views, active: drawOf('shown', position) > 0.08 }
  })
  const createdNews = await seeder.addAll('news', records)
  for (const [position, days] of ages.entries())
    if (drawOf('corrected', position) < 0.15) await correctPrices(seeder, createdNews[position], news[position], days)
}

/** Adds a sentence to the Russian text a day later, which makes the translations outdated. */
async function correctPrices(
  seeder: Seeder,
  record: SeededRecord | undefined,
  item: (typeof news)[number] | undefined,
  days: number,
): Promise<void> {
  if (!record?.isNew || !item || days < 3) return
  const description = `${item.description.ru} Подробности сообщают в филиалах.`
  await seeder.update('news', record.id, { description })
  const updatedAt = seeder.calendar.before(days - 1, '16:20')
  await seeder.trx.query(sql`
    update news_texts set updated_at = ${updatedAt}::timestamptz
     where document_id = (select document_id from news_texts where id = ${record.id}::int)`)
}

/** Seeds companies that joined during the season. */
export async function seedSeasonCompanies(seeder: Seeder): Promise<void> {
  const records = companies.map((company, position): SeedRecord => ({
    ...company,
    delivery_regions: company.delivery_regions.map((slug) => regionCodes.get(slug) ?? slug),
    createdAt: seeder.calendar.before(12 + Math.round((position / companies.length) * (seasonLength - 20)), '14:10'),
  }))
  await seeder.addAll('companies', records)
}

/** Number of courses of the season; each course is a part of the demo. */
export const courseCount = courses.length

/** Seeds one course of the season with its lessons. */
export async function seedSeasonCourse(seeder: Seeder, position: number): Promise<void> {
  const course = courses[position]
  if (!course) return
  const sample: SampleCourse = course
  await seedCourse(seeder, sample, { order: 100 + position, published: 20 + position * 22 })
}

/** Seeds banners of the apps. A banner requires a picture, so they come after the drawings. */
export async function seedSeasonSliders(seeder: Seeder): Promise<void> {
  const drawnNews = await seeder.trx.query(sql<{ name: string; id: number }>`
    select name, min(id) as id from uploads where name = any(${sliders.map(({ picture }) => picture)}::text[]) group by name`)
  const ids = new Map(drawnNews.map(({ name, id }) => [name, id]))
  await seeder.addAll(
    'sliders',
    sliders.map(({ picture, ...slider }) => ({ ...slider, image: ids.get(picture) })),
  )
}

/** Every text of a sample post is used twice: two farmers in two districts sell the same. */
const rounds = 2
/** Number of sample trading posts in one transaction. */
const portion = 12
/** Number of batches of sample trading posts. */
export const postPortions = Math.ceil((posts.length * rounds) / portion)

/** Returns the state of a sample trading post by its age in days. */
function stateOf(days: number, position: number): string {
  if (days <= 2) return 'on_hold'
  const stateDraw = drawOf('state', position)
  if (stateDraw < 0.08) return 'rejected'
  if (days > 34) return stateDraw < 0.3 ? 'archived' : 'expired'
  return stateDraw < 0.14 ? 'archived' : 'processed'
}

const reasons = [
  'Цена указана не за единицу',
  'Нет телефона продавца',
  'Это не сельскохозяйственный товар',
  'Описание повторяет другое объявление',
]

/** Seeds a batch of trading posts, the newest first. */
export async function seedSeasonPosts(seeder: Seeder, batchIndex: number): Promise<void> {
  const { calendar } = seeder
  const farmers = seasonFarmers()
  const allPosts = Array.from({ length: rounds }, () => posts).flat()
  for (const [index, post] of allPosts.slice(batchIndex * portion, (batchIndex + 1) * portion).entries()) {
    const number = batchIndex * portion + index
    const days = 1 + Math.round(120 * (number / allPosts.length) ** 1.3)
    const createdAt = calendar.before(days, pickItem(['08:20', '10:05', '12:45', '17:30'], 'posted', number))
    const farmer = pickItem(
      farmers.filter(({ sinceDays }) => sinceDays > days),
      'seller',
      number,
    )
    const status = stateOf(days, number)
    const price = Math.round((post.price * (0.94 + drawOf('asked', number) * 0.12)) / 100) * 100
    await seeder.insert('tradinposts', {
      ...post,
      price: Math.max(price, 100),
      district: number < posts.length ? farmer.district : pickItem(seasonDistricts(), 'sold', number),
      phone: `+998 00 400-${String(Math.floor(number / 100)).padStart(2, '0')}-${String(number % 100).padStart(2, '0')}`,
      user: farmer.username,
      status,
      views: status === 'on_hold' ? 0 : Math.round(drawOf('seen', number) * 90),
      createdAt,
      ...decisionOf({ status, createdAt }, calendar, pickItem(reasons, 'reason', number)),
      ...(status === 'on_hold' && { waiting_since: createdAt }),
    })
  }
}

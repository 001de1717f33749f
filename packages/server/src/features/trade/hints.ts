/** Hints to a moderator about a trading post: twins, its price, ways around the phone field, words. */
import { type PostTwin, type PriceScale, searchKey } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import type { Subject } from './subject.ts'

/** Days in which another post counts as a twin. */
const twinDays = 30
/** Posts whose titles are compared, newest first. */
const maxCompared = 5_000
const maxTwins = 5
const leastScore = 0.35
/** Digits that make a phone number. */
const leastDigits = 5
/** Titles that are nearly equal: shares of groups of three letters. */
const nearTitle = 0.6

/**
 * Finds posts of the last days that are much alike: the same phone, a title that is nearly equal, the same picture.
 *
 * @param queries The database.
 * @param subject The post as it would be shown.
 * @returns The most alike first, each with a score from 0 to 1.
 */
export async function twinsOf(queries: Queries, { document, phone, texts, pictures }: Subject): Promise<PostTwin[]> {
  const titles = texts.map(({ title }) => title)
  const digits = phone?.replace(/\D/g, '') ?? ''
  const found = await queries.query(
    sql<Omit<PostTwin, 'score' | 'same'> & { phone: boolean; alike: number; shown: boolean }>`
    with recent as (
      select d.id from tradinposts d join tradinposts_texts t on t.document_id = d.id
       where d.id <> ${document} and d.status <> 'archived' and t.created_at > now() - make_interval(days => ${twinDays}::int)
       group by d.id order by max(t.created_at) desc limit ${maxCompared}),
    mine as (select id, sha256 from uploads where id = any(${[...pictures]}::int[])),
    compared as (
      select d.id as document, coalesce(regexp_replace(d.phone, '\\D', '', 'g') = ${digits} and ${digits.length >= leastDigits}, false) as phone,
             coalesce((select max(similarity(search_key(t.title), search_key(own.title))) from tradinposts_texts t, unnest(${titles}::text[]) as own(title)
                where t.document_id = d.id), 0)::float8 as alike,
             exists (select 1 from uploads u join mine m on m.id = u.id or m.sha256 = u.sha256
                where u.id = d."mainPhoto_id" or u.id in (select i.target_id from tradinposts_images i where i.holder_id = d.id)) as shown
        from recent join tradinposts d using (id))
    select t.id, t.title, d.status, d.price::float8 as price, d.currency, t.created_at as "createdAt", c.phone, c.alike, c.shown,
           (select u.url from uploads u where u.id = d."mainPhoto_id") as picture
      from compared c join tradinposts d on d.id = c.document
      cross join lateral (select * from tradinposts_texts t where t.document_id = d.id order by t.locale <> d.source_locale, t.id limit 1) t
     where c.phone or c.alike >= ${nearTitle} or c.shown
     order by c.phone::int * 0.35 + c.alike * 0.4 + c.shown::int * 0.25 desc, d.id desc limit ${maxTwins}`,
  )
  return found
    .map(({ phone: isPhone, alike, shown, ...twin }): PostTwin => {
      const score = Math.round(((isPhone ? 0.35 : 0) + alike * 0.4 + (shown ? 0.25 : 0)) * 100) / 100
      const same = [
        ...(isPhone ? (['phone'] as const) : []),
        ...(alike >= nearTitle ? (['title'] as const) : []),
        ...(shown ? (['picture'] as const) : []),
      ]
      return { ...twin, score, same }
    })
    .filter(({ score }) => score >= leastScore)
}

/** Days of prices that a post is compared with, and how many of them make a comparison. */
const priceDays = 30
const leastPrices = 4
/** Shares of the median from which a price is far from it. */
const [farAbove, farBelow] = [1.5, 2 / 3]

interface Prices {
  min: number
  low: number
  median: number
  high: number
  max: number
  count: number
  factor: number
}

/**
 * Compares the price of a post with published prices of its product, in its region or, where those are few, in the country.
 *
 * @param queries The database.
 * @param subject The post as it would be shown.
 * @returns The prices in the unit of the post; null without a product, a unit, a price, or prices to compare with.
 */
export async function priceScale(queries: Queries, subject: Subject): Promise<PriceScale | null> {
  const { price, product, unit, region, currency } = subject
  if (price === null || price <= 0 || product === null || unit === null) return null
  const rows = await queries.query(sql<Prices & { scope: 'region' | 'country' }>`
    with known as (
      select l.price_base::float8 as base, l.region_id = ${region}::int as near from pricelists l
        join pricedates p on p.id = l.pricedate_id join units lu on lu.id = l.unit_id join units u on u.id = ${unit}
       where l.product_id = ${product} and l.price_base is not null and l.origin <> 'carried' and l.state <> 'check'
         and l.currency = ${currency ?? 'UZS'} and p.state = 'published' and lu.kind = u.kind
         and p.date > (now() - make_interval(days => ${priceDays}::int))::date),
    scoped as (select 'region' as scope, base from known where near union all select 'country', base from known)
    select scope, min(base) * u.factor::float8 as min, percentile_cont(0.25) within group (order by base) * u.factor::float8 as low,
           percentile_cont(0.5) within group (order by base) * u.factor::float8 as median,
           percentile_cont(0.75) within group (order by base) * u.factor::float8 as high,
           max(base) * u.factor::float8 as max, count(*)::int as count, u.factor::float8 as factor
      from scoped, units u where u.id = ${unit} and u.factor is not null group by scope, u.factor`)
  const found = ['region', 'country'].map((scope) => rows.find((row) => row.scope === scope))
  const prices = found.find((row) => row && row.count >= leastPrices)
  if (!prices || prices.median <= 0) return null
  const { min, low, median, high, max, count, scope } = prices
  const ratio = price / median
  const isFar = ratio >= farAbove || ratio <= farBelow
  const verdict = isFar ? 'far' : price < low || price > high ? 'outside' : 'usual'
  return { price, min, low, median, high, max, count, scope, percent: Math.round((ratio - 1) * 100), verdict }
}

/** Numbers of seven digits and more, names in messengers, addresses. */
const contact =
  /(?:\+?\d[\d\s().-]{5,}\d)|(?:@[A-Za-z0-9_.]{3,})|(?:\b(?:https?:\/\/|www\.|t\.me\/|wa\.me\/)\S+)|(?:[\w.+-]+@[\w-]+\.[\w.]+)/g

/** Ways to reach the author that stand in the text instead of the phone field. */
export function contactsIn({ texts }: Subject): string[] {
  const found = texts.flatMap(({ title, description }) =>
    [title, description ?? ''].flatMap((text) => Array.from(text.matchAll(contact), ([match]) => match.trim())),
  )
  return [...new Set(found)].filter((match) => /[A-Za-z@]/.test(match) || match.replace(/\D/g, '').length >= 7)
}

/** The listed words that begin a word of the text, in whatever script. */
export async function wordsIn(queries: Queries, { texts }: Subject): Promise<string[]> {
  const listed = await queries.query(sql<{ word: string }>`
    select word from moderationwords where active order by word limit 1000`)
  const text = texts.map(({ title, description }) => `${title} ${description ?? ''}`).join(' ')
  const spoken = ` ${text
    .split(/[^\p{L}\p{N}'‘’ʻʼ]+/u)
    .map(searchKey)
    .join(' ')}`
  return listed.map(({ word }) => word).filter((word) => spoken.includes(` ${searchKey(word)}`))
}

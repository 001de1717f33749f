/**
 * Finds hints for moderators about a trading post: duplicates, its price, contact details, listed words.
 */
import { type PostTwin, type PriceScale, searchKey } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import type { Subject } from './subject.ts'

/** Days in which another trading post counts as a duplicate. */
const duplicateDays = 30
/** Maximum number of compared titles of trading posts, newest first. */
const maxComparedTitles = 5_000
const maxTwins = 5
const minScore = 0.35
/** Minimum number of digits of a phone number. */
const minDigits = 5
/** Trigram similarity above which titles are nearly equal. */
const minTitleSimilarity = 0.6
/** Maximum number of different bits, of 64, between the hashes of similar pictures (decision 36). */
const maxDifferentBits = 8
/** Minimum number of set bits in the hash of a compared picture; a picture of one colour has none. */
const minBits = 8
/** Weights of the similarity of two trading posts; a title counts by its own similarity. */
const similarityWeights = { phone: 0.35, title: 0.4, pictureEqual: 0.25, pictureAlike: 0.2 } as const

interface FoundTwin extends Omit<PostTwin, 'score' | 'same'> {
  isPhone: boolean
  near: number
  picturesMatch: 'equal' | 'alike' | 'none'
  score: number
}

/**
 * Finds recent trading posts that resemble a post: the same phone, a nearly equal title, or an equal or
 * similar picture.
 *
 * @param queries - The database.
 * @param subject - The post as it would be published.
 * @returns The most similar first, each with a score from 0 to 1.
 */
export async function findDuplicates(
  queries: Queries,
  { document, phone, texts, pictures }: Subject,
): Promise<PostTwin[]> {
  const titles = texts.map(({ title }) => title)
  const digits = phone?.replace(/\D/g, '') ?? ''
  const foundPrices = await queries.query(
    sql<FoundTwin>`
    with recent as materialized (
      select d.id, d.phone, d."mainPhoto_id" as main from tradinposts d join tradinposts_texts t on t.document_id = d.id
       where d.id <> ${document} and d.status <> 'archived' and t.created_at > now() - make_interval(days => ${duplicateDays}::int)
       group by d.id order by max(t.created_at) desc limit ${maxComparedTitles}),
    own as materialized (select search_key(title) as title from unnest(${titles}::text[]) as given(title)),
    mine as materialized (
      select id, sha256, case when bit_count(bits) >= ${minBits} then bits end as bits
        from uploads, cast('x' || likeness as bit(64)) as bits where id = any(${[...pictures]}::int[])),
    titled as (
      select t.document_id as id, max(similarity(t.name_key, own.title)) as near
        from recent r join tradinposts_texts t on t.document_id = r.id cross join own group by t.document_id),
    shown as (
      select id, main as picture from recent where main is not null
      union select r.id, i.target_id from recent r join tradinposts_images i on i.holder_id = r.id),
    pictured as materialized (
      select s.id, u.id as picture, u.sha256, cast('x' || u.likeness as bit(64)) as bits from shown s join uploads u on u.id = s.picture),
    matched as (
      select p.id, bool_or(p.picture = m.id or p.sha256 = m.sha256) as equal
        from pictured p join mine m on p.picture = m.id or p.sha256 = m.sha256 or bit_count(p.bits # m.bits) <= ${maxDifferentBits} group by p.id),
    compared as (
      select r.id, coalesce(regexp_replace(r.phone, '\\D', '', 'g') = ${digits} and ${digits.length >= minDigits}, false) as phone,
             coalesce(t.near, 0)::float8 as near, case when m.equal then 'equal' when m.id is not null then 'alike' else 'none' end as pictures
        from recent r left join titled t on t.id = r.id left join matched m on m.id = r.id),
    scored as (
      select *, phone::int * ${similarityWeights.phone}::float8 + near * ${similarityWeights.title}::float8
             + case pictures when 'equal' then ${similarityWeights.pictureEqual}::float8 when 'alike' then ${similarityWeights.pictureAlike}::float8 else 0 end as score
        from compared where phone or near >= ${minTitleSimilarity}::float8 or pictures <> 'none')
    select t.id, t.title, d.status, d.price::float8 as price, d.currency, t.created_at as "createdAt",
           s.phone as "isPhone", s.near, s.pictures as "picturesMatch", s.score,
           (select u.url from uploads u where u.id = d."mainPhoto_id") as picture,
           (select c.kind from tradingpostcategories c where c.id = d.tradingpostcategory_id) as kind
      from scored s join tradinposts d using (id)
      cross join lateral (select * from tradinposts_texts t where t.document_id = d.id order by t.locale <> d.source_locale, t.id limit 1) t
     where s.score >= ${minScore}::float8 order by s.score desc, d.id desc limit ${maxTwins}`,
  )
  return foundPrices.map(({ isPhone, near, picturesMatch, score, ...twinFields }): PostTwin => {
    const reasons = [
      ...(isPhone ? (['phone'] as const) : []),
      ...(near >= minTitleSimilarity ? (['title'] as const) : []),
      ...(picturesMatch === 'none' ? [] : [`picture_${picturesMatch}` as const]),
    ]
    return { ...twinFields, score: Math.round(score * 100) / 100, same: reasons }
  })
}

/** Days of prices that a trading post is compared with. */
const priceDays = 30
const minPrices = 4
/** Ratios to the median price from which a price is far from it. */
const [farAbove, farBelow] = [1.5, 2 / 3]

interface ComparedPrices {
  min: number
  low: number
  median: number
  high: number
  max: number
  count: number
  factor: number
}

/**
 * Compares the price of a trading post with published prices of its product, in its region or, when those are
 * few, in the country.
 *
 * @param queries - The database.
 * @param subject - The post as it would be published.
 * @returns The prices in the unit of the post; null without a product, a unit, a price, or prices to compare
 * with.
 */
export async function priceScale(queries: Queries, subject: Subject): Promise<PriceScale | null> {
  const { price, product, unit, region, currency } = subject
  if (price === null || price <= 0 || product === null || unit === null) return null
  const rows = await queries.query(sql<ComparedPrices & { scope: 'region' | 'country' }>`
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
  const foundScope = ['region', 'country'].map((scope) => rows.find((row) => row.scope === scope))
  const prices = foundScope.find((row) => row && row.count >= minPrices)
  if (!prices || prices.median <= 0) return null
  const { min, low, median, high: highBound, max, count, scope } = prices
  const ratio = price / median
  const isFarFromUsual = ratio >= farAbove || ratio <= farBelow
  const verdict = isFarFromUsual ? 'far' : price < low || price > highBound ? 'outside' : 'usual'
  return {
    price,
    min,
    low,
    median,
    high: highBound,
    max,
    count,
    scope,
    percent: Math.round((ratio - 1) * 100),
    verdict,
  }
}

/** Pattern of numbers of at least seven digits, names in messengers, and addresses. */
const contactPattern =
  /(?:\+?\d[\d\s().-]{5,}\d)|(?:@[A-Za-z0-9_.]{3,})|(?:\b(?:https?:\/\/|www\.|t\.me\/|wa\.me\/)\S+)|(?:[\w.+-]+@[\w-]+\.[\w.]+)/g

/** Finds contact details in the text of a trading post, which bypass the phone field. */
export function findContacts({ texts }: Subject): string[] {
  const foundWords = texts.flatMap(({ title, description }) =>
    [title, description ?? ''].flatMap((text) => Array.from(text.matchAll(contactPattern), ([match]) => match.trim())),
  )
  return [...new Set(foundWords)].filter((match) => /[A-Za-z@]/.test(match) || match.replace(/\D/g, '').length >= 7)
}

/** Finds listed words at the beginning of a word of a trading post's text, in any script. */
export async function wordsIn(queries: Queries, { texts }: Subject): Promise<string[]> {
  const listedWords = await queries.query(sql<{ word: string }>`
    select word from moderationwords where active order by word limit 1000`)
  const text = texts.map(({ title, description }) => `${title} ${description ?? ''}`).join(' ')
  const spacedText = ` ${text
    .split(/[^\p{L}\p{N}'‘’ʻʼ]+/u)
    .map(searchKey)
    .join(' ')}`
  return listedWords
    .map(({ word: listedWord }) => listedWord)
    .filter((listedWord) => spacedText.includes(` ${searchKey(listedWord)}`))
}

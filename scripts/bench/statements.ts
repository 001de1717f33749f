/** The cases of the bench, and for each read a hand-written statement that returns the same JSON. */

export interface BenchCase {
  name: string
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: string
  /** One SQL statement whose single value is the whole answer to a read; cases that write have none. */
  handWrittenSql?: string
}

const moment = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const stampSql = (text: string, document: string) => `
  'createdAt', ${moment(`${text}.created_at`)}, 'updatedAt', ${moment(`${text}.updated_at`)}, 'version', ${text}.version,
  'locale', ${text}.locale, 'outdated', ${text}.locale <> ${document}.source_locale and ${text}.seen_changes < ${document}.source_changes`

const newsObject = `json_build_object('id', t.id, 'attributes', json_build_object(
  'title', t.title, 'description', t.description, 'content', t.content, 'link', d.link, 'videourl', d.videourl, 'kind', d.kind,
  'date', d.date, 'views', d.views, 'featured', d.featured, 'active', d.active, ${stampSql('t', 'd')},
  'region', json_build_object('data', region.entry), 'tags', json_build_object('data', tags.entries)))`

const regionObject = `json_build_object('id', rt.id, 'attributes', json_build_object(
  'name', rt.name, 'code', r.code, 'iso', r.iso, 'type', r.type, 'lat', r.lat, 'lng', r.lng, 'order', r."order", ${stampSql('rt', 'r')}))`

/** Returns SQL for the text row of a document that a reader of `locale` sees. */
const shownTextSql = (table: string, document: string, locale: string) => `
  (select * from ${table} x where x.document_id = ${document} order by array_position(array[${locale}, 'en', 'ru', 'uz', 'kaa']::text[], x.locale::text) limit 1)`

const region = (document: string, locale: string) => `left join lateral (
  select ${regionObject} as entry from regions r cross join lateral ${shownTextSql('regions_texts', 'r.id', locale)} rt where r.id = ${document}.region_id) region on true`

const newsJoins = `${region('d', 't.locale')}
  left join lateral (
    select coalesce(json_agg(json_build_object('id', gt.id, 'attributes', json_build_object(
      'name', gt.name, 'slug', gt.slug, 'color', g.color, ${stampSql('gt', 'g')})) order by l.position, g.id), '[]') as entries
      from news_tags l join tags g on g.id = l.target_id cross join lateral ${shownTextSql('tags_texts', 'g.id', 't.locale')} gt
     where l.holder_id = d.id) tags on true`

interface Listing {
  object: string
  from: string
  joinSql: string
  where: string
  order: string
  page: number
  size: number
}

function writeListSql({ object, from, joinSql: joins, where, order, page, size }: Listing): string {
  return `with page as (select t.id from ${from} where ${where} order by ${order} limit ${size} offset ${(page - 1) * size}),
    totals as (select count(*)::int as total from ${from} where ${where})
    select json_build_object(
      'data', (select coalesce(json_agg(${object} order by ${order}), '[]') from page join (${from}) on t.id = page.id ${joins}),
      'meta', json_build_object('pagination', json_build_object('page', ${page}, 'pageSize', ${size},
        'pageCount', ceil(total / ${size}.0), 'total', total))) from totals`
}

const newsSource = 'news_texts t join news d on d.id = t.document_id'
const populatedQuery = 'populate[region]=true&populate[tags]=true'
const newsListing = { object: newsObject, from: newsSource, joinSql: newsJoins, size: 15 }

/**
 * A list of Russian news with region and tags: its query, and its condition and order in the hand-written
 * statement.
 */
interface NewsList {
  name: string
  query: string
  where?: string
  order?: string
  page?: number
}

/** Makes the case of a list of Russian news, with a hand-written statement. */
function newsCase({ name, query, where = 'true', order = 't.created_at desc, t.id', page = 1 }: NewsList): BenchCase {
  const condition = `t.locale = 'ru' and ${where}`
  return {
    name,
    method: 'GET',
    path: `/api/news?locale=ru&${query}&pagination[page]=${page}&${populatedQuery}`,
    handWrittenSql: writeListSql({ ...newsListing, where: condition, order, page }),
  }
}

/** Makes the cases of lists ordered by a time or a value, whole and filtered. */
function newestCases(region: number): BenchCase[] {
  const newestQuery = 'sort=createdAt:desc'
  const containsQuery = (path: string, text: string) => `filters${path}[$containsi]=${encodeURIComponent(text)}`
  return [
    newsCase({ name: 'list of 15, newest first, total', query: newestQuery }),
    newsCase({
      name: 'title contains a word, one region, page 3',
      query: `${newestQuery}&${containsQuery('[title]', 'полив')}&filters[region]=${region}`,
      where: `t.title ilike '%полив%' and d.region_id = (select document_id from regions_texts where id = ${region})`,
      page: 3,
    }),
    newsCase({ name: 'page 600, newest first', query: newestQuery, page: 600 }),
    newsCase({ name: 'list by title', query: 'sort=title', order: 't.title_sort, t.id' }),
    newsCase({
      name: 'description contains two words, newest',
      query: `${newestQuery}&${containsQuery('[description]', 'хлопок почва')}`,
      where: `t.description ilike '%хлопок почва%'`,
    }),
    newsCase({
      name: 'title contains a or b, newest',
      query: `${newestQuery}&${containsQuery('[$or][0][title]', 'шафран')}&${containsQuery('[$or][1][title]', 'полив сад')}`,
      where: `(t.title ilike '%шафран%' or t.title ilike '%полив сад%')`,
    }),
    newsCase({
      name: 'search of two words, newest',
      query: `${newestQuery}&_q=${encodeURIComponent('полив сад')}`,
      where: `t.search like '%poliv sad%'`,
    }),
    newsCase({
      name: 'by views, page 40',
      query: 'sort=views:desc',
      order: 'd.views desc, t.id',
      page: 40,
    }),
    newsCase({ name: 'active, newest first', query: `${newestQuery}&filters[active]=true`, where: 'd.active' }),
  ]
}

/**
 * Makes the cases of the bench on filled tables.
 *
 * @param ids - Ids of a Russian news record, of a region and of tags.
 * @param account - The body of a sign-in.
 */
export function benchCases(
  ids: { news: number; region: number; tags: readonly number[] },
  account: object,
): readonly BenchCase[] {
  const text = { description: 'Виды на урожай, цены на семена и погода на неделю. '.repeat(4) }
  const content = `<p>${'Полив, всходы, защита растений и сбор урожая. '.repeat(20)}</p>`
  return [
    {
      name: '15 news with region and tags',
      method: 'GET',
      path: `/api/news?locale=ru&${populatedQuery}`,
      handWrittenSql: writeListSql({ ...newsListing, where: `t.locale = 'ru'`, order: 't.id', page: 1 }),
    },
    {
      name: 'the same, newest first, other languages where Russian is missing',
      method: 'GET',
      path: `/api/news?locale=ru&fallback=true&sort=date:desc&${populatedQuery}`,
      handWrittenSql: writeListSql({
        ...newsListing,
        where: `not exists (select 1 from news_texts x where x.document_id = d.id and array_position(array['ru', 'en', 'uz', 'kaa']::text[], x.locale::text) < array_position(array['ru', 'en', 'uz', 'kaa']::text[], t.locale::text))`,
        order: 'd.date desc, t.id',
        page: 1,
      }),
    },
    {
      name: 'a search in one region, page 3',
      method: 'GET',
      path: `/api/news?locale=ru&_q=${encodeURIComponent('хлопок')}&filters[region]=${ids.region}&pagination[page]=3&${populatedQuery}`,
      handWrittenSql: writeListSql({
        ...newsListing,
        where: `t.locale = 'ru' and t.search like '%xlopok%' and d.region_id = (select document_id from regions_texts where id = ${ids.region})`,
        order: 't.id',
        page: 3,
      }),
    },
    ...newestCases(ids.region),
    {
      name: 'page 600',
      method: 'GET',
      path: `/api/news?locale=ru&pagination[page]=600&${populatedQuery}`,
      handWrittenSql: writeListSql({ ...newsListing, where: `t.locale = 'ru'`, order: 't.id', page: 600 }),
    },
    {
      name: 'one news item with region and tags',
      method: 'GET',
      path: `/api/news/${ids.news}?${populatedQuery}`,
      handWrittenSql: `select json_build_object('data', ${newsObject}, 'meta', json_build_object()) from ${newsSource} ${newsJoins} where t.id = ${ids.news}`,
    },
    {
      name: '100 districts with their region',
      method: 'GET',
      path: '/api/districts?locale=ru&populate=region&pagination[pageSize]=100',
      handWrittenSql: writeListSql({
        object: `json_build_object('id', t.id, 'attributes', json_build_object('name', t.name, 'code', d.code, 'type', d.type,
          'lat', d.lat, 'lng', d.lng, 'order', d."order", ${stampSql('t', 'd')}, 'region', json_build_object('data', region.entry)))`,
        from: 'districts_texts t join districts d on d.id = t.document_id',
        joinSql: region('d', 't.locale'),
        where: `t.locale = 'ru'`,
        order: 't.id',
        page: 1,
        size: 100,
      }),
    },
    {
      name: 'create with region and tags',
      method: 'POST',
      path: `/api/news?locale=ru&${populatedQuery}`,
      body: JSON.stringify({ data: { title: 'Новость [<id>]', ...text, content, region: ids.region, tags: ids.tags } }),
    },
    {
      name: 'update with tags',
      method: 'PUT',
      path: `/api/news/${ids.news}?${populatedQuery}`,
      body: JSON.stringify({ data: { title: 'Новость [<id>]', tags: ids.tags } }),
    },
    { name: 'sign in', method: 'POST', path: '/api/auth/local', body: JSON.stringify(account) },
  ]
}

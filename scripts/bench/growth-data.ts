/**
 * The rows of `growth.ts`. The database makes the rows from a few thousand sentences, because a million
 * single inserts are too slow.
 */
import type { Database } from '../../packages/server/src/db/database.ts'

const latinWords =
  'water soil wheat cotton melon orchard harvest irrigation tractor seed market price season field export greenhouse livestock dairy credit subsidy training fertiliser drought cluster pasture silk rice maize potato onion carrot grape apricot pomegranate poultry fishery beekeeping storage logistics insurance'
const cyrillicWords =
  'вода почва пшеница хлопок урожай рынок цена сезон поле экспорт теплица кредит обучение удобрение рис'

/** Number of generated sentences of each kind, which the texts are built from. */
const sentences = 20_000

const makeNameList = (text: string) =>
  `array[${text
    .split(' ')
    .map((listedWord) => `'${listedWord}'`)
    .join(',')}]`

/** Returns SQL for a number below `most` that is fixed by the row's number and a salt. */
const drawWordSql = (rowNumber: string, salt: number, limit: number) =>
  `((hashint8extended(${rowNumber}, ${salt}) & 2147483647) % ${limit})`

/** Returns SQL for a number of words, drawn anew for each row. */
const wordsSql = (list: string, count: number) =>
  Array.from(
    { length: count },
    (_, wordIndex) => `(${list})[1 + ${drawWordSql('n', wordIndex + 1, list.split(',').length)}]`,
  ).join(` || ' ' || `)

/** Returns SQL for one of the generated sentences, drawn for each row. */
const sentenceSql = (table: string, salt: number) =>
  `(select s.words from ${table} s where s.id = ${drawWordSql('n', salt, sentences)})`

/** SQL that creates 14 regions, 50 tags and the generated sentences. */
const referenceRowsSql = `
  insert into regions (id, source_locale, code, "order") overriding system value
    select n, 'en', 'growth-' || n, n from generate_series(1, 14) n;
  insert into regions_texts (document_id, locale, name) select n, 'en', 'Region ' || lpad(n::text, 2, '0') from generate_series(1, 14) n;
  insert into tags (id, source_locale, color) overriding system value select n, 'en', '#1a2b3c' from generate_series(1, 50) n;
  insert into tags_texts (document_id, locale, name) select n, 'en', 'Tag ' || lpad(n::text, 2, '0') from generate_series(1, 50) n;
  create unlogged table growth_short (id integer primary key, words text);
  create unlogged table growth_long (id integer primary key, words text);
  create unlogged table growth_cyrillic (id integer primary key, words text);
  insert into growth_short select n, ${wordsSql(makeNameList(latinWords), 32)} from generate_series(0, ${sentences - 1}) n;
  insert into growth_long select n, '<p><strong>' || ${wordsSql(makeNameList(latinWords), 1)} || '</strong> ' || ${wordsSql(makeNameList(latinWords), 44)} || '.</p>' from generate_series(0, ${sentences - 1}) n;
  insert into growth_cyrillic select n, ${wordsSql(makeNameList(cyrillicWords), 12)} from generate_series(0, ${sentences - 1}) n;
  analyze growth_short; analyze growth_long; analyze growth_cyrillic;`

/**
 * SQL of news in one language, 2.7 kB each: a title of six words, a description in two alphabets, six
 * paragraphs.
 */
const newsSql = (rows: number) => `
  insert into news (id, source_locale, kind, date, views, active, region_id) overriding system value
    select n, 'en', (array['news', 'announcement', 'event'])[1 + n % 3], date '2024-01-01' + n / 1000,
           case when n % 4 = 0 then 0 else ${drawWordSql('n', 70, 10_000)} end, n % 10 <> 0, 1 + ${drawWordSql('n', 71, 14)}
      from generate_series(1, ${rows}) n;
  insert into news_texts (document_id, locale, title, description, content, created_at, updated_at)
    select n, 'en', ${wordsSql(makeNameList(latinWords), 6)} || ' ' || n,
           ${sentenceSql('growth_short', 51)} || ' ' || ${sentenceSql('growth_cyrillic', 52)},
           ${[53, 54, 55, 56, 57, 58].map((salt) => sentenceSql('growth_long', salt)).join(' || ')},
           timestamptz '2024-01-01' + n * interval '1 minute', timestamptz '2024-01-01' + n * interval '1 minute'
      from generate_series(1, ${rows}) n;
  insert into news_tags (holder_id, target_id, position)
    select n, 1 + (${drawWordSql('n', 80, 16)} + place * 16)::int, place
      from generate_series(1, ${rows}) n, generate_series(0, 2) place;`

/**
 * Fills an empty database with news. Creating the indexes afterwards takes a third of the time.
 *
 * @param database - A migrated database without rows.
 * @param rows - Number of news.
 */
export async function fillNews(database: Database, rows: number): Promise<void> {
  await database.session(async (session) => {
    const tables = `('news', 'news_texts', 'news_tags')`
    const indexes = (await session.script(
      `select indexname as name, indexdef as definition from pg_indexes
        where tablename in ${tables} and schemaname = 'public' and indexname not in (select conname from pg_constraint)`,
    )) as { name: string; definition: string }[]
    await session.script(
      `set statement_timeout = 0; set session_replication_role = replica; set synchronous_commit = off;
       set maintenance_work_mem = '1GB'`,
    )
    for (const { name } of indexes) await session.script(`drop index "${name}"`)
    await session.script(referenceRowsSql)
    await session.script(newsSql(rows))
    for (const { definition } of indexes) await session.script(definition)
    await session.script('drop table growth_short; drop table growth_long; drop table growth_cyrillic')
    await session.script('vacuum analyze')
    await session.script(
      'set session_replication_role = origin; set statement_timeout = 5000; set synchronous_commit = on; reset maintenance_work_mem',
    )
  })
}

/**
 * Creates the rows that the bench reads. The database makes them itself, because ten thousand single inserts
 * are too slow.
 */

/** Words of agriculture in the four languages, so that searches find some rows and not all. */
const vocabulary = {
  en: 'cotton wheat harvest irrigation seed orchard soil fertiliser market district farmer greenhouse melon vineyard',
  ru: 'хлопок пшеница урожай полив семена сад почва удобрение рынок район фермер теплица дыня виноградник',
  uz: 'paxta bugʻdoy hosil sugʻorish urugʻ bogʻ tuproq oʻgʻit bozor tuman fermer issiqxona qovun uzumzor',
  kaa: 'paxta biyday zúráát suwǵarıw tuqım baǵ topıraq tógin bazar rayon fermer ıssıxana qawın júzimgershilik',
} as const

const wordArray = (locale: keyof typeof vocabulary) =>
  `array[${vocabulary[locale]
    .split(' ')
    .map((vocabularyWord) => `'${vocabularyWord}'`)
    .join(',')}]`

/** Returns the k-th word of the n-th row's text, mixed enough that neighbours differ. */
const wordSql = (wordIndex: number) =>
  `w.words[1 + (n.id * ${7 * wordIndex + 3} + n.id / ${wordIndex + 2}) % array_length(w.words, 1)]`

/**
 * SQL that fills regions, districts, tags and news in all four languages, each text about 1.2 kB long. Rows
 * of the seed stay in the tables.
 *
 * @param newsCount - Number of news.
 * @param repeats - How often each text repeats its words.
 */
export function fillSql(newsCount: number, repeats = 30): string {
  const languageRowsSql = `cross join (values ${Object.keys(vocabulary)
    .map((locale) => `('${locale}', ${wordArray(locale as keyof typeof vocabulary)})`)
    .join(', ')}) as w (locale, words)`
  const sentence = `initcap(${wordSql(1)}) || ' ' || ${wordSql(2)} || ' ' || ${wordSql(3)} || ' № ' || n.id`
  const paragraph = `'<p>' || repeat(${wordSql(4)} || ', ' || ${wordSql(5)} || ' ' || ${wordSql(6)} || '. ', ${repeats}) || '</p>'`
  const nameTextsSql = (table: string, name: string, firstId: string) => `
    insert into ${table}_texts (document_id, locale, ${name})
    select n.id, w.locale, ${sentence} from ${table} n ${languageRowsSql} where n.id > ${firstId} order by n.id, w.locale;`
  return `
    create temporary table before on commit drop as select
      (select coalesce(max(id), 0) from districts) as districts, (select coalesce(max(id), 0) from tags) as tags,
      (select coalesce(max(id), 0) from news) as news;
    insert into districts (source_locale, code, "order", region_id)
    select 'en', 'bench-' || n, n, (select array_agg(id) from regions)[1 + n % (select count(*) from regions)] from generate_series(1, 200) n;
    ${nameTextsSql('districts', 'name', '(select districts from before)')}
    insert into tags (source_locale, color) select 'en', '#1a2b3c' from generate_series(1, 20);
    ${nameTextsSql('tags', 'name', '(select tags from before)')}
    insert into news (source_locale, kind, date, views, featured, region_id)
    select 'en', (array['news', 'announcement', 'event'])[1 + n % 3], date '2024-01-01' + n % 900, n % 1000, n % 10 = 0,
           (select array_agg(id) from regions)[1 + n % (select count(*) from regions)]
      from generate_series(1, ${newsCount}) n;
    insert into news_texts (document_id, locale, title, description, content)
    select n.id, w.locale, ${sentence}, ${wordSql(7)} || ' ' || ${wordSql(8)} || ' ' || ${wordSql(9)}, ${paragraph}
      from news n ${languageRowsSql} where n.id > (select news from before) order by n.id, w.locale;
    insert into news_tags (holder_id, target_id, position)
    select n.id, t.id, t.id from news n join tags t on (n.id + t.id) % 7 = 0 where n.id > (select news from before)
    on conflict do nothing;`
}

/** Returns SQL for a number below `most` that is fixed by the row's number and a salt. */
const drawnNumberSql = (salt: number, upperBound: number | string) =>
  `((hashint4extended(n, ${salt}) & 2147483647) % ${upperBound})::int`

/**
 * SQL that fills what reports count, over the last 400 days: consultations, five times as many messages in
 * conversations of ten, and two and a half times as many prices.
 *
 * @param consultations - Number of consultations.
 */
export function fillReportsSql(consultations: number): string {
  const regions = `(select array_agg(id) from regions)`
  const pickItemSql = (list: string, salt: number) => `${list}[1 + ${drawnNumberSql(salt, `cardinality(${list})`)}]`
  const rooms = Math.ceil(consultations / 10)
  const [messages, episodeLength] = [50, 10]
  const [days, products] = [400, 25]
  const districts = Math.max(1, Math.round((consultations * 2.5) / days / products))
  return `
    create temporary table places on commit drop as select ${regions} as regions,
      (select array_agg(id) from consultationcategories) as categories;
    insert into users (username, email, password, role_id, region_id, is_consultant, created_at, last_seen_at)
    select 'bench-' || n, 'bench-' || n || '@example.org', '', (select id from roles where type = 'authenticated'),
           ${pickItemSql('p.regions', 1)}, n % 100 = 0, now() - n * interval '1 hour', now() - n * interval '10 minutes'
      from generate_series(1, 5000) n cross join places p;
    create temporary table consultants on commit drop as select array_agg(id) as ids from users where is_consultant;
    insert into consultations (question, language, region_id, category_id, consultant_id, created_at, answered_at, finished_at, rating)
    select 'Question', (array['en', 'ru', 'uz', 'kaa'])[1 + n % 4], ${pickItemSql('p.regions', 2)}, ${pickItemSql('p.categories', 3)},
           ${pickItemSql('c.ids', 4)}, asked.at, asked.at + ${drawnNumberSql(5, 400)} * interval '1 minute',
           case when n % 20 > 0 then asked.at + (400 + ${drawnNumberSql(6, 4000)}) * interval '1 minute' end, 1 + n % 5
      from generate_series(1, ${consultations}) n cross join places p cross join consultants c
     cross join lateral (select now() - (${drawnNumberSql(7, days * 1440)} + 5000) * interval '1 minute' as at) asked;
    insert into chatrooms (state, sender_id, receiver_id, region_id, episode, revision, created_at)
    select 'closed', (select min(id) from users where username like 'bench-%') + n % 5000,
           c.ids[1 + (n + n / 5000) % cardinality(c.ids)], ${pickItemSql('p.regions', 8)},
           ${messages / episodeLength}, ${2 * messages + 1}, now() - n * interval '20 minutes'
      from generate_series(1, ${rooms}) n cross join places p cross join consultants c;
    with m as (
      insert into chatmessages (text, kind, seq, room_id, sender_id, created_at)
      select 'Text', 'message', x.seq, r.id, case when x.seq % 2 = 1 then r.sender_id else r.receiver_id end, now() - n * interval '20 seconds'
        from generate_series(1, ${rooms * messages}) n
       cross join lateral (select ${messages} - (n - 1) / ${rooms} as seq) x
        join chatrooms r on r.id = (select max(id) from chatrooms) - n % ${rooms}
      returning id, room_id, seq, sender_id, created_at)
    insert into room_changes (room_id, rev, type, audience, data, message_id, user_id, created_at)
    select room_id, 2 * seq, 'created', 'public', '{}'::jsonb, id, sender_id, created_at from m
    union all
    select room_id, 2 * seq + 1, 'state', 'public', '{"from": "open", "to": "closed"}'::jsonb, null, null, created_at + interval '1 minute'
      from m where seq % ${episodeLength} = 0;
    insert into units (name, short, code, kind, factor) values ('{"en": "kg"}', '{"en": "kg"}', 'bench-kg', 'mass', 1);
    insert into products (source_locale, unit_id) select 'en', (select id from units where code = 'bench-kg') from generate_series(1, ${products});
    insert into products_texts (document_id, locale, name) select x.id, 'en', 'Product ' || x.id from products x
     where not exists (select 1 from products_texts t where t.document_id = x.id);
    insert into pricedates (date, state, published_at)
    select (now() - n * interval '1 day')::date, 'published', now() - n * interval '1 day' from generate_series(0, ${days - 1}) n on conflict do nothing;
    insert into pricelists (product_id, district_id, region_id, pricedate_id, unit_id, price, price_base, origin, created_at)
    select x.id, d.id, d.region_id, e.id, x.unit_id, 1000 + (x.id * 7 + d.id * 3 + e.id) % 400, 1000 + (x.id * 7 + d.id * 3 + e.id) % 400,
           case when (x.id + d.id + e.id) % 9 = 0 then 'carried' else 'entered' end, e.date + interval '9 hours'
      from (select * from products order by id desc limit ${products}) x
     cross join (select * from districts order by id limit ${districts}) d cross join pricedates e
     order by e.date;`
}

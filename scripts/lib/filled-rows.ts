/**
 * Creates the rows that the bench reads. The database makes them itself, because ten thousand single inserts
 * are too slow.
 */

/** Words of agriculture in the four languages, so that searches find some rows and not all. */
const words = {
  en: 'cotton wheat harvest irrigation seed orchard soil fertiliser market district farmer greenhouse melon vineyard',
  ru: 'хлопок пшеница урожай полив семена сад почва удобрение рынок район фермер теплица дыня виноградник',
  uz: 'paxta bugʻdoy hosil sugʻorish urugʻ bogʻ tuproq oʻgʻit bozor tuman fermer issiqxona qovun uzumzor',
  kaa: 'paxta biyday zúráát suwǵarıw tuqım baǵ topıraq tógin bazar rayon fermer ıssıxana qawın júzimgershilik',
} as const

const wordArray = (locale: keyof typeof words) =>
  `array[${words[locale]
    .split(' ')
    .map((word) => `'${word}'`)
    .join(',')}]`

/** Returns the k-th word of the n-th row's text, mixed enough that neighbours differ. */
const word = (k: number) => `w.words[1 + (n.id * ${7 * k + 3} + n.id / ${k + 2}) % array_length(w.words, 1)]`

/**
 * SQL that fills regions, districts, tags and news in all four languages, each text about 1.2 kB long. Rows
 * of the seed stay in the tables.
 *
 * @param news - Number of news.
 * @param repeats - How often each text repeats its words.
 */
export function fillSql(news: number, repeats = 30): string {
  const languageRowsSql = `cross join (values ${Object.keys(words)
    .map((locale) => `('${locale}', ${wordArray(locale as keyof typeof words)})`)
    .join(', ')}) as w (locale, words)`
  const sentence = `initcap(${word(1)}) || ' ' || ${word(2)} || ' ' || ${word(3)} || ' № ' || n.id`
  const paragraph = `'<p>' || repeat(${word(4)} || ', ' || ${word(5)} || ' ' || ${word(6)} || '. ', ${repeats}) || '</p>'`
  const named = (table: string, name: string, first: string) => `
    insert into ${table}_texts (document_id, locale, ${name})
    select n.id, w.locale, ${sentence} from ${table} n ${languageRowsSql} where n.id > ${first} order by n.id, w.locale;`
  return `
    create temporary table before on commit drop as select
      (select coalesce(max(id), 0) from districts) as districts, (select coalesce(max(id), 0) from tags) as tags,
      (select coalesce(max(id), 0) from news) as news;
    insert into districts (source_locale, code, "order", region_id)
    select 'en', 'bench-' || n, n, (select array_agg(id) from regions)[1 + n % (select count(*) from regions)] from generate_series(1, 200) n;
    ${named('districts', 'name', '(select districts from before)')}
    insert into tags (source_locale, color) select 'en', '#1a2b3c' from generate_series(1, 20);
    ${named('tags', 'name', '(select tags from before)')}
    insert into news (source_locale, kind, date, views, featured, region_id)
    select 'en', (array['news', 'announcement', 'event'])[1 + n % 3], date '2024-01-01' + n % 900, n % 1000, n % 10 = 0,
           (select array_agg(id) from regions)[1 + n % (select count(*) from regions)]
      from generate_series(1, ${news}) n;
    insert into news_texts (document_id, locale, title, description, content)
    select n.id, w.locale, ${sentence}, ${word(7)} || ' ' || ${word(8)} || ' ' || ${word(9)}, ${paragraph}
      from news n ${languageRowsSql} where n.id > (select news from before) order by n.id, w.locale;
    insert into news_tags (holder_id, target_id, position)
    select n.id, t.id, t.id from news n join tags t on (n.id + t.id) % 7 = 0 where n.id > (select news from before)
    on conflict do nothing;`
}

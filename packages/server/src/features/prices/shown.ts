/** SQL of how documents are named in the answers of the price desk. */
import type { Locale } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import { languageOrder } from '../../resources/read/sql-entry.ts'

type Sql = Template<unknown>

const shownText = (column: string, texts: string, document: Sql, locale: Locale) =>
  sql`(select t.${sql.ref(column)} from ${sql.table(texts)} t where t.document_id = ${document} order by ${languageOrder(sql`t.locale`, undefined, locale)} limit 1)`

/** The id by which the wire names a document, the same one in every language of the reader. */
export const wireId = (texts: string, document: Sql): Sql => shownText('id', texts, document, 'en')

/** The name of a document in a language, else in the first that has one. */
export const shownName = (texts: string, document: Sql, locale: Locale): Sql =>
  shownText('name', texts, document, locale)

/** One language of a text in several, else the first that has one (contract §8). */
export function oneLanguage(column: Sql, locale: Locale): Sql {
  const languages = sql.join(
    [locale, 'en', 'ru', 'uz', 'kaa'].map((item) => sql`nullif(${column} ->> ${sql.lit(item)}, '')`),
  )
  return sql`(case jsonb_typeof(${column}) when 'string' then ${column} #>> '{}' else coalesce(${languages}) end)`
}

/** SQL of whether a price waits for a confirmation; one that is only worth a look does not (`mustBeConfirmed` of the model). */
export const mustBeConfirmedSql = (price: Sql): Sql =>
  sql`(${price}.state = 'check' and (${price}.flag ->> 'severity') is distinct from 'look')`

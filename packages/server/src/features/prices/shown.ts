/** SQL of the ids and names of documents in the answers about prices. */
import type { Locale } from '@dala/model'
import { sql, type Template } from '../../db/sql.ts'
import { languageOrder } from '../../resources/read/sql-entry.ts'

type Sql = Template<unknown>

const shownText = (column: string, texts: string, document: Sql, locale: Locale) =>
  sql`(select t.${sql.ref(column)} from ${sql.table(texts)} t where t.document_id = ${document} order by ${languageOrder(sql`t.locale`, undefined, locale)} limit 1)`

/** SQL of the wire id of a document, the same one in every language. */
export const wireId = (texts: string, document: Sql): Sql => shownText('id', texts, document, 'en')

/** SQL of the name of a document in a language, else in the first that has one. */
export const shownName = (texts: string, document: Sql, locale: Locale): Sql =>
  shownText('name', texts, document, locale)

/** SQL of one language of a multilingual text, else of the first that has a value (contract §8). */
export function languageSql(column: Sql, locale: Locale): Sql {
  const languages = sql.join(
    [locale, 'en', 'ru', 'uz', 'kaa'].map((item) => sql`nullif(${column} ->> ${sql.lit(item)}, '')`),
  )
  return sql`(case jsonb_typeof(${column}) when 'string' then ${column} #>> '{}' else coalesce(${languages}) end)`
}

/**
 * SQL of whether a price must be confirmed; one that is only worth a check need not be (`mustBeConfirmed` of
 * the model).
 */
export const mustBeConfirmedSql = (price: Sql): Sql =>
  sql`(${price}.state = 'check' and (${price}.flag ->> 'severity') is distinct from 'look')`

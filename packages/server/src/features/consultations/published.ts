/**
 * Reads the answers that the desk has published (`is_public`): for every user, without data about the
 * customer.
 */
import type { Locale, PublishedAnswer } from '@dala/model'
import { documentTable } from '../../db/schema.ts'
import { sql, type Template } from '../../db/sql.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { EnteredCall, FeatureRoutes } from '../../resources/feature-routes.ts'
import { pageSql } from '../../resources/read/pages.ts'
import { maskPrivate } from '../../domain/conversations/mask.ts'
import { readPagination } from '../../resources/read/parse-query.ts'
import { presentPagination } from '../../resources/read/read.ts'

/** Category, region and language of the requested answers; a missing key does not restrict the answers. */
interface AnswerFilters {
  category?: number | undefined
  region?: number | undefined
  language?: Locale | undefined
}

type Row = PublishedAnswer & { asker: (string | null)[] | null }

/** Masks rich text piece by piece, so that no tag is mistaken for a name. */
const maskRich = (html: string, names: readonly string[]): string =>
  html
    .split(/(<[^>]*>)/u)
    .map((piece) => maskPrivate(piece, piece.startsWith('<') ? [] : names))
    .join('')

/** SQL of the name of a localized record in a language, else in the first one that it has. */
const localizedNameSql = (resource: 'regions' | 'consultationcategories', column: string, language: string) => sql`
  (select json_build_object('id', t.id, 'name', t.name) from ${sql.table(`${resource}_texts`)} t
    where t.document_id = ${sql.ref(`c.${column}`)} order by (t.locale = ${language}::text) desc, t.id limit 1)`

/** SQL of a condition on a consultation's link, by the wire id of its record. */
const linkConditionSql = (resource: 'regions' | 'consultationcategories', column: string, id: number) =>
  sql`${sql.ref(`c.${column}`)} in (select document_id from ${sql.table(`${resource}_texts`)} where id = ${id})`

const filterConditions = ({ category, region, language }: AnswerFilters): Template<unknown>[] => [
  sql`c.is_public and c.answered_at is not null and c.answer is not null`,
  // An answer whose consultation was reopened afterwards is not published.
  sql`(c.reopened_at is null or c.reopened_at <= c.answered_at)`,
  ...(language === undefined ? [] : [sql`c.language = ${language}`]),
  ...(category === undefined ? [] : [linkConditionSql('consultationcategories', 'category_id', category)]),
  ...(region === undefined ? [] : [linkConditionSql('regions', 'region_id', region)]),
]

/**
 * Reads a page of the published answers, newest first.
 *
 * @returns The answers with their questions; names, numbers and addresses of the customer are masked in both.
 * @throws 400 for a wrong value of the query.
 */
export async function readPublished(
  { database }: FeatureRoutes,
  { caller, query }: EnteredCall,
  narrowing: AnswerFilters,
) {
  const pagination = readPagination(query.pagination)
  const where = sql.join(filterConditions(narrowing), sql` and `)
  const table = sql.table(documentTable(resourceNamed('consultations')))
  const [counted] = await database.query(sql<{ total: number }>`
    select count(*)::int as total from ${table} c where ${where}`)
  const rows = await database.query(sql<Row>`
    select c.id, c.question, c.answer, c.language, c.answered_at,
           ${localizedNameSql('consultationcategories', 'category_id', caller.language)} as category,
           ${localizedNameSql('regions', 'region_id', caller.language)} as region,
           (select json_build_array(u.name, u.surname, u.middlename, u.username) from users u where u.id = c.user_id) as asker
      from ${table} c where ${where} order by c.answered_at desc, c.id desc ${pageSql(pagination)}`)
  const data = rows.map(({ asker, ...answer }): PublishedAnswer => {
    const names = (asker ?? []).filter((name) => name !== null)
    return { ...answer, question: maskPrivate(answer.question, names), answer: maskRich(answer.answer, names) }
  })
  return {
    data,
    meta: { pagination: presentPagination(pagination, pagination.withCount ? counted?.total : undefined) },
  }
}

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
import { readPagination } from '../../resources/read/parse-query.ts'
import { presentPagination } from '../../resources/read/read.ts'
import { type AnswerSides, askerSql, maskedAnswer, namedSql, validAnswerSql } from './masked-answer.ts'

/** Category, region and language of the requested answers; a missing key does not restrict the answers. */
interface AnswerFilters {
  category?: number | undefined
  region?: number | undefined
  language?: Locale | undefined
}

/** SQL of a condition on a consultation's link, by the wire id of its record. */
const linkConditionSql = (resource: 'regions' | 'consultationcategories', column: string, id: number) =>
  sql`${sql.ref(`c.${column}`)} in (select document_id from ${sql.table(`${resource}_texts`)} where id = ${id})`

const filterConditions = ({ category, region, language }: AnswerFilters): Template<unknown>[] => [
  sql`c.is_public and ${validAnswerSql('c')}`,
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
export async function readPublishedAnswers(
  { database }: FeatureRoutes,
  { caller, query }: EnteredCall,
  answerFilters: AnswerFilters,
) {
  const pagination = readPagination(query.pagination)
  const whereSql = sql.join(filterConditions(answerFilters), sql` and `)
  const table = sql.table(documentTable(resourceNamed('consultations')))
  const [countedRows] = await database.query(sql<{ total: number }>`
    select count(*)::int as total from ${table} c where ${whereSql}`)
  const rows = await database.query(sql<PublishedAnswer & AnswerSides>`
    select c.id, c.question, c.answer, c.language, c.answered_at,
           ${namedSql('consultationcategories', 'c.category_id', caller.language)} as category,
           ${namedSql('regions', 'c.region_id', caller.language)} as region,
           ${askerSql('c')}
      from ${table} c where ${whereSql} order by c.answered_at desc, c.id desc ${pageSql(pagination)}`)
  return {
    data: rows.map((row): PublishedAnswer => maskedAnswer(row)),
    meta: { pagination: presentPagination(pagination, pagination.withCount ? countedRows?.total : undefined) },
  }
}

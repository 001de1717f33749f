/** Finds answered consultations whose questions resemble a question (chat §5). */
import { fault, type Locale, rankOfRole, type SimilarAnswer } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { belongsToDesk } from '../../domain/delivery/sockets.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { EnteredCall, FeatureRoutes } from '../../resources/feature-routes.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { type AnswerSides, askerSql, maskedAnswer, namedSql, validAnswerSql } from './masked-answer.ts'

/** Maximum number of answers that are returned. */
const maxShownAnswers = 5
/** Maximum numbers of compared questions, newest first: of the same category, and of all others. */
const maxComparedQuestions = { same: 3_000, other: 1_500 }
/** Trigram similarity below which questions are not similar. */
const minSimilarity = 0.2

type Row = (SimilarAnswer & AnswerSides) | { id: null; asker: null }

/**
 * Finds the answered consultations that are most similar to a question: those of its category first, then
 * others. A consultant finds their own consultations and published ones, staff all.
 *
 * @param routes - The database.
 * @param entered - The caller and the consultations that they may see.
 * @param id - The consultation with the question.
 * @param locale - The language of the categories.
 * @returns At most five; names, numbers and addresses of their customers are masked, because the answer may
 *   be sent to somebody else.
 * @throws 404 for a consultation that the caller may not see, 403 for users outside of the desk.
 */
export async function findSimilarAnswers(
  { database }: FeatureRoutes,
  { caller, view }: EnteredCall,
  id: number,
  locale: Locale,
): Promise<SimilarAnswer[]> {
  if (!belongsToDesk(caller)) throw fault('access.denied')
  const resource = resourceNamed('consultations')
  const isStaff = rankOfRole(caller.role) >= rankOfRole('admin')
  const rows = await runScopedQuery(database, { resource, caller, view }, ({ from, where, document }) => {
    const columnRef = (column: string) => sql.ref(`${document}.${column}`)
    const isCallersSql = sql`(c.consultant_id = ${caller.id} or c.user_id = ${caller.id})`
    const readableSql = isStaff ? sql`true` : sql`(c.is_public or ${isCallersSql})`
    // `materialized` limits the compared questions before their similarity is computed.
    const compareSql = (condition: ReturnType<typeof sql>, limit: number) => sql`(
      select c.id, c.name_key, c.category_id from consultations c cross join own
       where c.id <> own.id and ${condition} and ${validAnswerSql('c')} and ${readableSql}
       order by c.created_at desc, c.id limit ${sql.lit(limit)})`
    return sql<Row>`
      with own as materialized (
        select ${columnRef('id')} as id, ${columnRef('name_key')} as name_key, ${columnRef('category_id')} as category_id
          from ${from} where ${columnRef('id')} = ${id} and ${where}),
      compared as materialized (
        ${compareSql(sql`c.category_id = own.category_id`, maxComparedQuestions.same)}
        union all ${compareSql(sql`(own.category_id is null or c.category_id is distinct from own.category_id)`, maxComparedQuestions.other)}),
      nearest as materialized (
        select * from (
          select c.id, coalesce(c.category_id = own.category_id, false) as same, similarity(c.name_key, own.name_key) as near
            from compared c cross join own) scored
         where near >= ${minSimilarity}::float8 order by same desc, near desc, id desc limit ${sql.lit(maxShownAnswers)})
      select c.id, c.question, c.answer, c.answered_at, c.is_public,
             ${namedSql('consultationcategories', 'c.category_id', locale)} as category, ${askerSql('c')}
        from own left join nearest on true left join consultations c on c.id = nearest.id
       order by nearest.same desc, nearest.near desc, c.id desc`
  })
  if (rows.length === 0) throw fault('record.not-found')
  return rows.flatMap((row): SimilarAnswer[] => (row.id === null ? [] : [maskedAnswer(row)]))
}

/** Answered consultations for others than their customers: without data about the customer. */
import { sql, type Template } from '../../db/sql.ts'
import { maskPrivate } from '../../domain/conversations/mask.ts'

/** Names of the customer of a consultation, which are masked in its texts. */
export interface AnswerSides {
  asker: (string | null)[] | null
}

interface Texts {
  question: string
  answer: string
}

/** Masks rich text piece by piece, so that no tag is mistaken for a name. */
const maskRich = (html: string, names: readonly string[]): string =>
  html
    .split(/(<[^>]*>)/u)
    .map((htmlPiece) => maskPrivate(htmlPiece, htmlPiece.startsWith('<') ? [] : names))
    .join('')

/** Masks names, numbers and addresses of the customer in the question and the answer. */
export function maskedAnswer<T extends Texts>({ asker, ...answer }: T & AnswerSides): Omit<T & AnswerSides, 'asker'> {
  const names = (asker ?? []).filter((name) => name !== null)
  return { ...answer, question: maskPrivate(answer.question, names), answer: maskRich(answer.answer, names) }
}

/** SQL of the column `asker` for the rows of an alias. */
export const askerSql = (alias: string): Template<unknown> => sql`(
  select json_build_array(u.name, u.surname, u.middlename, u.username) from users u
   where u.id = ${sql.ref(`${alias}.user_id`)}) as asker`

/**
 * SQL of whether a consultation has an answer that is still valid: one whose consultation was reopened
 * afterwards is not.
 */
export const validAnswerSql = (alias: string): Template<boolean> => {
  const columnRef = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<boolean>`(${columnRef('answered_at')} is not null and ${columnRef('answer')} is not null
    and (${columnRef('reopened_at')} is null or ${columnRef('reopened_at')} <= ${columnRef('answered_at')}))`
}

/** SQL of the name of a localized record in a language, else in the first one that it has. */
export const namedSql = (
  resource: 'regions' | 'consultationcategories',
  column: string,
  language: string,
): Template<unknown> => sql`
  (select json_build_object('id', t.id, 'name', t.name) from ${sql.table(`${resource}_texts`)} t
    where t.document_id = ${sql.ref(column)} order by (t.locale = ${language}::text) desc, t.id limit 1)`

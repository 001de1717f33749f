/** Statements as templates: SQL in a template is inserted, every other value becomes a parameter. */
import tag, { empty, join, raw, Sql } from 'sql-template-tag'
import type { Statement } from './driver.ts'

/** SQL with its parameters; `T` is the type of its rows, where it is a whole statement. */
export type Template<T> = Sql & { readonly row?: T } & PlanOptions

/** Options of a statement: whether it recurs, and whether each run needs its own plan. */
type PlanOptions = Pick<Statement, 'mustReplan' | 'isRecurring'>

const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Quotes a name in SQL, optionally with its table or schema: `t1.id` becomes `"t1"."id"`. */
const ref = (name: string): Template<unknown> => raw(name.split('.').map(quoteIdentifier).join('.'))

export const sql = Object.assign(
  <T = unknown>(texts: TemplateStringsArray, ...values: unknown[]): Template<T> => tag(texts, ...values),
  {
    ref,
    /** Quotes the name of a table, optionally with its schema. */
    table: ref,
    /** Quotes one name, which may contain a full stop. */
    id: (name: string): Template<unknown> => raw(quoteIdentifier(name)),
    /** Inserts a constant of the program as part of a statement's text. */
    lit: (value: string | number | boolean | null): Template<unknown> =>
      raw(typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)),
    /** Inserts SQL text into a statement unchanged. */
    raw: (text: string): Template<unknown> => raw(text),
    /** Joins items with a separator, by default a comma. */
    join: (items: readonly unknown[], separatorSql: Template<unknown> = raw(', ')): Template<unknown> =>
      items.length > 0 ? join(items, separatorSql.text) : empty,
  },
)

/**
 * Text and parameters of a template.
 *
 * @param template - The whole statement.
 * @returns The text with `$1`, `$2` … in it, and the parameters in that order.
 */
export const compileTemplate = ({ text, values, mustReplan, isRecurring }: Template<unknown>): Statement => ({
  sql: text,
  parameters: values,
  ...(mustReplan && { mustReplan }),
  ...(isRecurring && { isRecurring }),
})

/**
 * Returns a statement of SQL with other parameters, or with its planning options.
 *
 * @param template - The statement.
 * @param planning - Whether its text recurs, and whether each run needs its own plan.
 * @param valueOf - The value of a parameter; absent when the parameters stay.
 * @returns The same text with these parameters.
 */
export const plannedTemplate = <T>(
  template: Template<T>,
  planning: PlanOptions,
  valueOf: (parameter: unknown) => unknown = (parameter) => parameter,
): Template<T> => Object.assign(new Sql(template.strings, template.values.map(valueOf)), planning)

/**
 * Returns a statement of SQL whose text begins in another way.
 *
 * @param template - The whole statement.
 * @param change - Returns the new beginning for the text before the first parameter.
 * @returns The statement with the same parameters.
 */
export function withChangedBeginning<T>(template: Template<T>, change: (text: string) => string): Template<T> {
  const [firstText = '', ...otherTexts] = template.strings
  return Object.assign(new Sql([change(firstText), ...otherTexts], template.values), {
    ...(template.mustReplan && { mustReplan: template.mustReplan }),
    ...(template.isRecurring && { isRecurring: template.isRecurring }),
  })
}

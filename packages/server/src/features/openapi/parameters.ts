/** The query language of the API (contract §5, §6, §8): shared query keys and filter conditions. */
import {
  defaultPageSize,
  type JsonSchema,
  locales,
  maxOffset,
  maxPageSize,
  type Operator,
  operatorsOf,
  type Storage,
} from '@dala/model'
import { listOf, type QueryKey, schemaRef } from '../../http/description.ts'

const text: JsonSchema = { type: 'string' }
const whole: JsonSchema = { type: 'integer' }
const texts: JsonSchema = { anyOf: [text, listOf(text)] }

/** What each operator matches, in the terms of contract §6. */
const meanings: Readonly<Record<Operator, string>> = {
  $eq: 'equal; a list means any of them',
  $ne: 'not equal; rows without a value are left out',
  $eqi: 'equal in any letter case',
  $nei: 'not equal in any letter case',
  $lt: 'less',
  $lte: 'less or equal',
  $gt: 'greater',
  $gte: 'greater or equal',
  $in: 'one of a list',
  $notIn: 'none of a list; rows without a value are left out',
  $contains: 'has this part',
  $notContains: 'has no such part',
  $containsi: 'has this part in any letter case',
  $notContainsi: 'has no such part in any letter case',
  $startsWith: 'begins with',
  $endsWith: 'ends with',
  $startsWithi: 'begins with, in any letter case',
  $endsWithi: 'ends with, in any letter case',
  $null: 'true: has no value; false: has one',
  $notNull: 'true: has a value; false: has none',
  $between: 'two values, both included',
}

const lists: ReadonlySet<Operator> = new Set(['$in', '$notIn', '$between', '$eq', '$ne'])

function operandOf(operator: Operator): JsonSchema {
  const truth = operator === '$null' || operator === '$notNull'
  const schema = truth ? { type: 'string', enum: ['true', 'false', '1', '0', 't'] } : lists.has(operator) ? texts : text
  return { ...schema, description: meanings[operator] }
}

/** The schema of a condition for each storage type: a value, or operators with values that must all match. */
export function conditionSchemas(): Record<string, JsonSchema> {
  const condition = (name: string, operators: readonly Operator[], nested: boolean): [string, JsonSchema] => {
    const conditionRef = schemaRef(`Condition.${name}`)
    const properties = {
      ...Object.fromEntries(operators.map((operator) => [operator, operandOf(operator)])),
      ...(nested && { $not: conditionRef, $and: listOf(conditionRef), $or: listOf(conditionRef) }),
    }
    return [`Condition.${name}`, { anyOf: [texts, { type: 'object', properties, additionalProperties: false }] }]
  }
  const storages: Storage[] = ['text', 'integer', 'decimal', 'boolean', 'date', 'timestamp', 'json']
  return Object.fromEntries([
    ...storages.map((storage) => condition(storage, operatorsOf[storage], true)),
    condition('link', ['$eq', '$ne', '$in', '$notIn', '$null', '$notNull'], false),
  ])
}

/** `filters` of a resource. */
export const filtersOf = (resource: string): QueryKey => ({
  name: 'filters',
  description:
    '`filters[attribute][$operator]=value`; without an operator it is `$eq`. Several are joined with and; `$and`, `$or` and `$not` nest. Links take an id or conditions on the other record: `filters[region][name][$containsi]=x`.',
  schema: schemaRef(`${resource}.Filters`),
})

/** Query keys by the name that descriptions use for them. */
export const sharedKeys: Readonly<Record<string, QueryKey>> = {
  sort: {
    name: 'sort',
    description:
      '`sort=title`, `sort=title:desc`, several with commas, as a list or an object; through links `sort=region.name`. Then by id. Missing values stand last, with `desc` first.',
    schema: { anyOf: [texts, { type: 'object' }] },
  },
  fields: {
    name: 'fields',
    description:
      'Attributes to show, `fields=title` or `fields[0]=title&fields[1]=date`; `*` means all. `id` always stays.',
    schema: texts,
  },
  populate: {
    name: 'populate',
    description:
      '`*` for every link of the first level, names with commas, `region.districts` for deeper ones, or an object: `populate[tags][fields][0]=name`, where `fields`, `sort`, `filters` and `populate` are those of the other record. At most 5 levels and 20 links.',
    schema: { anyOf: [texts, { type: 'object' }] },
  },
  pagination: {
    name: 'pagination',
    description: `\`pagination[page]\` and \`[pageSize]\`, or \`[start]\` and \`[limit]\`, never both. ${defaultPageSize} rows when absent, ${maxPageSize} at most, an offset of ${maxOffset} at most. \`[withCount]=false\` leaves the totals out.`,
    schema: {
      type: 'object',
      properties: {
        page: whole,
        pageSize: whole,
        start: whole,
        limit: { ...whole, description: '-1 asks for as many as there may be' },
        withCount: { type: 'boolean' },
      },
    },
  },
  search: {
    name: '_q',
    description: 'A part of any text attribute; a number also equals any number attribute.',
    schema: text,
  },
  locale: {
    name: 'locale',
    description:
      'Language of the entries, `en` when absent; `all` for every language. Related records are shown in the language of their parent, else in this one, else in the first of en, ru, uz, kaa.',
    schema: { type: 'string', examples: [...locales, 'all'] },
  },
  language: {
    name: 'locale',
    description: 'Language of the entry, `en` when absent.',
    schema: { type: 'string', enum: locales },
  },
  relatedLocale: {
    name: 'locale',
    description: 'Language in which related records are shown.',
    schema: { type: 'string' },
  },
  family: {
    name: 'locale',
    description: '`all` removes every language of the record; else only this entry goes.',
    schema: { type: 'string' },
  },
  fallback: {
    name: 'fallback',
    description:
      '`true`: one row a document, in the language asked for, else in the first of en, ru, uz, kaa that exists. Filters, sort and totals look at the row shown.',
    schema: { type: 'boolean' },
  },
  missingLocale: {
    name: 'missing_locale',
    description: 'Keeps the documents without an entry in this language.',
    schema: { type: 'string', enum: locales },
  },
  outdatedLocale: {
    name: 'outdated_locale',
    description: 'Keeps the documents whose entry in this language is older than its source.',
    schema: { type: 'string', enum: locales },
  },
}

/** Headers by the name descriptions use for them. */
export const sharedHeaders: Readonly<Record<string, unknown>> = {
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key of the caller’s own making, kept for 24 hours: the same key with the same body gives the first answer again, with another body 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  viewAs: {
    name: 'X-View-As',
    in: 'header',
    description:
      'Answers as a weaker role would be answered, for staff who outrank it; nothing can be changed with it.',
    schema: { type: 'string', enum: ['authenticated', 'consultant', 'admin', 'super-admin'] },
  },
}

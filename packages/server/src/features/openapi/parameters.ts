/** Describes the query language of the API (contract §5, §6, §8): shared query keys and filter conditions. */
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
const integerSchema: JsonSchema = { type: 'integer' }
const texts: JsonSchema = { anyOf: [text, listOf(text)] }

/** Meaning of each operator of a filter, in the terms of contract §6. */
const operatorMeanings: Readonly<Record<Operator, string>> = {
  $eq: 'equal; with a list, equal to one of its values',
  $ne: 'not equal; rows without a value are left out',
  $eqi: 'equal in any letter case',
  $nei: 'not equal in any letter case',
  $lt: 'less',
  $lte: 'less or equal',
  $gt: 'greater',
  $gte: 'greater or equal',
  $in: 'one of a list',
  $notIn: 'none of a list; rows without a value are left out',
  $contains: 'contains this text',
  $notContains: 'does not contain this text',
  $containsi: 'contains this text, in any letter case',
  $notContainsi: 'does not contain this text, in any letter case',
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
  const isTruth = operator === '$null' || operator === '$notNull'
  const schema = isTruth
    ? { type: 'string', enum: ['true', 'false', '1', '0', 't'] }
    : lists.has(operator)
      ? texts
      : text
  return { ...schema, description: operatorMeanings[operator] }
}

/**
 * Builds the schema of a condition for each storage type: a value, or operators with values that must all
 * match.
 */
export function conditionSchemas(): Record<string, JsonSchema> {
  const condition = (name: string, operators: readonly Operator[], isNested: boolean): [string, JsonSchema] => {
    const conditionRef = schemaRef(`Condition.${name}`)
    const properties = {
      ...Object.fromEntries(operators.map((operator) => [operator, operandOf(operator)])),
      ...(isNested && { $not: conditionRef, $and: listOf(conditionRef), $or: listOf(conditionRef) }),
    }
    return [`Condition.${name}`, { anyOf: [texts, { type: 'object', properties, additionalProperties: false }] }]
  }
  const storages: Storage[] = ['text', 'integer', 'decimal', 'boolean', 'date', 'timestamp', 'json']
  return Object.fromEntries([
    ...storages.map((storage) => condition(storage, operatorsOf[storage], true)),
    condition('link', ['$eq', '$ne', '$in', '$notIn', '$null', '$notNull'], false),
  ])
}

/** Describes the query key `filters` of a resource. */
export const filtersOf = (resource: string): QueryKey => ({
  name: 'filters',
  description:
    '`filters[attribute][$operator]=value`; without an operator, `$eq` is used. Several conditions must all match; `$and`, `$or` and `$not` can be nested. Links accept an id, or conditions on the related record: `filters[region][name][$containsi]=x`.',
  schema: schemaRef(`${resource}.Filters`),
})

/** Shared query keys by the name that descriptions of routes use for them. */
export const sharedKeys: Readonly<Record<string, QueryKey>> = {
  sort: {
    name: 'sort',
    description:
      '`sort=title`, `sort=title:desc`; several attributes separated by commas, as a list or as an object; through links, `sort=region.name`. Equal rows are sorted by id. Missing values come last, with `desc` first.',
    schema: { anyOf: [texts, { type: 'object' }] },
  },
  fields: {
    name: 'fields',
    description:
      'Attributes to return: `fields=title` or `fields[0]=title&fields[1]=date`; `*` means all. `id` is always returned.',
    schema: texts,
  },
  populate: {
    name: 'populate',
    description:
      '`*` for every link of the first level, names separated by commas, `region.districts` for deeper links, or an object: `populate[tags][fields][0]=name`, where `fields`, `sort`, `filters` and `populate` apply to the related record. At most 5 levels and 20 links.',
    schema: { anyOf: [texts, { type: 'object' }] },
  },
  pagination: {
    name: 'pagination',
    description: `\`pagination[page]\` and \`[pageSize]\`, or \`[start]\` and \`[limit]\`, never both. ${defaultPageSize} rows by default, at most ${maxPageSize}, with an offset of at most ${maxOffset}. \`[withCount]=false\` omits the totals.`,
    schema: {
      type: 'object',
      properties: {
        page: integerSchema,
        pageSize: integerSchema,
        start: integerSchema,
        limit: { ...integerSchema, description: '-1 requests the maximum number of rows' },
        withCount: { type: 'boolean' },
      },
    },
  },
  search: {
    name: '_q',
    description: 'Text that any text attribute contains; a number also matches equal number attributes.',
    schema: text,
  },
  locale: {
    name: 'locale',
    description:
      'Language of the entries, `en` when absent; `all` for every language. Related records are shown in the language of their parent, or else in this one, or else in the first of en, ru, uz, kaa.',
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
    description: '`all` deletes every language of the record; otherwise only this entry is deleted.',
    schema: { type: 'string' },
  },
  fallback: {
    name: 'fallback',
    description:
      '`true`: one row for each record, in the requested language, or else in the first of en, ru, uz, kaa that exists. Filters, sort and totals apply to the row shown.',
    schema: { type: 'boolean' },
  },
  missingLocale: {
    name: 'missing_locale',
    description: 'Only records without an entry in this language.',
    schema: { type: 'string', enum: locales },
  },
  outdatedLocale: {
    name: 'outdated_locale',
    description: 'Only records whose entry in this language is older than its source.',
    schema: { type: 'string', enum: locales },
  },
}

/** Shared headers by the name that descriptions of routes use for them. */
export const sharedHeaders: Readonly<Record<string, unknown>> = {
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key that the caller chooses, stored for 24 hours: the same key with the same body returns the first answer again, with another body 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  viewAs: {
    name: 'X-View-As',
    in: 'header',
    description:
      'Returns what a lower role would receive, for staff whose role is higher; nothing can be changed with it.',
    schema: { type: 'string', enum: ['authenticated', 'consultant', 'admin', 'super-admin'] },
  },
}

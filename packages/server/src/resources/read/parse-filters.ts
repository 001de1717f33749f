/**
 * Parses `filters`: text → conditions over known attributes,
 * with their values in the query's slots (contract §6). Here the levels of a query get their conditions.
 */
import {
  type Caller,
  fault,
  isRoleType,
  type Operator,
  operators,
  type Resource,
  type RowFilter,
  rolesBelow,
  rolesAtMost,
} from '@dala/model'
import { badParameter, isObject, type QueryContext, toList, tooLargeFault } from './context.ts'
import { documentTable, keyColumnOf, searchedColumns } from '../../db/schema.ts'
import { isInSearchText } from '../../db/schema-parts.ts'
import { type Attribute, attributeOf, visibleColumns, relatedViewOf, type View } from '../attributes.ts'
import type { Level } from './parse-populate.ts'
import type { CheckedSorts } from './parse-sort.ts'
import type { Comparison, Condition, FieldCondition, RelatedSelection, Selection, Sort } from './query.ts'
import { type ShowingContext, shownCondition } from './shown-by.ts'
import {
  foldingOf,
  isFolded,
  readText,
  readBoolean,
  readValue,
  toKeyPattern,
  toOperand,
  toSearchPatterns,
} from './query-values.ts'

/** Maximum number of values in one list of a query (checklist §3). */
const maxListedValues = 100

const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype'])

/** Fills the caller's id, and the roles below or up to theirs, into an access rule. */
function fillCaller(filter: RowFilter, caller: Caller): Record<string, unknown> {
  const fillCaller = (value: unknown): unknown => {
    if (value === '$caller.id') return caller.id
    if (value === '$caller.rolesBelow') return isRoleType(caller.role) ? rolesBelow(caller.role) : []
    if (value === '$caller.rolesUpTo') return isRoleType(caller.role) ? rolesAtMost(caller.role) : []
    if (Array.isArray(value)) return value.map(fillCaller)
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillCaller(item)]))
    }
    return value
  }
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [key, fillCaller(value)]))
}

/** Parses a filter of the model's own access rules, with the caller's values filled in. */
export function scopeOf(context: QueryContext, resource: Resource, rows: RowFilter | undefined): Condition | undefined {
  if (!rows) return undefined
  // A rule may use fields that its reader may not see, so it is parsed with all fields visible.
  const view: View = { hasPrivateFields: true }
  return context.asTrusted(() => parseFilters(fillCaller(rows, context.caller), resource, view, context, () => view))
}

/**
 * Reads the sorts of a query's list or populated link.
 *
 * @param level - The level.
 * @param sorts - The sorts of the query.
 * @param context - Collects the values of the query.
 * @returns The sorts, limited to the rows that the caller may see.
 */
export function scopedSorts(level: Level, sorts: CheckedSorts, context: QueryContext): Sort[] {
  const ownSorts = sorts.get(level)?.() ?? []
  return ownSorts.map(({ path, targets, isDescending }) => {
    const scopes = targets.map(({ resource, rows }) => scopeOf(context, resource, rows) ?? null)
    // Scopes that limit nothing are left out, so that equal queries keep equal shapes.
    return { path, ...(scopes.some((scope) => scope !== null) && { scopes }), isDescending }
  })
}

/**
 * Reads the selection of one level of a query: its fields, and its populated links with their conditions and
 * sorts.
 *
 * @param level - The level.
 * @param sorts - The sorts of the query.
 * @param context - Collects the values of the query.
 * @returns The selection.
 * @throws 400 for the first fault of the level and the levels inside it.
 */
export function readSelection(level: Level, sorts: CheckedSorts, context: QueryContext): Selection {
  return {
    fields: level.fields(),
    populate: level.links().map((link) => {
      const [name, linkedLevel] = link()
      return [name, readRelatedSelection(linkedLevel, sorts, context)]
    }),
  }
}

/** Reads a populated link of a query. The order of reading decides which of several faults is the first. */
function readRelatedSelection(level: Level, sorts: CheckedSorts, context: QueryContext): RelatedSelection {
  const { filters, resource, view, rows } = level
  const whereCondition = filters === undefined ? undefined : parseFilters(filters, resource, view, context)
  const scope = scopeOf(context, resource, rows)
  return {
    ...readSelection(level, sorts, context),
    sort: scopedSorts(level, sorts, context),
    ...(whereCondition && { where: whereCondition }),
    ...(scope && { scope }),
  }
}

/** Part of the query's context that the condition of shown records needs. */
const showingContext = (context: QueryContext): ShowingContext => ({
  caller: context.caller,
  dependsOn: context.dependsOn,
  scopeOf: (resource, rows) => scopeOf(context, resource, rows),
})

type RelatedViewOf = (target: Resource, sourceResource: Resource) => View | undefined

/**
 * Parses one object of a query's conditions.
 *
 * @param filters - The parsed `filters`.
 * @param resource - The resource of the conditions.
 * @param view - What the caller may see of it.
 * @param context - Collects the values of the query.
 * @returns One condition; an empty object matches all records.
 * @throws 400 for unknown attributes and operators and for values of a wrong type, at any depth.
 */
export function parseFilters(
  filters: unknown,
  resource: Resource,
  view: View,
  context: QueryContext,
  viewOfTarget: RelatedViewOf = (target, sourceResource) => relatedViewOf(target, context.caller, sourceResource),
  isNested = false,
): Condition {
  if (!isObject(filters)) throw badParameter('filters')
  const allConditions: Condition[] = []
  for (const [key, value] of Object.entries(filters)) {
    if (forbiddenNames.has(key)) throw badParameter(key)
    if (key === '$and' || key === '$or') {
      const items = toList(value).map((item) => parseFilters(item, resource, view, context, viewOfTarget, isNested))
      allConditions.push(key === '$and' ? { all: items } : { any: items })
    } else if (key === '$not') {
      allConditions.push({ not: parseFilters(value, resource, view, context, viewOfTarget, isNested) })
    } else if (key === '$shown' && context.isTrusted) {
      allConditions.push(shownCondition(resource, showingContext(context)))
    } else if (key.startsWith('$')) {
      throw fault('query.operator', { params: { operator: key } })
    } else {
      const attribute = attributeOf(resource, view, key)
      if (!attribute) throw badParameter(key)
      allConditions.push(
        attribute.is === 'column'
          ? parseColumn(
              { ...attribute, ofFamily: isNested && key === 'id', hasKey: keyColumnOf(resource, key) !== undefined },
              value,
              context,
            )
          : parseLink(attribute, resource, value, context, viewOfTarget),
      )
    }
  }
  const [singleCondition] = allConditions
  return allConditions.length === 1 && singleCondition ? singleCondition : { all: allConditions }
}

/**
 * Column of a comparison. `ofFamily`: the id of a linked record, for which the id of any of its languages is
 * accepted (contract §8); `hasKey`: the search key of the text is stored.
 */
type ColumnAttribute = Extract<Attribute, { is: 'column' }> & { ofFamily: boolean; hasKey: boolean }
type LinkAttribute = Extract<Attribute, { is: 'link' }>

function parseColumn(attribute: ColumnAttribute, value: unknown, context: QueryContext): Condition {
  if (attribute.field?.computed) context.differsByCaller = true
  if (!isObject(value)) {
    // Types that cannot be compared, such as JSON, have no implicit equality either.
    if (!attribute.operators.includes('$eq')) throw fault('query.operator', { params: { operator: '$eq' } })
    return compareValue(attribute, '$eq', value, context)
  }
  const allConditions = Object.entries(value).map(([operator, operand]): Condition => {
    if (operator === '$not') return { not: parseColumn(attribute, operand, context) }
    if (operator === '$and' || operator === '$or') {
      const items = toList(operand).map((item) => parseColumn(attribute, item, context))
      return operator === '$and' ? { all: items } : { any: items }
    }
    if (!isOperator(operator) || !attribute.operators.includes(operator)) {
      throw fault('query.operator', { params: { operator } })
    }
    return compareValue(attribute, operator, operand, context)
  })
  const [singleCondition] = allConditions
  return allConditions.length === 1 && singleCondition ? singleCondition : { all: allConditions }
}

const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text)

function listOf(value: unknown, key: string): unknown[] {
  const list = toList(value)
  if (list.length > maxListedValues) throw tooLargeFault(`${list.length} values for ${key}`)
  return list
}

/** A comparison of a text column; `text` is the value to find. */
function compareText(
  { name, field, hasKey }: ColumnAttribute,
  is: Comparison,
  text: string,
  context: QueryContext,
): FieldCondition {
  // A unique field that ignores letter case (address, name) has an index on its lower case.
  const caseFolding = isFolded(is) ? (field?.unique && field.caseInsensitive ? 'table' : foldingOf(text)) : undefined
  const value = context.slot(toOperand(is, text, caseFolding))
  const key = hasKey ? toKeyPattern(is, text) : undefined
  return {
    field: name,
    is,
    value,
    ...(caseFolding && { caseFolding }),
    ...(key !== undefined && { key: context.slot(key) }),
  }
}

function compareValue(
  attribute: ColumnAttribute,
  operator: Operator,
  value: unknown,
  context: QueryContext,
): Condition {
  context.countCondition()
  const { name, storage, ofFamily } = attribute
  const makeLeaf = (is: Comparison, operand: unknown): Condition => ({ field: name, is, value: context.slot(operand) })
  const readItem = (item: unknown) => readValue(item, storage, name)
  const foldedCondition = (is: '$eqi' | '$nei') =>
    listOf(value, name).map((item) => compareText(attribute, is, String(readItem(item)), context))

  if (operator === '$null' || operator === '$notNull') {
    const isNull = readBoolean(value, name) === (operator === '$null')
    return { field: name, is: isNull ? '$null' : '$notNull', value: context.slot(null) }
  }
  const document = ofFamily ? idOperators[operator] : undefined
  if (document) return { document, value: context.slot(listOf(value, name).map(readItem)) }
  if (operator === '$in' || operator === '$notIn') return makeLeaf(operator, listOf(value, name).map(readItem))
  // A list in an equality means any of its values (contract §6).
  if (Array.isArray(value) && operator === '$eq') return makeLeaf('$in', listOf(value, name).map(readItem))
  if (Array.isArray(value) && operator === '$ne') return makeLeaf('$notIn', listOf(value, name).map(readItem))
  if (Array.isArray(value) && operator === '$eqi') return { any: foldedCondition(operator) }
  if (Array.isArray(value) && operator === '$nei') return { all: foldedCondition(operator) }
  if (operator === '$between') {
    const bounds = listOf(value, name).map(readItem)
    if (bounds.length !== 2) throw fault('query.value', { params: { key: name } })
    return { all: [makeLeaf('$gte', bounds[0]), makeLeaf('$lte', bounds[1])] }
  }
  const operand = readItem(value)
  return typeof operand === 'string' && storage === 'text'
    ? compareText(attribute, operator, operand, context)
    : makeLeaf(operator, operand)
}

const idOperators: Readonly<Record<string, '$in' | '$notIn'>> = {
  $eq: '$in',
  $in: '$in',
  $ne: '$notIn',
  $notIn: '$notIn',
}

function parseLink(
  attribute: LinkAttribute,
  sourceResource: Resource,
  value: unknown,
  context: QueryContext,
  viewOfTarget: RelatedViewOf,
): Condition {
  const { name: link, target, place } = attribute
  const view = viewOfTarget(target, sourceResource)
  if (!view) throw badParameter(link)
  context.dependsOn.add(documentTable(target))

  const idCondition = (operator: '$in' | '$notIn', ids: unknown): Condition => {
    context.countCondition()
    const value = context.slot(listOf(ids, link).map((id) => readValue(id, 'integer', link)))
    return { link, targets: operator, value }
  }
  if (!isObject(value)) return idCondition('$in', value)

  const keys = Object.keys(value)
  const [key] = keys
  if (keys.length === 1 && key !== undefined) {
    const operand = value[key]
    if (key === '$null' || key === '$notNull') {
      context.countCondition()
      return { link, empty: readBoolean(operand, link) === (key === '$null') }
    }
    const operator = idOperators[key]
    if (operator) return idCondition(operator, operand)
    if (key === 'id' && isOfLink(operand)) return parseLink(attribute, sourceResource, operand, context, viewOfTarget)
  }
  if (keys.every((item) => item in idOperators)) {
    return {
      all: keys.map((item) => parseLink(attribute, sourceResource, { [item]: value[item] }, context, viewOfTarget)),
    }
  }
  // Other languages of a document that the caller sees are visible too; other targets have their own rules.
  const scope = place.in === 'family' ? undefined : scopeOf(context, target, view.rows)
  const isLinked = place.in !== 'family'
  return { link, some: parseFilters(value, target, view, context, viewOfTarget, isLinked), ...(scope && { scope }) }
}

/**
 * Tells whether a condition on a linked id can be answered from the link itself; all other conditions use the
 * column.
 */
function isOfLink(operand: unknown): boolean {
  if (!isObject(operand)) return true
  const keys = Object.keys(operand)
  return keys.every((key) => key in idOperators) || (keys.length === 1 && ('$null' in operand || '$notNull' in operand))
}

/** Length of the shortest `like` pattern that an index serves: three letters between two wildcards. */
const shortestIndexed = 5

/**
 * Parses the search `_q`: any text attribute contains the text, or a number attribute equals it (contract
 * §6).
 */
export function parseSearch(text: unknown, resource: Resource, view: View, context: QueryContext): Condition {
  const searchText = readText(text, '_q')
  const patterns = toSearchPatterns(searchText)
  const foundSlots = patterns.map((pattern) => context.slot(pattern))
  // For callers who may not read all of the stored search text, the search reads the visible columns instead.
  const hidesText = view.hiddenNames?.some((name) => {
    const field = resource.fields[name]
    return field !== undefined && isInSearchText(field)
  })
  const isStored = view.includedNames === undefined && !hidesText && resource.storedAs === undefined
  const otherConditions: Condition[] = []
  for (const name of visibleColumns(resource, view)) {
    const attribute = attributeOf(resource, view, name)
    if (attribute?.is !== 'column' || !attribute.field) continue
    const { field, storage } = attribute
    if (storage === 'text') {
      if (field.exact || field.unsearched || (isStored && isInSearchText(field))) continue
      if (field.computed) context.differsByCaller = true
      otherConditions.push(...foundSlots.map((value): Condition => ({ field: name, is: '$search', value })))
    } else if (/^-?\d{1,15}(\.\d{1,6})?$/.test(searchText) && isNumeric(storage, Number(searchText))) {
      // A search for the number 5.0 also finds the integer 5.
      otherConditions.push({ field: name, is: '$eq', value: context.slot(String(Number(searchText))) })
    }
  }
  const sideConditions: Condition[] = otherConditions.length > 0 ? [{ any: otherConditions }] : []
  if (isStored && searchedColumns(resource, false).length > 0)
    sideConditions.unshift({ found: foundSlots, in: 'documents' })
  if (isStored && searchedColumns(resource, true).length > 0) sideConditions.unshift({ found: foundSlots, in: 'texts' })
  return { sides: sideConditions, indexed: patterns.every((pattern) => pattern.length >= shortestIndexed) }
}

function isNumeric(storage: ColumnAttribute['storage'], number: number): boolean {
  return storage === 'decimal' || (storage === 'integer' && Number.isInteger(number))
}

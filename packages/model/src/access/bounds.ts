/**
 * Describes the rows of a bounded grant: the message key of each condition and its parameters. Names no
 * resource.
 */
import type { RowFilter, RowFilterValue } from './access.ts'
import type { Resource } from '../declaration/define-resource.ts'
import { isLink } from '../fields/field.ts'
import { choiceLabel, fieldLabel, type MessageCandidates } from '../labels/labels.ts'

/**
 * The kind of a condition: `me` and `notMe` compare with the caller, `rolesBelow` and `rolesUpTo` with their
 * role. `shown` matches records that another record shows.
 */
type BoundShape = 'me' | 'notMe' | 'none' | 'some' | 'is' | 'isNot' | 'oneOf' | 'rolesBelow' | 'rolesUpTo' | 'shown'

/** One condition of a grant's row filter, described by labels. */
export interface BoundCondition {
  shape: BoundShape
  /**
   * Message keys of a condition's label, the most specific first. The last key is for the shape of the
   * condition and takes `{field}` and `{value}`.
   */
  candidates: MessageCandidates
  /** Labels of the fields in the path of a row condition; the value of the last field is compared. */
  fields: readonly MessageCandidates[]
  values: readonly MessageCandidates[]
}

export type AccessBound = BoundCondition | { all: readonly AccessBound[] } | { any: readonly AccessBound[] }

type Registry = Readonly<Record<string, Resource>>

const isRowFilter = (value: RowFilterValue): value is RowFilter =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPlain = (value: RowFilterValue): value is string | number | boolean => typeof value !== 'object'

const isValueList = (value: RowFilterValue | undefined): value is readonly RowFilterValue[] => Array.isArray(value)

const describeSingleBound = (parts: readonly AccessBound[], as: 'all' | 'any'): AccessBound => {
  const [singleBound] = parts
  if (parts.length === 1 && singleBound) return singleBound
  return as === 'all' ? { all: parts } : { any: parts }
}

/**
 * Describes a row filter as a tree of conditions.
 *
 * @param rows - The filter of the grant.
 * @param resource - The resource that the filter is for.
 * @param registry - All resources, to follow links.
 * @returns A condition, or groups of conditions of which `all` or `any` must hold.
 * @throws `TypeError` with the path of a condition that has no message; a test over the registry prevents
 *   this.
 * @example
 * describeBound({ user: '$caller.id' }, resources.consultations, resources) // shape: 'me'
 */
export function describeBound(rows: RowFilter, resource: Resource, registry: Registry): AccessBound {
  return conditionsOf(rows, { root: resource.name, path: [], labels: [], resource }, registry)
}

/**
 * The position of a condition: the resource of the filter, the path of links, and the resource that the path
 * leads to.
 */
interface ConditionContext {
  root: string
  path: readonly string[]
  labels: readonly MessageCandidates[]
  resource: Resource
}

function conditionsOf(rows: RowFilter, context: ConditionContext, registry: Registry): AccessBound {
  const parts = Object.entries(rows).map(([key, condition]): AccessBound => {
    if (key === '$or' || key === '$and') {
      const innerFilters = (isValueList(condition) ? condition : []).filter(isRowFilter)
      return describeSingleBound(
        innerFilters.map((filter) => conditionsOf(filter, context, registry)),
        key === '$or' ? 'any' : 'all',
      )
    }
    if (key === '$shown') {
      const candidates = [`${[context.root, 'bounds', ...context.path].join('.')}.shown`, 'bounds.shown'] as const
      return { shape: 'shown', candidates, fields: [], values: [] }
    }
    const labels = [...context.labels, fieldLabel(context.resource, key)]
    const path = [...context.path, key]
    if (
      !isRowFilter(condition) ||
      Object.keys(condition).some((operator) => operator !== '$or' && operator.startsWith('$'))
    )
      return describeCondition(condition, key, { ...context, path, labels })
    const field = context.resource.fields[key]
    const target = field && isLink(field) ? registry[field.target] : undefined
    if (!target) throw new TypeError(`${context.root}: ${path.join('.')} leads to no resource`)
    return conditionsOf(condition, { ...context, path, labels, resource: target }, registry)
  })
  return describeSingleBound(parts, 'all')
}

function describeCondition(
  condition: RowFilterValue,
  name: string,
  { root, path, labels, resource }: ConditionContext,
): BoundCondition {
  const conditionPath = path.join('.')
  const [shape, operands] = shapeOf(condition, `${root}: ${conditionPath}`)
  const singleOperand = operands.length === 1 ? operands[0] : undefined
  // The conditions `is` and `isNot` have a label for each value; other shapes of conditions have one label.
  const conditionSuffix = shape === 'is' ? singleOperand : shape === 'isNot' ? `not.${singleOperand}` : shape
  return {
    shape,
    candidates: [
      `${root}.bounds.${conditionPath}.${conditionSuffix}`,
      `bounds.${conditionPath}.${conditionSuffix}`,
      `bounds.${shape}`,
    ],
    fields: labels,
    values: operands.map((operand) => choiceLabel(resource, name, operand)),
  }
}

/** The shape of a row condition and the values that it names. */
function shapeOf(condition: RowFilterValue, path: string): [BoundShape, readonly string[]] {
  if (condition === '$caller.id') return ['me', []]
  if (isPlain(condition)) return ['is', [String(condition)]]
  const [[operator, operand] = ['', ''], secondEntry] = isRowFilter(condition) ? Object.entries(condition) : []
  if (secondEntry === undefined && operand !== undefined) {
    if (operator === '$null') return [operand === true ? 'none' : 'some', []]
    if (operator === '$ne' && operand === '$caller.id') return ['notMe', []]
    if (operator === '$ne' && isPlain(operand)) return ['isNot', [String(operand)]]
    if (operator === '$in' && operand === '$caller.rolesBelow') return ['rolesBelow', []]
    if (operator === '$in' && operand === '$caller.rolesUpTo') return ['rolesUpTo', []]
    if (operator === '$in' && isValueList(operand) && operand.every(isPlain)) return ['oneOf', operand.map(String)]
  }
  throw new TypeError(`${path} has a condition without a message: ${JSON.stringify(condition)}`)
}

/**
 * The declared rules between fields: children and their parents, ordered pairs, transitions of a state, and
 * the author of a record.
 */
import {
  type Caller,
  fault,
  type Field,
  isToOne,
  parentPairsOf,
  rankOfRole,
  type Resource,
  transitionsFor,
} from '@dala/model'
import type { FieldValues } from './behaviour.ts'

/** Parents that a body omits although it has their child: the child fills them, so they are not missing. */
export function parentsToFill(resource: Resource, draft: FieldValues): ReadonlySet<string> {
  const isNamed = (name: string) => draft[name] !== undefined && draft[name] !== null
  return new Set(
    parentPairsOf(resource)
      .filter(({ child, parent }) => isNamed(child) && !isNamed(parent))
      .map(({ parent }) => parent),
  )
}

/**
 * Makes child and parent links of a record consistent, such as district and region.
 *
 * @returns Parents to fill in.
 * @throws 422 on the child when the body names another parent.
 */
export function settleParents(
  resource: Resource,
  formerValues: FieldValues,
  values: FieldValues,
  valuesOfTarget: (link: string) => FieldValues | undefined,
): FieldValues {
  const filledValues: Record<string, unknown> = {}
  for (const { child, parent, linkField: linkFieldName } of parentPairsOf(resource)) {
    const partId = values[child] ?? (child in values ? null : formerValues[child])
    if (partId === null || partId === undefined || !(child in values || parent in values)) continue
    const parentValue = valuesOfTarget(child)?.[linkFieldName] ?? null
    const namedParent = parent in values ? values[parent] : formerValues[parent]
    const isEmpty = namedParent === null || namedParent === undefined
    const isOwn = resource.fields[parent]?.readOnly === true
    // Records of a district that has moved stay in their former region, also when clients send them back.
    if (isOwn && !isEmpty && (parent in values || partId === formerValues[child])) continue
    const isFree = isOwn || isEmpty
    if (isFree && parentValue !== null) filledValues[parent] = parentValue
    else if (!isFree && parentValue !== namedParent) {
      const params = { field: child, whole: parent }
      throw fault('rule.whole', { params, issues: [{ path: [child], code: 'rule.whole', params }] })
    }
  }
  return filledValues
}

/** Tells whether a number, a day or a moment exceeds another one; a missing value exceeds nothing. */
const isAbove = (leftValue: unknown, rightValue: unknown): boolean =>
  typeof leftValue === 'number'
    ? typeof rightValue === 'number' && leftValue > rightValue
    : typeof leftValue === 'string' && typeof rightValue === 'string' && leftValue > rightValue

/** Throws 422 where the first value of an ordered pair is above the second. */
export function checkOrderedPairs(resource: Resource, formerValues: FieldValues, values: FieldValues): void {
  for (const [lowName, highName] of resource.orderedPairs ?? []) {
    if (!(lowName in values || highName in values)) continue
    const valuesAfter = { ...formerValues, ...values }
    const [lowValue, highValue] = [valuesAfter[lowName], valuesAfter[highName]]
    if (!isAbove(lowValue, highValue)) continue
    const params = { field: highName, than: lowName }
    throw fault('rule.ascending', { params, issues: [{ path: [highName], code: 'rule.ascending', params }] })
  }
}

/**
 * Checks the state transitions of a record's update.
 *
 * @throws 422 with `details: {from, to, allowed}` for a transition that the caller may not make; 422 on
 *   `reason` when the transition needs one and none was sent (content-model §8).
 */
export function checkSteps(resource: Resource, caller: Caller, formerValues: FieldValues, values: FieldValues): void {
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (field.kind !== 'choice' || !field.transitions || !(name in values) || values[name] === formerValues[name])
      continue
    const [fromState, toState] = [String(formerValues[name]), String(values[name])]
    const steps = transitionsFor(field.transitions, fromState, caller, (link) => formerValues[link])
    const step = steps.find((allowedStep) => allowedStep.to === toState)
    if (!step) {
      const allowedStates = steps.map((allowedStep) => allowedStep.to)
      throw fault('state.step', {
        params: { field: name, from: fromState, to: toState },
        details: { from: fromState, to: toState, allowed: allowedStates },
      })
    }
    const { reason } = values
    if (step.reason && (typeof reason !== 'string' || reason.trim() === '')) {
      const params = { field: 'reason' }
      throw fault('state.reason', { params, issues: [{ path: ['reason'], code: 'state.reason', params }] })
    }
  }
}

/**
 * The body as its author may send it: without keys outside their allow list, without states on create, with
 * the author in the links that name them (contract §14, content-model §8). Nothing is refused, because
 * clients send whole records back.
 */
export function takeAdmissibleValues(
  resource: Resource,
  draft: FieldValues,
  { caller, writable, isNew }: { caller: Caller; writable: readonly string[] | undefined; isNew: boolean },
): FieldValues {
  const admittedDraft: Record<string, unknown> = { ...draft }
  const isStaff = rankOfRole(caller.role) >= rankOfRole('admin')
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (writable && !writable.includes(name)) delete admittedDraft[name]
    if (isNew && field.kind === 'choice' && field.transitions) delete admittedDraft[name]
    if (!isToOne(field) || !field.setToCaller) continue
    const mayNameOwner = field.setToCaller === 'unlessStaff' && isStaff
    if (!mayNameOwner || (isNew && (draft[name] === undefined || draft[name] === null))) {
      if (isNew) admittedDraft[name] = caller.id
      else if (!mayNameOwner) delete admittedDraft[name]
    }
  }
  return admittedDraft
}

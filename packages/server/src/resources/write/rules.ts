/**
 * The declared rules between fields: parts of a whole, ascending pairs, transitions of a state, and the
 * author of a record.
 */
import { type Caller, fault, type Field, isToOne, partsOfWholes, rankOf, type Resource, stepsFor } from '@dala/model'
import type { Facts } from './behaviour.ts'

/** Wholes that a body omits although it has their part: the part fills them, so they are not missing. */
export function wholesToFill(resource: Resource, draft: Facts): ReadonlySet<string> {
  const isNamed = (name: string) => draft[name] !== undefined && draft[name] !== null
  return new Set(
    partsOfWholes(resource)
      .filter(({ part, whole }) => isNamed(part) && !isNamed(whole))
      .map(({ whole }) => whole),
  )
}

/**
 * Makes parts and wholes consistent.
 *
 * @returns Wholes to fill in.
 * @throws 422 on the part when the body names another whole.
 */
export function settleWholes(
  resource: Resource,
  before: Facts,
  values: Facts,
  factsOf: (link: string) => Facts | undefined,
): Facts {
  const filled: Record<string, unknown> = {}
  for (const { part, whole, through } of partsOfWholes(resource)) {
    const partId = values[part] ?? (part in values ? null : before[part])
    if (partId === null || partId === undefined || !(part in values || whole in values)) continue
    const known = factsOf(part)?.[through] ?? null
    const named = whole in values ? values[whole] : before[whole]
    const isEmpty = named === null || named === undefined
    const isOwn = resource.fields[whole]?.readOnly === true
    // A district that has moved leaves its records in their
    // former region, also when a client sends them back.
    if (isOwn && !isEmpty && (whole in values || partId === before[part])) continue
    const isFree = isOwn || isEmpty
    if (isFree && known !== null) filled[whole] = known
    else if (!isFree && known !== named) {
      const params = { field: part, whole }
      throw fault('rule.whole', { params, issues: [{ path: [part], code: 'rule.whole', params }] })
    }
  }
  return filled
}

/** Throws 422 where the first value of an ascending pair is above the second. */
export function checkAscending(resource: Resource, before: Facts, values: Facts): void {
  for (const [low, high] of resource.ascending ?? []) {
    if (!(low in values || high in values)) continue
    const after = { ...before, ...values }
    const [first, second] = [after[low], after[high]]
    if (typeof first !== 'number' || typeof second !== 'number' || first <= second) continue
    const params = { field: high, than: low }
    throw fault('rule.ascending', { params, issues: [{ path: [high], code: 'rule.ascending', params }] })
  }
}

/**
 * Checks the state transitions of an update.
 *
 * @throws 422 with `details: {from, to, allowed}` for a transition that the caller may not make; 422 on
 *   `reason` when the transition needs one and none was sent (content-model §8).
 */
export function checkSteps(resource: Resource, caller: Caller, before: Facts, values: Facts): void {
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (field.kind !== 'choice' || !field.steps || !(name in values) || values[name] === before[name]) continue
    const [from, to] = [String(before[name]), String(values[name])]
    const steps = stepsFor(field.steps, from, caller, (link) => before[link])
    const step = steps.find((one) => one.to === to)
    if (!step) {
      const allowed = steps.map((one) => one.to)
      throw fault('state.step', { params: { field: name, from, to }, details: { from, to, allowed } })
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
export function admissible(
  resource: Resource,
  draft: Facts,
  { caller, writable, isNew }: { caller: Caller; writable: readonly string[] | undefined; isNew: boolean },
): Facts {
  const admitted: Record<string, unknown> = { ...draft }
  const isStaff = rankOf(caller.role) >= rankOf('admin')
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (writable && !writable.includes(name)) delete admitted[name]
    if (isNew && field.kind === 'choice' && field.steps) delete admitted[name]
    if (!isToOne(field) || !field.caller) continue
    const mayName = field.caller === 'unlessStaff' && isStaff
    if (!mayName || (isNew && (draft[name] === undefined || draft[name] === null))) {
      if (isNew) admitted[name] = caller.id
      else if (!mayName) delete admitted[name]
    }
  }
  return admitted
}

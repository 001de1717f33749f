/**
 * Joins what two people changed in one record: from what both began with, what was typed here and what the server has
 * now, field by field and language by language. What only one of them changed is taken from them; what both changed in
 * different ways is a conflict, and nothing decides it but a reader.
 */
import { type Field, isToMany, type Locale, locales, partsOfWholes, type Resource } from '@dala/model'
import { type FormValues, isEntry, type Values } from '../values.ts'
import { idsOf } from '../wholes.ts'

/** A field in a language; without one it is shared by all. */
export interface FieldPlace {
  field: string
  locale?: Locale
}

/** What was typed here and what the server has, both changed since `base`. */
export interface Conflict extends FieldPlace {
  base: unknown
  mine: unknown
  theirs: unknown
}

export interface Merged {
  /** The values of both; in a conflict those that were typed here. */
  values: FormValues
  conflicts: Conflict[]
  /** Where the server's value was taken. */
  taken: FieldPlace[]
}

/** One field of three: `theirs` is what the server has. */
interface Three {
  base: unknown
  mine: unknown
  theirs: unknown
}

export const keyOfPlace = ({ field, locale }: FieldPlace): string => (locale ? `${locale}.${field}` : field)

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An empty text, none, and an empty structure say the same. */
const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (isPlain(value) && !isEntry(value) && Object.values(value).every((one) => one === '' || one === null))

/** Whether two values say the same: a linked record is the same in each of its languages. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other)
  if (isEntry(one) && isEntry(other)) {
    const ids = idsOf(one)
    return idsOf(other).some((id) => ids.includes(id))
  }
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]))
  if (isPlain(one) && isPlain(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => isSame(one[key], other[key]))
  return one === other
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const has = (list: readonly unknown[], item: unknown) => list.some((other) => isSame(item, other))

/** A set of links or words: what either added is in it, what either removed is not; undefined when both put it in another order. */
function mergeLists(three: Three): unknown[] | undefined {
  const [base, mine, theirs] = [listOf(three.base), listOf(three.mine), listOf(three.theirs)]
  const stays = (item: unknown) => has(mine, item) && has(theirs, item)
  const inOrder = (list: readonly unknown[]) => list.filter((item) => has(base, item) && stays(item))
  const [first, ours, others] = [inOrder(base), inOrder(mine), inOrder(theirs)]
  const isMoved = !isSame(first, ours)
  if (isMoved && !isSame(first, others) && !isSame(ours, others)) return undefined
  // The order is that of the one who changed it; what is new follows where it was put, the other's at the end.
  const [lead, rest] = isMoved ? [mine, theirs] : [theirs, mine]
  const isKept = (item: unknown) => !has(base, item) || stays(item)
  const led = lead.filter(isKept)
  return [...led, ...rest.filter((item) => isKept(item) && !has(led, item))]
}

/** A text in several languages at once, each for itself; undefined when one of them was changed by both. */
function mergeWords(three: Three): Values | undefined {
  const [base, mine, theirs] = [three.base, three.mine, three.theirs].map((value) => (isPlain(value) ? value : {}))
  const merged: Values = {}
  for (const key of new Set([...Object.keys(mine ?? {}), ...Object.keys(theirs ?? {})])) {
    const one = { base: base?.[key], mine: mine?.[key], theirs: theirs?.[key] }
    if (isSame(one.mine, one.base)) merged[key] = one.theirs
    else if (isSame(one.theirs, one.base) || isSame(one.mine, one.theirs)) merged[key] = one.mine
    else return undefined
  }
  return Object.fromEntries(Object.entries(merged).filter(([, text]) => text !== undefined))
}

/** The value both can live with; undefined when there is none. */
function settle(field: Field, three: Three): { value: unknown } | undefined {
  const { base, mine, theirs } = three
  if (isSame(mine, base) || isSame(mine, theirs)) return { value: theirs }
  if (isSame(theirs, base)) return { value: mine }
  const isList = isToMany(field) || (field.kind === 'json' && 'list' in field && field.list !== undefined)
  const value = isList ? mergeLists(three) : field.kind === 'translations' ? mergeWords(three) : undefined
  return value && { value }
}

/** Fields that only make sense together: the halves of a place on the map, a district and its region. */
function boundFields(resource: Resource): string[][] {
  const pairs = partsOfWholes(resource).map(({ part, whole }) => [part, whole])
  return 'lat' in resource.fields && 'lng' in resource.fields ? [...pairs, ['lat', 'lng']] : pairs
}

/** Fields that fit only the values of one of the two. */
function boundConflicts(resource: Resource, of: (field: string) => Three | undefined): Set<string> {
  const found = new Set<string>()
  for (const names of boundFields(resource)) {
    const threes = names.flatMap((name) => of(name) ?? [])
    const isTouched = (whose: Whose) => threes.some((three) => !isSame(three[whose], three.base))
    if (!isTouched('mine') || !isTouched('theirs')) continue
    for (const name of names) {
      const three = of(name)
      if (three && !isSame(three.mine, three.theirs)) found.add(name)
    }
  }
  return found
}

/** Whose value is taken in a conflict. */
export type Whose = 'mine' | 'theirs'

/** In: the resource, what both began with, what was typed here, what the server has. */
export function merge(resource: Resource, base: FormValues, mine: FormValues, theirs: FormValues): Merged {
  const merged: Merged = { values: { shared: {}, texts: {} }, conflicts: [], taken: [] }
  const part = (from: Values, typed: Values, stored: Values, locale?: Locale): Values => {
    const of = (name: string): Three | undefined =>
      name in stored
        ? { base: from[name], mine: name in typed ? typed[name] : from[name], theirs: stored[name] }
        : undefined
    const bound = boundConflicts(resource, of)
    const values: Values = {}
    for (const name of Object.keys(stored)) {
      const field = resource.fields[name]
      const three = of(name)
      if (!field || !three) continue
      const place = { field: name, ...(locale && { locale }) }
      const settled = bound.has(name) ? undefined : settle(field, three)
      values[name] = settled ? settled.value : three.mine
      if (!settled) merged.conflicts.push({ ...place, ...three })
      else if (!isSame(three.theirs, three.base) && !isSame(three.theirs, three.mine)) merged.taken.push(place)
    }
    return values
  }
  merged.values.shared = part(base.shared, mine.shared, theirs.shared)
  for (const locale of locales) {
    const stored = theirs.texts[locale]
    if (stored) merged.values.texts[locale] = part(base.texts[locale] ?? {}, mine.texts[locale] ?? {}, stored, locale)
  }
  return merged
}

/** The values with what a reader chose in each conflict; the rest of them stays. */
export function decide(
  values: FormValues,
  conflicts: readonly Conflict[],
  chosen: Readonly<Record<string, Whose>>,
): FormValues {
  const decided = { shared: { ...values.shared }, texts: { ...values.texts } }
  for (const conflict of conflicts) {
    const whose = chosen[keyOfPlace(conflict)]
    if (!whose) continue
    if (conflict.locale)
      decided.texts[conflict.locale] = { ...decided.texts[conflict.locale], [conflict.field]: conflict[whose] }
    else decided.shared[conflict.field] = conflict[whose]
  }
  return decided
}

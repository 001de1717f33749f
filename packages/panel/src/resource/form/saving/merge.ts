/**
 * Three-way merge of one record: the common original, the values typed here and the values on the server, by
 * field and language. A change of only one side is taken; different changes of both sides are a conflict,
 * which only a user resolves.
 */
import { type Field, isToMany, type Locale, locales, parentPairsOf, type Resource } from '@dala/model'
import { type FormValues, isEntry, type Values } from '../values.ts'
import { idsOf } from '../dependent-links.ts'

/** A field in a language; without one, all languages share it. */
export interface FieldPlace {
  field: string
  locale?: Locale
}

/** The value typed here and the one on the server, both changed since `base`. */
export interface Conflict extends FieldPlace {
  base: unknown
  mine: unknown
  theirs: unknown
}

export interface Merged {
  /** The merged values; a conflict keeps the ones typed here. */
  values: FormValues
  conflicts: Conflict[]
  /** The places that took the server's value. */
  taken: FieldPlace[]
}

/** The three values of one field: `theirs` is the server's. */
interface Three {
  base: unknown
  mine: unknown
  theirs: unknown
}

export const keyOfPlace = ({ field, locale }: FieldPlace): string => (locale ? `${locale}.${field}` : field)

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Treats an empty text, null and an empty structure as equal. */
const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (isPlain(value) && !isEntry(value) && Object.values(value).every((one) => one === '' || one === null))

/** Whether two values are equal: a linked record is the same in each of its languages. */
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

/**
 * Merges sets of links or texts: all additions, without all removals; undefined when both sides reordered it.
 */
function mergeLists(three: Three): unknown[] | undefined {
  const [base, mine, theirs] = [listOf(three.base), listOf(three.mine), listOf(three.theirs)]
  const stays = (item: unknown) => has(mine, item) && has(theirs, item)
  const inOrder = (list: readonly unknown[]) => list.filter((item) => has(base, item) && stays(item))
  const [first, ours, others] = [inOrder(base), inOrder(mine), inOrder(theirs)]
  const isMoved = !isSame(first, ours)
  if (isMoved && !isSame(first, others) && !isSame(ours, others)) return undefined
  // Uses the order of the side that changed it, with its new members in place; the other side's come last.
  const [lead, rest] = isMoved ? [mine, theirs] : [theirs, mine]
  const isKept = (item: unknown) => !has(base, item) || stays(item)
  const led = lead.filter(isKept)
  return [...led, ...rest.filter((item) => isKept(item) && !has(led, item))]
}

/** Merges a text in several languages, each separately; undefined when both sides changed one of them. */
function mergeTranslations(three: Three): Values | undefined {
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

/** The merged value; undefined in a conflict. */
function mergeValue(field: Field, three: Three): { value: unknown } | undefined {
  const { base, mine, theirs } = three
  if (isSame(mine, base) || isSame(mine, theirs)) return { value: theirs }
  if (isSame(theirs, base)) return { value: mine }
  const isList = isToMany(field) || (field.kind === 'json' && 'list' in field && field.list !== undefined)
  const value = isList ? mergeLists(three) : field.kind === 'translations' ? mergeTranslations(three) : undefined
  return value && { value }
}

/** Fields that only make sense together: the halves of a place on the map, a district and its region. */
function boundFields(resource: Resource): string[][] {
  const pairs = parentPairsOf(resource).map(({ child, parent }) => [child, parent])
  return 'lat' in resource.fields && 'lng' in resource.fields ? [...pairs, ['lat', 'lng']] : pairs
}

/** Bound fields whose values fit only one of the two sides. */
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

/** The side whose value is taken in a conflict. */
export type Whose = 'mine' | 'theirs'

/**
 * Merges two versions of a record.
 *
 * @param resource - The resource.
 * @param base - The common original.
 * @param mine - The values typed here.
 * @param theirs - The values on the server.
 * @returns The merged values, the conflicts, and the places that took the server's value.
 */
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
      const settled = bound.has(name) ? undefined : mergeValue(field, three)
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

/** The values with the user's choice in each conflict; the others stay. */
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

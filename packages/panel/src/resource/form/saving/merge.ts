/**
 * Three-way merge of one record: the common original, the values typed here and the values on the server, by
 * field and language. A change of only one side is taken; different changes of both sides are a conflict,
 * which only a user resolves.
 */
import { type Field, isToMany, type Locale, locales, parentPairsOf, type Resource } from '@dala/model'
import { type FormValues, isEntry, type Values } from '../values.ts'
import { idsOf } from '../dependent-links.ts'

/** Field of the record in a language; without a language, all languages share the field. */
export interface FieldPlace {
  field: string
  locale?: Locale
}

/** Conflict of two values that both changed since `base`: the one typed here and the one on the server. */
export interface Conflict extends FieldPlace {
  base: unknown
  mine: unknown
  theirs: unknown
}

export interface MergedValues {
  /** Merged values of the record; a conflict keeps the values typed here. */
  values: FormValues
  conflicts: Conflict[]
  /** Fields that took the value of the server in the merge. */
  mergedFields: FieldPlace[]
}

/** Three values of one field in a merge: `theirs` is the value of the server. */
interface MergeInput {
  base: unknown
  mine: unknown
  theirs: unknown
}

export const keyOfPlace = ({ field, locale }: FieldPlace): string => (locale ? `${locale}.${field}` : field)

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns whether a value of a field is empty: an empty text, null or an empty structure. */
const isEmptyValue = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (isPlain(value) && !isEntry(value) && Object.values(value).every((property) => property === '' || property === null))

/** Whether two values of a field are equal: a linked record is the same in each of its languages. */
export function isSame(leftValue: unknown, rightValue: unknown): boolean {
  if (isEmptyValue(leftValue) || isEmptyValue(rightValue)) return isEmptyValue(leftValue) && isEmptyValue(rightValue)
  if (isEntry(leftValue) && isEntry(rightValue)) {
    const ids = idsOf(leftValue)
    return idsOf(rightValue).some((id) => ids.includes(id))
  }
  if (Array.isArray(leftValue) && Array.isArray(rightValue))
    return leftValue.length === rightValue.length && leftValue.every((item, index) => isSame(item, rightValue[index]))
  if (isPlain(leftValue) && isPlain(rightValue))
    return [...new Set([...Object.keys(leftValue), ...Object.keys(rightValue)])].every((key) =>
      isSame(leftValue[key], rightValue[key]),
    )
  return leftValue === rightValue
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const includesItem = (list: readonly unknown[], item: unknown) => list.some((listedItem) => isSame(item, listedItem))

/**
 * Merges sets of links or texts: all additions, without all removals; undefined when both sides reordered it.
 */
function mergeLists(input: MergeInput): unknown[] | undefined {
  const [base, ownList, theirList] = [listOf(input.base), listOf(input.mine), listOf(input.theirs)]
  const isInBoth = (item: unknown) => includesItem(ownList, item) && includesItem(theirList, item)
  const orderOfBase = (list: readonly unknown[]) => list.filter((item) => includesItem(base, item) && isInBoth(item))
  const [baseOrder, ownOrder, theirOrder] = [orderOfBase(base), orderOfBase(ownList), orderOfBase(theirList)]
  const isMoved = !isSame(baseOrder, ownOrder)
  if (isMoved && !isSame(baseOrder, theirOrder) && !isSame(ownOrder, theirOrder)) return undefined
  // The order of the list that only one user has changed is used, and new members of the other user come
  // last.
  const [leading, secondList] = isMoved ? [ownList, theirList] : [theirList, ownList]
  const isKept = (item: unknown) => !includesItem(base, item) || isInBoth(item)
  const keptItems = leading.filter(isKept)
  return [...keptItems, ...secondList.filter((item) => isKept(item) && !includesItem(keptItems, item))]
}

/**
 * Merges a text in several languages, each separately; undefined when both sides changed the text of one
 * language.
 */
function mergeTranslations(input: MergeInput): Values | undefined {
  const [base, ownTexts, theirTexts] = [input.base, input.mine, input.theirs].map((value) =>
    isPlain(value) ? value : {},
  )
  const mergedTexts: Values = {}
  for (const key of new Set([...Object.keys(ownTexts ?? {}), ...Object.keys(theirTexts ?? {})])) {
    const input = { base: base?.[key], mine: ownTexts?.[key], theirs: theirTexts?.[key] }
    if (isSame(input.mine, input.base)) mergedTexts[key] = input.theirs
    else if (isSame(input.theirs, input.base) || isSame(input.mine, input.theirs)) mergedTexts[key] = input.mine
    else return undefined
  }
  return Object.fromEntries(Object.entries(mergedTexts).filter(([, text]) => text !== undefined))
}

/** Merged value of a field; undefined in a conflict. */
function mergeValue(field: Field, input: MergeInput): { value: unknown } | undefined {
  const { base, mine, theirs } = input
  if (isSame(mine, base) || isSame(mine, theirs)) return { value: theirs }
  if (isSame(theirs, base)) return { value: mine }
  const isList = isToMany(field) || (field.kind === 'json' && 'list' in field && field.list !== undefined)
  const value = isList ? mergeLists(input) : field.kind === 'translations' ? mergeTranslations(input) : undefined
  return value && { value }
}

/** Fields that only make sense together: the halves of a place on the map, a district and its region. */
function boundFields(resource: Resource): string[][] {
  const pairs = parentPairsOf(resource).map(({ child, parent }) => [child, parent])
  return 'lat' in resource.fields && 'lng' in resource.fields ? [...pairs, ['lat', 'lng']] : pairs
}

/** Fields that belong together and whose values fit only one of the two sides. */
function boundConflicts(resource: Resource, inputOf: (field: string) => MergeInput | undefined): Set<string> {
  const foundNames = new Set<string>()
  for (const names of boundFields(resource)) {
    const inputs = names.flatMap((name) => inputOf(name) ?? [])
    const isTouched = (conflictSide: ConflictSide) => inputs.some((input) => !isSame(input[conflictSide], input.base))
    if (!isTouched('mine') || !isTouched('theirs')) continue
    for (const name of names) {
      const input = inputOf(name)
      if (input && !isSame(input.mine, input.theirs)) foundNames.add(name)
    }
  }
  return foundNames
}

/** Side whose value a field takes in a conflict: the typed one or the stored one. */
export type ConflictSide = 'mine' | 'theirs'

/**
 * Merges the typed values of a record with the values that a colleague saved.
 *
 * @param resource - The resource.
 * @param base - The common original.
 * @param ownValues - The values typed here.
 * @param theirValues - The values on the server.
 * @returns The merged values, the conflicts, and the places that took the server's value.
 */
export function mergeValues(
  resource: Resource,
  base: FormValues,
  ownValues: FormValues,
  theirValues: FormValues,
): MergedValues {
  const mergeResult: MergedValues = { values: { shared: {}, texts: {} }, conflicts: [], mergedFields: [] }
  const mergePart = (basePart: Values, typedPart: Values, storedPart: Values, locale?: Locale): Values => {
    const inputOf = (name: string): MergeInput | undefined =>
      name in storedPart
        ? { base: basePart[name], mine: name in typedPart ? typedPart[name] : basePart[name], theirs: storedPart[name] }
        : undefined
    const boundEntries = boundConflicts(resource, inputOf)
    const values: Values = {}
    for (const name of Object.keys(storedPart)) {
      const field = resource.fields[name]
      const input = inputOf(name)
      if (!field || !input) continue
      const conflictField = { field: name, ...(locale && { locale }) }
      const mergedValue = boundEntries.has(name) ? undefined : mergeValue(field, input)
      values[name] = mergedValue ? mergedValue.value : input.mine
      if (!mergedValue) mergeResult.conflicts.push({ ...conflictField, ...input })
      else if (!isSame(input.theirs, input.base) && !isSame(input.theirs, input.mine))
        mergeResult.mergedFields.push(conflictField)
    }
    return values
  }
  mergeResult.values.shared = mergePart(base.shared, ownValues.shared, theirValues.shared)
  for (const locale of locales) {
    const storedTexts = theirValues.texts[locale]
    if (storedTexts)
      mergeResult.values.texts[locale] = mergePart(
        base.texts[locale] ?? {},
        ownValues.texts[locale] ?? {},
        storedTexts,
        locale,
      )
  }
  return mergeResult
}

/** Merged values with the user's choice in each conflict; the others stay. */
export function decideConflicts(
  values: FormValues,
  conflicts: readonly Conflict[],
  chosenSides: Readonly<Record<string, ConflictSide>>,
): FormValues {
  const decidedValues = { shared: { ...values.shared }, texts: { ...values.texts } }
  for (const conflict of conflicts) {
    const chosenSide = chosenSides[keyOfPlace(conflict)]
    if (!chosenSide) continue
    if (conflict.locale)
      decidedValues.texts[conflict.locale] = {
        ...decidedValues.texts[conflict.locale],
        [conflict.field]: conflict[chosenSide],
      }
    else decidedValues.shared[conflict.field] = conflict[chosenSide]
  }
  return decidedValues
}

/** Initial values of a new record from the address: `?set.region=5&set.kind=event`. */
import { type Field, isLink, isToOne, type Locale, type Resource, type Screen } from '@dala/model'
import { useQueries } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { resourceQueries } from '../../api/resource-queries.ts'
import { resourceNamed } from '../../fields/relation/targets.ts'
import { toFormValues, type Values, writableFields } from './values.ts'
import { dependentChanges } from './dependent-links.ts'

/** Parses a text of the address as the initial value of a field; undefined when it is invalid. */
function valueOf(field: Field, text: string): unknown {
  switch (field.kind) {
    case 'bool':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'int':
    case 'decimal':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
    case 'choice':
      return field.values.includes(text) ? text : undefined
    case 'json':
    case 'translations':
    case 'password':
    case 'count':
      return undefined
    default:
      return isLink(field) ? undefined : text
  }
}

/** Initial values of a new record from the search parameters: scalars as values and to-one links as ids. */
function presetsOf(
  resource: Resource,
  search: Readonly<Record<string, unknown>>,
): { values: Values; links: { name: string; target: string; id: number }[] } {
  const values: Values = {}
  const links: { name: string; target: string; id: number }[] = []
  for (const [name, field] of writableFields(resource)) {
    const text = search[`set.${name}`]
    if (typeof text !== 'string') continue
    if (isToOne(field)) {
      if (/^\d{1,10}$/.test(text)) links.push({ name, target: field.target, id: Number(text) })
    } else {
      const value = valueOf(field, text)
      if (value !== undefined) values[name] = value
    }
  }
  return { values, links }
}

/** The initial values of a new record; undefined until the names of its links are loaded. */
export function usePresets({ resource, fixedValues }: Screen, isNew: boolean, language: Locale): Values | undefined {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const { values, links } = isNew ? presetsOf(resource, search) : { values: {}, links: [] }
  const queries = useQueries({
    queries: links.map(({ target, id }) => resourceQueries(resourceNamed(target)).one(id, language)),
  })
  if (queries.some(({ isPending }) => isPending)) return undefined
  const presets: Values = { ...values }
  for (const [index, { name }] of links.entries()) {
    const entry = queries[index]?.data
    // A preset link that cannot be loaded stays empty, for the user to choose.
    if (!entry) continue
    const formerValues = { ...toFormValues(resource, null).shared, ...presets }
    Object.assign(presets, dependentChanges(resource, name, entry, formerValues), { [name]: entry })
  }
  return { ...presets, ...fixedValues }
}

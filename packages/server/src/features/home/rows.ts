/** Reads the most urgent records of a group, as its list shows them to the caller. */
import { type Caller, type HomeGroupKey, homeGroups, type HomeRow, isLocale, type Locale } from '@dala/model'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { resourceNamed, viewOfResource } from '../../resources/attributes.ts'
import { firstRows, parseList, type QueryTree } from '../../resources/read/parse-query.ts'
import { readList } from '../../resources/read/read.ts'
import type { FlatEntry } from '../../resources/read/read-rows.ts'
import type { PutOffRow } from './put-off.ts'

/** Maximum number of postponed rows of a home page group; all of them are on one page. */
const maxPostponedRows = 50

/** A row of the home page without values, for the fields that its group does not fill. */
export const emptyRow: Omit<HomeRow, 'ref' | 'id'> = {
  title: null,
  locale: null,
  from: null,
  place: null,
  owner: null,
  since: null,
  due: null,
  count: null,
  kind: null,
  resource: null,
  outdated: null,
  languages: [],
  outdatedLanguages: [],
  pricedate: null,
  region: null,
  putOffUntil: null,
}

const isFlat = (value: unknown): value is FlatEntry =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

const person = { fields: ['username', 'first_name', 'last_name'] }
const placeFields = { fields: ['name'] }

const nameOf = (value: unknown): string | null => {
  if (!isFlat(value)) return null
  return [value.first_name, value.last_name].map(textOf).filter(Boolean).join(' ') || textOf(value.username)
}
const placeOf = (...placeNames: readonly unknown[]): string | null =>
  placeNames.flatMap((value) => (isFlat(value) ? (textOf(value.name) ?? []) : [])).at(0) ?? null
const personOf = (value: unknown): HomeRow['owner'] =>
  isFlat(value) ? { id: value.id, name: nameOf(value) ?? '' } : null
const localeOf = (value: unknown): Locale | null => (isLocale(value) ? value : null)

interface Source {
  query: QueryTree
  toRow: (entry: FlatEntry) => Partial<HomeRow>
}

/** Returns the text of a home page row on one line, at most 200 characters. */
const lineOf = (value: unknown): string | null => textOf(value)?.replaceAll(/\s+/g, ' ').slice(0, 200) ?? null

const rowSources: Readonly<Record<string, Source>> = {
  chatrooms: {
    query: {
      fields: ['waiting_since', 'due_at', 'last_message', 'language'],
      populate: { sender: person, receiver: person, assignee: person, region: placeFields },
    },
    toRow: ({ waiting_since, due_at, last_message, language, sender, receiver, assignee, region }) => ({
      title:
        typeof last_message === 'object' && last_message !== null && 'text' in last_message
          ? lineOf(last_message.text)
          : null,
      locale: localeOf(language),
      from: personOf(sender),
      place: placeOf(region),
      owner: personOf(assignee) ?? personOf(receiver),
      since: textOf(waiting_since),
      due: textOf(due_at),
    }),
  },
  consultations: {
    query: {
      fields: ['question', 'language', 'waiting_since', 'due_at'],
      populate: { user: person, consultant: person, region: placeFields, district: placeFields },
    },
    toRow: ({ question, language, waiting_since, due_at, user, consultant, region, district }) => ({
      title: lineOf(question),
      locale: localeOf(language),
      from: personOf(user),
      place: placeOf(district, region),
      owner: personOf(consultant),
      since: textOf(waiting_since),
      due: textOf(due_at),
    }),
  },
  tradinposts: {
    query: {
      fields: ['title', 'waiting_since', 'edit_state', 'locale'],
      populate: { user: person, company: { fields: ['companyName'] }, region: placeFields, district: placeFields },
      fallback: 'true',
    },
    toRow: ({ title, locale, waiting_since, edit_state, user, company, region, district }) => ({
      title: lineOf(title),
      locale: localeOf(locale),
      kind: edit_state === 'waiting' ? 'edit' : null,
      from: isFlat(company) ? { id: company.id, name: textOf(company.companyName) ?? '' } : personOf(user),
      place: placeOf(district, region),
      since: textOf(waiting_since),
    }),
  },
}

/** Request for rows of a home page group: without the postponed rows, or only these. */
export interface HomeRequest {
  caller: Caller
  locale: Locale
  putOff: readonly PutOffRow[]
  onlyPutOff: boolean
}

/** Reads records of a resource as lists show them, without envelopes. */
export async function readFlatEntries(
  { database, totals }: Pick<FeatureRoutes, 'database' | 'totals'>,
  { caller, resource: name, query, limit }: { caller: Caller; resource: string; query: QueryTree; limit: number },
): Promise<readonly FlatEntry[]> {
  const resource = resourceNamed(name)
  const view = viewOfResource(resource, caller, 'list')
  if (!view) return []
  const listQuery = parseList(query, resource, caller, view, firstRows(limit))
  const { entries } = await readList(database, totals, { ...listQuery, shape: { ...listQuery.shape, isFlat: true } })
  return entries.filter(isFlat)
}

/**
 * Reads the rows of a home page group that is a part of a list.
 *
 * @param routes - The database and its totals.
 * @param key - The group.
 * @param request - The caller, and the rows that the caller has postponed.
 * @returns As many rows as the group shows, the most urgent first; at most fifty postponed rows.
 */
export async function readRows(
  routes: Pick<FeatureRoutes, 'database' | 'totals'>,
  key: HomeGroupKey,
  { caller, locale, putOff, onlyPutOff }: HomeRequest,
): Promise<HomeRow[]> {
  const { list } = homeGroups[key]
  const source = list && rowSources[list.resource]
  if (!source) return []
  const putOffByRef = new Map(putOff.filter(({ group }) => group === key).map(({ ref, until }) => [ref, until]))
  if (onlyPutOff && putOffByRef.size === 0) return []
  const ids = [...putOffByRef.keys()]
  const putOffFilter = putOffByRef.size > 0 ? [{ id: { [onlyPutOff ? '$in' : '$notIn']: ids.slice(0, 100) } }] : []
  const entries = await readFlatEntries(routes, {
    caller,
    resource: list.resource,
    query: { ...source.query, locale, sort: list.sort, filters: { $and: [list.filters(caller.id), ...putOffFilter] } },
    limit: onlyPutOff ? maxPostponedRows : homeGroups[key].rows,
  })
  return entries.map((entry) => ({
    ...emptyRow,
    ref: String(entry.id),
    id: entry.id,
    ...source.toRow(entry),
    putOffUntil: putOffByRef.get(String(entry.id)) ?? null,
  }))
}

/** Names of linked records in the user's language: an import names them in the language of its sheet. */
import {
  type ImportIssue,
  type ImportLink,
  type ImportRow,
  type ImportSuggestion,
  type ImportValue,
  isLinkToDay,
  type Locale,
  type Resource,
} from '@dala/model'
import { useQueries } from '@tanstack/react-query'
import { languageOf, resourceQueries } from '../../api/resource-queries.ts'
import { titleText } from '../../fields/field-display.tsx'
import { findResource } from '../../fields/relation/targets.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { entryInLanguage } from '../../resource/entry-languages.ts'
import { fieldsOfKind, isLinkValue } from './labels.ts'

/** Names of linked records by field and by the id of the record. */
type Names = ReadonlyMap<string, ReadonlyMap<number, string>>
type ImportedValues = ImportRow['after']
/** Contents of an imported row that name records. */
type NamingRow = Pick<ImportRow, 'before' | 'after' | 'issues'>

/** Number of records in one request for names, the maximum of an answer. */
const batchSize = 100

/** Returns the id of a suggested record, which is written as `#` and its id. */
const suggestedId = ({ value }: ImportSuggestion): number | undefined => {
  const [, id] = /^#(\d+)$/.exec(value) ?? []
  return id === undefined ? undefined : Number(id)
}

const linksOf = (value: ImportValue | undefined): readonly ImportLink[] =>
  isLinkValue(value)
    ? [value]
    : Array.isArray(value)
      ? (value as readonly (string | ImportLink)[]).filter(isLinkValue)
      : []

function idsIn(key: string, rows: readonly NamingRow[]): number[] {
  const ids = rows.flatMap(({ before, after, issues }) => [
    ...[before?.[key], after[key]].flatMap(linksOf).map(({ id }) => id),
    ...issues.flatMap(({ field, suggestion }) => (field === key && suggestion ? (suggestedId(suggestion) ?? []) : [])),
  ])
  return [...new Set(ids)].toSorted((left, right) => left - right)
}

/** Returns whether the names of records differ by language; days are formatted as dates. */
const hasLanguages = (resource: Resource): boolean =>
  !isLinkToDay(resource) && (resource.localized === true || resource.fields[resource.title]?.kind === 'translations')

function translateNames(value: ImportValue, names: ReadonlyMap<number, string>): ImportValue {
  const nameOf = (link: ImportLink): ImportLink => ({ ...link, name: names.get(link.id) ?? link.name })
  if (isLinkValue(value)) return nameOf(value)
  return linksOf(value).length > 0 ? linksOf(value).map(nameOf) : value
}

const valuesIn = (values: ImportedValues, names: Names): ImportedValues =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const fieldNames = names.get(key)
      return [key, fieldNames ? translateNames(value, fieldNames) : value]
    }),
  )

function translateIssue(issue: ImportIssue, names: Names): ImportIssue {
  const { field, suggestion } = issue
  const id = suggestion ? suggestedId(suggestion) : undefined
  const name = field === null || id === undefined ? undefined : names.get(field)?.get(id)
  return suggestion && name !== undefined ? { ...issue, suggestion: { ...suggestion, label: name } } : issue
}

/**
 * Loads the names of linked records in the user's language if it differs from that of the import.
 *
 * @param kind - The kind of the import.
 * @param language - The language of the import.
 * @param rows - Rows from the server.
 * @returns The rows; a record whose name is not loaded keeps that of the import.
 */
export function useReaderNames<Row extends NamingRow>(
  kind: string,
  language: Locale,
  rows: readonly Row[],
): readonly Row[] {
  const locale = useLocale()
  const t = useT()
  const requestedIds =
    locale === language
      ? []
      : [...fieldsOfKind(kind).values()].flatMap(({ key, target: name }) => {
          const target = name === undefined ? undefined : findResource(name)
          const ids = target && hasLanguages(target) ? idsIn(key, rows) : []
          return target
            ? Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) => ({
                key,
                target,
                ids: ids.slice(index * batchSize, (index + 1) * batchSize),
              }))
            : []
        })
  return useQueries({
    queries: requestedIds.map(({ target, ids }) =>
      resourceQueries(target).list({
        // The server names a record in whichever of its languages comes first, so the names are loaded again.
        ...(target.localized ? { locale: 'all' } : languageOf(target, locale)),
        ...(target.localized && { populate: { localizations: { fields: ['locale', target.title] } } }),
        fields: [target.title, ...(target.localized ? ['locale'] : [])],
        filters: { id: { $in: ids } },
        pagination: { pageSize: batchSize, withCount: false },
      }),
    ),
    combine: (results) => {
      const names = new Map<string, Map<number, string>>()
      for (const [index, { data }] of results.entries()) {
        const { key, target } = requestedIds[index] ?? {}
        if (!data || key === undefined || !target) continue
        const fieldNames = names.get(key) ?? new Map<number, string>()
        names.set(key, fieldNames)
        for (const entry of data.entries)
          fieldNames.set(entry.id, titleText(target, entryInLanguage(entry, locale), locale, t))
      }
      if (names.size === 0) return rows
      return rows.map((row) => ({
        ...row,
        before: row.before && valuesIn(row.before, names),
        after: valuesIn(row.after, names),
        issues: row.issues.map((issue) => translateIssue(issue, names)),
      }))
    },
  })
}

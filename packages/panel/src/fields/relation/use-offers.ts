/** Options from another resource: its first records, or those that match the typed text. */
import { type Entry, isLink, type Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { use, useEffect, useState } from 'react'
import type { Query } from '../../api/query-string.ts'
import { languageOf, resourceQueries } from '../../api/resource-queries.ts'
import { useLocale } from '../../lib/i18n.ts'
import type { ComboOption } from '../../ui/inputs/combobox.tsx'
import { namingFields, useTitleOf } from '../field-display.tsx'
import { type RelatedScope, RelatedScopeContext } from './related-scope.ts'
import { resourceNamed } from './targets.ts'

/** Number of options that a picker shows without typing; typing finds more. */
const pageSize = 50

/** Fields that name a record in a picker; in a form with several languages, all languages of them. */
function namesOf(target: Resource, scope: RelatedScope | undefined): { fields: string[]; populate?: Query } {
  const fields = namingFields(target)
  if (!scope || !target.localized) return { fields }
  return { fields: [...fields, 'locale'], populate: { localizations: { fields: [...fields, 'locale'] } } }
}

/** Populate query for the links of an offered record that the form needs. */
function populateForLinks(target: Resource, scope: RelatedScope | undefined): Query {
  const links = (scope?.linkPath ?? []).flatMap((name) => {
    const field = target.fields[name]
    return field && isLink(field) ? [[name, namesOf(resourceNamed(field.target), scope)] as const] : []
  })
  return Object.fromEntries(links)
}

/**
 * The options of a picker: first records of its target, or those that match the typed text. `filters` limits
 * them.
 */
export function useOfferedRecords(target: Resource, filters?: Query) {
  const scope = use(RelatedScopeContext)
  const reader = useLocale()
  const titleOf = useTitleOf(target)
  const [text, setText] = useState('')
  const [searchText, setSearchText] = useState<string | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(
      () => setSearchText((formerText) => (formerText === undefined && text === '' ? formerText : text)),
      200,
    )
    return () => clearTimeout(timer)
  }, [text])
  const { fields, populate } = namesOf(target, scope)
  const query = {
    ...languageOf(target, scope?.language ?? reader),
    fields,
    populate: { ...populate, ...populateForLinks(target, scope) },
    ...(scope && { filters: scope.filters }),
    sort: `${target.title}:asc`,
    pagination: { pageSize, withCount: false },
    ...(searchText && { _q: searchText }),
    ...(filters && { filters }),
  }
  const { data, isFetching } = useQuery({ ...resourceQueries(target).list(query), enabled: searchText !== undefined })
  const localized = (entry: Entry) => scope?.shown(target, entry) ?? entry
  const toOption = (entry: Entry): ComboOption => ({ value: localized(entry).id, label: titleOf(localized(entry)) })
  return {
    /** Last text typed in the picker's search. */
    text,
    options: (data?.entries ?? []).map(toOption),
    /**
     * True also while the last letters wait for their search: the options shown until then do not match them.
     */
    loading: isFetching || (searchText ?? '') !== text,
    toOption,
    /** The first search of a picker starts when its list is opened, so that a form loads no unused lists. */
    onSearch: (typedText: string) => {
      setText(typedText)
      if (typedText === '') setSearchText('')
    },
    /** Option of a picker as the value of the form: enough of the record to name and save it. */
    toEntry: (option: ComboOption, selectedEntries: readonly Entry[] = []): Entry =>
      [...(data?.entries ?? []), ...selectedEntries].find((entry) => localized(entry).id === option.value) ?? {
        id: Number(option.value),
        [target.title]: option.label,
      },
  }
}

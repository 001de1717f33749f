/** Records of another resource to choose from: its first ones, or what the typed text finds. */
import { type Entry, isLink, type Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { use, useEffect, useState } from 'react'
import type { Query } from '../../api/query-string.ts'
import { languageOf, resourceQueries } from '../../api/resource-queries.ts'
import { useLocale } from '../../lib/i18n.ts'
import type { ComboOption } from '../../ui/inputs/combobox.tsx'
import { titleFields, useTitleOf } from '../field-display.tsx'
import { type RelatedScope, RelatedScopeContext } from './related-scope.ts'
import { resourceNamed } from './targets.ts'

/** Offers on show at once; more are found by typing. */
const offered = 50

/** The names of a record, in a form with several languages in all of them. */
function namesOf(target: Resource, scope: RelatedScope | undefined): { fields: string[]; populate?: Query } {
  const fields = titleFields(target)
  if (!scope || !target.localized) return { fields }
  return { fields: [...fields, 'locale'], populate: { localizations: { fields: [...fields, 'locale'] } } }
}

/** The names of the links that the form has to know of an offered record. */
function throughOf(target: Resource, scope: RelatedScope | undefined): Query {
  const links = (scope?.through ?? []).flatMap((name) => {
    const field = target.fields[name]
    return field && isLink(field) ? [[name, namesOf(resourceNamed(field.target), scope)] as const] : []
  })
  return Object.fromEntries(links)
}

/** The offers of a target: its first records, or what the typed text finds; `filters` say which may be chosen, when not all. */
export function useOffers(target: Resource, filters?: Query) {
  const scope = use(RelatedScopeContext)
  const reader = useLocale()
  const titleOf = useTitleOf(target)
  const [text, setText] = useState('')
  const [wanted, setWanted] = useState<string | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(() => setWanted((known) => (known === undefined && text === '' ? known : text)), 200)
    return () => clearTimeout(timer)
  }, [text])
  const { fields, populate } = namesOf(target, scope)
  const query = {
    ...languageOf(target, scope?.language ?? reader),
    fields,
    populate: { ...populate, ...throughOf(target, scope) },
    ...(scope && { filters: scope.filters }),
    sort: `${target.title}:asc`,
    pagination: { pageSize: offered, withCount: false },
    ...(wanted && { _q: wanted }),
    ...(filters && { filters }),
  }
  const { data, isFetching } = useQuery({ ...resourceQueries(target).list(query), enabled: wanted !== undefined })
  const shown = (entry: Entry) => scope?.shown(target, entry) ?? entry
  const toOption = (entry: Entry): ComboOption => ({ value: shown(entry).id, label: titleOf(shown(entry)) })
  return {
    /** What was typed last. */
    text,
    options: (data?.entries ?? []).map(toOption),
    /** Also while the last letters wait for their search: what stands there until then is no answer to them. */
    loading: isFetching || (wanted ?? '') !== text,
    toOption,
    /** The first search starts when the list is opened, so that a form does not load lists nobody looks at. */
    onSearch: (next: string) => {
      setText(next)
      if (next === '') setWanted('')
    },
    /** An option as the form keeps it: enough of the record to be named and saved. */
    toEntry: (option: ComboOption, chosen: readonly Entry[] = []): Entry =>
      [...(data?.entries ?? []), ...chosen].find((entry) => shown(entry).id === option.value) ?? {
        id: Number(option.value),
        [target.title]: option.label,
      },
  }
}

/** Records of another resource to choose from: its first ones, or what the typed text finds. */
import type { Entry, Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { languageOf, resourceQueries } from '../api/resource-queries.ts'
import { useLocale } from '../lib/i18n.ts'
import type { ComboOption } from '../ui/combobox.tsx'
import { titleFields, useTitleOf } from './field-display.tsx'

/** Offers on show at once; more are found by typing. */
const offered = 50

/** The offers of a target: its first records, or what the typed text finds. */
export function useOffers(target: Resource) {
  const locale = useLocale()
  const titleOf = useTitleOf(target)
  const [text, setText] = useState('')
  const [wanted, setWanted] = useState<string | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(() => setWanted((known) => (known === undefined && text === '' ? known : text)), 200)
    return () => clearTimeout(timer)
  }, [text])
  const query = {
    ...languageOf(target, locale),
    fields: titleFields(target),
    sort: `${target.title}:asc`,
    pagination: { pageSize: offered, withCount: false },
    ...(wanted && { _q: wanted }),
  }
  const { data, isFetching } = useQuery({ ...resourceQueries(target).list(query), enabled: wanted !== undefined })
  const toOption = (entry: Entry): ComboOption => ({ value: entry.id, label: titleOf(entry) })
  return {
    options: (data?.entries ?? []).map(toOption),
    loading: isFetching,
    toOption,
    /** The first search starts when the list is opened, so that a form does not load lists nobody looks at. */
    onSearch: (next: string) => {
      setText(next)
      if (next === '') setWanted('')
    },
    /** An option as the form keeps it: enough of the record to be named and saved. */
    toEntry: (option: ComboOption): Entry =>
      data?.entries.find(({ id }) => id === option.value) ?? { id: Number(option.value), [target.title]: option.label },
  }
}

/** Chooses one or several records of another resource by searching them by name. */
import { type Entry, type Field, isLink, type Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { languageOf, resourceQueries } from '../api/resource-queries.ts'
import { useLocale } from '../lib/i18n.ts'
import { type ComboOption, Combobox, MultiCombobox } from '../ui/combobox.tsx'
import { titleFields, useTitleOf } from './field-display.tsx'
import { resourceNamed } from './targets.ts'

export interface RelatedInputProps {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

/** Offers on show at once; more are found by typing. */
const offered = 50

/** The offers of a target: its first records, or what the typed text finds. */
function useOffers(target: Resource) {
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

const targetOf = (field: Field): Resource => resourceNamed(isLink(field) ? field.target : '')

export function RelatedInput({ field, value, onChange }: RelatedInputProps) {
  const { options, loading, toOption, onSearch, toEntry } = useOffers(targetOf(field))
  return (
    <Combobox
      value={isEntry(value) ? toOption(value) : null}
      onValueChange={(option) => onChange(option ? toEntry(option) : null)}
      options={options}
      loading={loading}
      onSearch={onSearch}
    />
  )
}

export function RelatedListInput({ field, value, onChange }: RelatedInputProps) {
  const { options, loading, toOption, onSearch, toEntry } = useOffers(targetOf(field))
  const chosen = Array.isArray(value) ? value.filter(isEntry).map(toOption) : []
  return (
    <MultiCombobox
      value={chosen}
      onValueChange={(next) => onChange(next.map(toEntry))}
      options={options}
      loading={loading}
      onSearch={onSearch}
    />
  )
}

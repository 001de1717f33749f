/** Chooses one or several records of another resource by searching them by name. */
import { type Entry, type Field, isLink, type Resource } from '@dala/model'
import type { Query } from '../api/query-string.ts'
import { Combobox, MultiCombobox } from '../ui/combobox.tsx'
import { resourceNamed } from './targets.ts'
import { useOffers } from './use-offers.ts'

export interface RelatedInputProps {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  /** Which records of the target may be chosen, when not all. */
  filters?: Query
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

const targetOf = (field: Field): Resource => resourceNamed(isLink(field) ? field.target : '')

export function RelatedInput({ field, value, onChange, filters }: RelatedInputProps) {
  const { options, loading, toOption, onSearch, toEntry } = useOffers(targetOf(field), filters)
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

export function RelatedListInput({ field, value, onChange, filters }: RelatedInputProps) {
  const { options, loading, toOption, onSearch, toEntry } = useOffers(targetOf(field), filters)
  const chosen = Array.isArray(value) ? value.filter(isEntry) : []
  return (
    <MultiCombobox
      value={chosen.map(toOption)}
      onValueChange={(next) => onChange(next.map((option) => toEntry(option, chosen)))}
      options={options}
      loading={loading}
      onSearch={onSearch}
    />
  )
}

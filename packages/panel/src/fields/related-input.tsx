/** Chooses one or several records of another resource by searching them by name, or makes one that is not there yet. */
import { type Entry, type Field, foldSearch, isLink, type Resource } from '@dala/model'
import { use } from 'react'
import type { Query } from '../api/query-string.ts'
import { useT } from '../lib/i18n.ts'
import { Combobox, type ComboOption, MultiCombobox } from '../ui/combobox.tsx'
import { MakeInPlaceContext } from './related-scope.ts'
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

/** The value of the last offer: no record, but the wish for one. */
const wish = 'make'

/** The offers of a field, and behind them the way to a record that is not among them. */
function useChoices(field: Field, filters: Query | undefined) {
  const t = useT()
  const target = targetOf(field)
  const offers = useOffers(target, filters)
  const make = use(MakeInPlaceContext)?.(target)
  const text = offers.text.trim()
  return {
    ...offers,
    /** The offers; a chosen record stays among them, and the way to a new one is the last. */
    choices: (chosen: readonly ComboOption[]): ComboOption[] => {
      const { options, loading } = offers
      const others = chosen.filter(({ value }) => !options.some((option) => option.value === value))
      const isThere = [...options, ...chosen].some(({ label }) => foldSearch(label) === foldSearch(text))
      const last = make && text !== '' && !loading && !isThere
      return [...options, ...others, ...(last ? [{ value: wish, label: t('form.createNamed', { name: text }) }] : [])]
    },
    make: (take: (entry: Entry) => void) => make?.(text, take),
  }
}

export function RelatedInput({ field, value, onChange, filters }: RelatedInputProps) {
  const { choices, make, loading, toOption, onSearch, toEntry } = useChoices(field, filters)
  const chosen = isEntry(value) ? toOption(value) : null
  return (
    <Combobox
      value={chosen}
      onValueChange={(option) => {
        if (option?.value === wish) make(onChange)
        else onChange(option ? toEntry(option) : null)
      }}
      options={choices(chosen ? [chosen] : [])}
      loading={loading}
      onSearch={onSearch}
    />
  )
}

export function RelatedListInput({ field, value, onChange, filters }: RelatedInputProps) {
  const { choices, make, loading, toOption, onSearch, toEntry } = useChoices(field, filters)
  const chosen = Array.isArray(value) ? value.filter(isEntry) : []
  return (
    <MultiCombobox
      value={chosen.map(toOption)}
      onValueChange={(next) => {
        if (next.some((option) => option.value === wish)) make((entry) => onChange([...chosen, entry]))
        else onChange(next.map((option) => toEntry(option, chosen)))
      }}
      options={choices(chosen.map(toOption))}
      loading={loading}
      onSearch={onSearch}
    />
  )
}

/**
 * Chooses one or several records of another resource by searching for their names, or creates a missing one.
 */
import { type Entry, type Field, searchKeyOf, isLink, type Resource } from '@dala/model'
import { use } from 'react'
import type { Query } from '../../api/query-string.ts'
import { useT } from '../../lib/i18n.ts'
import { Combobox, type ComboOption, MultiCombobox } from '../../ui/inputs/combobox.tsx'
import { MakeInPlaceContext } from './related-scope.ts'
import { resourceNamed } from './targets.ts'
import { useOffers } from './use-offers.ts'

export interface RelatedInputProps {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  /** The condition for records of the target that may be chosen. */
  filters?: Query
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

const targetOf = (field: Field): Resource => resourceNamed(isLink(field) ? field.target : '')

/** The value of the last option: it stands for a new record. */
const wish = 'make'

/** The options of a field, and the action that creates a missing record. */
function useChoices(field: Field, filters: Query | undefined) {
  const t = useT()
  const target = targetOf(field)
  const offers = useOffers(target, filters)
  const make = use(MakeInPlaceContext)?.(target)
  const text = offers.text.trim()
  const label = t('form.createNamed', { name: text })
  const mayMake = (chosen: readonly ComboOption[]): boolean => {
    const isThere = [...offers.options, ...chosen].some((option) => searchKeyOf(option.label) === searchKeyOf(text))
    return make !== undefined && text !== '' && !offers.loading && !isThere
  }
  return {
    ...offers,
    /** The options, with the chosen records among them. "Create" is an option only when there is no other. */
    choices: (chosen: readonly ComboOption[]): ComboOption[] => {
      const { options } = offers
      const others = chosen.filter(({ value }) => !options.some((option) => option.value === value))
      const last = mayMake(chosen) && options.length === 0
      return [...options, ...others, ...(last ? [{ value: wish, label }] : [])]
    },
    make: (take: (entry: Entry) => void) => make?.(text, take),
    /** The action "create" after the matching options. */
    further: (chosen: readonly ComboOption[], take: (entry: Entry) => void) =>
      mayMake(chosen) && offers.options.length > 0 ? { label, run: () => make?.(text, take) } : undefined,
  }
}

export function RelatedInput({ field, value, onChange, filters }: RelatedInputProps) {
  const { choices, make, further, loading, toOption, onSearch, toEntry } = useChoices(field, filters)
  const chosen = isEntry(value) ? toOption(value) : null
  return (
    <Combobox
      value={chosen}
      onValueChange={(option) => {
        if (option?.value === wish) make(onChange)
        else onChange(option ? toEntry(option) : null)
      }}
      options={choices(chosen ? [chosen] : [])}
      further={further(chosen ? [chosen] : [], onChange)}
      loading={loading}
      onSearch={onSearch}
    />
  )
}

export function RelatedListInput({ field, value, onChange, filters }: RelatedInputProps) {
  const { choices, make, further, loading, toOption, onSearch, toEntry } = useChoices(field, filters)
  const chosen = Array.isArray(value) ? value.filter(isEntry) : []
  return (
    <MultiCombobox
      value={chosen.map(toOption)}
      onValueChange={(next) => {
        if (next.some((option) => option.value === wish)) make((entry) => onChange([...chosen, entry]))
        else onChange(next.map((option) => toEntry(option, chosen)))
      }}
      options={choices(chosen.map(toOption))}
      further={further(chosen.map(toOption), (entry) => onChange([...chosen, entry]))}
      loading={loading}
      onSearch={onSearch}
    />
  )
}

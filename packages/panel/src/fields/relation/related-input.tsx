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
import { useOfferedRecords } from './use-offers.ts'

export interface RelatedInputProps {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  /** Condition for records of the target that the picker offers. */
  filters?: Query
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

const targetOf = (field: Field): Resource => resourceNamed(isLink(field) ? field.target : '')

/** Value of the picker's last option, which stands for a new record. */
const createOption = 'make'

/** The options of a relation picker, and the action that creates a missing record. */
function useChoices(field: Field, filters: Query | undefined) {
  const t = useT()
  const target = targetOf(field)
  const offeredRecords = useOfferedRecords(target, filters)
  const create = use(MakeInPlaceContext)?.(target)
  const text = offeredRecords.text.trim()
  const label = t('form.createNamed', { name: text })
  const mayCreate = (pickedOptions: readonly ComboOption[]): boolean => {
    const isOptionListed = [...offeredRecords.options, ...pickedOptions].some(
      (option) => searchKeyOf(option.label) === searchKeyOf(text),
    )
    return create !== undefined && text !== '' && !offeredRecords.loading && !isOptionListed
  }
  return {
    ...offeredRecords,
    /**
     * The options of a relation picker, with the chosen records among them. "Create" is an option only when
     * there is no other.
     */
    choices: (pickedOptions: readonly ComboOption[]): ComboOption[] => {
      const { options } = offeredRecords
      const selectedOnly = pickedOptions.filter(({ value }) => !options.some((option) => option.value === value))
      const isLastOption = mayCreate(pickedOptions) && options.length === 0
      return [...options, ...selectedOnly, ...(isLastOption ? [{ value: createOption, label }] : [])]
    },
    create: (onCreated: (entry: Entry) => void) => create?.(text, onCreated),
    /** Adds the action "create" after the matching options. */
    furtherItems: (pickedOptions: readonly ComboOption[], onCreated: (entry: Entry) => void) =>
      mayCreate(pickedOptions) && offeredRecords.options.length > 0
        ? { label, run: () => create?.(text, onCreated) }
        : undefined,
  }
}

export function RelatedInput({ field, value, onChange, filters }: RelatedInputProps) {
  const {
    choices,
    create,
    furtherItems: moreChoices,
    loading,
    toOption,
    onSearch,
    toEntry,
  } = useChoices(field, filters)
  const selectedOptions = isEntry(value) ? toOption(value) : null
  return (
    <Combobox
      value={selectedOptions}
      onValueChange={(option) => {
        if (option?.value === createOption) create(onChange)
        else onChange(option ? toEntry(option) : null)
      }}
      options={choices(selectedOptions ? [selectedOptions] : [])}
      extraItem={moreChoices(selectedOptions ? [selectedOptions] : [], onChange)}
      loading={loading}
      onSearch={onSearch}
    />
  )
}

export function RelatedListInput({ field, value, onChange, filters }: RelatedInputProps) {
  const {
    choices,
    create,
    furtherItems: moreChoices,
    loading,
    toOption,
    onSearch,
    toEntry,
  } = useChoices(field, filters)
  const selectedOptions = Array.isArray(value) ? value.filter(isEntry) : []
  return (
    <MultiCombobox
      value={selectedOptions.map(toOption)}
      onValueChange={(newOptions) => {
        if (newOptions.some((option) => option.value === createOption))
          create((entry) => onChange([...selectedOptions, entry]))
        else onChange(newOptions.map((option) => toEntry(option, selectedOptions)))
      }}
      options={choices(selectedOptions.map(toOption))}
      extraItem={moreChoices(selectedOptions.map(toOption), (entry) => onChange([...selectedOptions, entry]))}
      loading={loading}
      onSearch={onSearch}
    />
  )
}

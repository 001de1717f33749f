/** The readers of a schedule: staff and consultants, and addresses without an account. */
import { acceptEmail, type ReportSchedule, resources } from '@dala/model'
import { useOfferedRecords } from '../../../fields/relation/use-offers.ts'
import { MultiCombobox } from '../../../ui/inputs/combobox.tsx'

/** Accounts that can open reports. */
const readerFilters = {
  blocked: false,
  $or: [{ is_consultant: true }, { role: { type: { $in: ['admin', 'super-admin', 'owner'] } } }],
}

type Reader = ReportSchedule['recipients']['users'][number]

interface ReadersInputProps {
  value: readonly Reader[]
  onChange: (readers: readonly Reader[]) => void
}

/** Chooses accounts by searching for their names. */
export function ReadersInput({ value, onChange }: ReadersInputProps) {
  const { options, loading, onSearch } = useOfferedRecords(resources.users, readerFilters)
  return (
    <MultiCombobox
      value={value.map(({ id, name }) => ({ value: id, label: name ?? `#${id}` }))}
      onValueChange={(chosenReaders) =>
        onChange(chosenReaders.map((chosenReader) => ({ id: Number(chosenReader.value), name: chosenReader.label })))
      }
      options={options}
      loading={loading}
      onSearch={onSearch}
    />
  )
}

/** The addresses in a text, and its parts that are none. */
export function readAddresses(text: string): { addresses: string[]; wrong: string[] } {
  const parts = text.split(/[\s,;]+/).filter(Boolean)
  return {
    addresses: [...new Set(parts.flatMap((addressText) => acceptEmail(addressText) ?? []))],
    wrong: parts.filter((addressText) => acceptEmail(addressText) === undefined),
  }
}

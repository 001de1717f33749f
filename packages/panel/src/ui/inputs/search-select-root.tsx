/** Open searchable select: the text field is above its list. */
import { Combobox as Base } from '@base-ui/react/combobox'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { type ComboOption, ComboItems } from './combobox.tsx'
import { controlClass } from './control-class.ts'
import { Scrim } from '../overlays/scrim.tsx'
import { type SearchSelectProps, selectClass } from './select-props.ts'

export function SearchSelectRoot({
  text,
  value,
  onValueChange,
  options,
  emptyOption,
  onSearch,
  loading,
  className,
  ...names
}: SearchSelectProps) {
  const t = useT()
  const [query, setQuery] = useState('')
  const search = (newQuery: string) => {
    setQuery(newQuery)
    onSearch(newQuery)
  }
  return (
    <Base.Root<ComboOption>
      defaultOpen
      items={query === '' ? [emptyOption, ...options] : [...options]}
      value={value}
      onValueChange={(chosenOption) => chosenOption && onValueChange(chosenOption)}
      isItemEqualToValue={(left, right) => left.value === right.value}
      itemToStringLabel={(option) => option.label}
      filter={null}
      autoHighlight
      onInputValueChange={(newQuery, { reason }) => {
        if (reason === 'input-change' || reason === 'input-clear') search(newQuery)
      }}
      onOpenChange={(isOpen) => {
        if (isOpen) search('')
      }}
    >
      <Base.Trigger {...names} className={selectClass('filter', className)}>
        <span className="min-w-0 flex-1 truncate">{text}</span>
        <ChevronDown size={15} aria-hidden className="text-muted" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Backdrop render={<Scrim isPhoneOnly />} />
        <Base.Positioner sideOffset={6} align="start" className="float-positioner">
          <Base.Popup aria-label={names['aria-label']} className="float-popup">
            <Base.Input
              aria-label={names['aria-label']}
              placeholder={t('list.searchPlaceholder')}
              className={`${controlClass} mb-1`}
            />
            <ComboItems loading={loading} isEmpty={options.length === 0} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

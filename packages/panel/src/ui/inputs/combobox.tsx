/** Combobox: a choice from a long list by typing, of one value, or of several as chips. */
import { Combobox as Base } from '@base-ui/react/combobox'
import type { BaseUIEvent } from '@base-ui/react/types'
import { searchKeyOf } from '@dala/model'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useState } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { useFieldControl, useFieldLabel } from './field.tsx'
import { frameClass, framedInputClass } from './input.tsx'
import { KeyCaps } from '../key-caps.tsx'
import { Scrim } from '../overlays/scrim.tsx'
import { Spinner } from '../feedback/spinner.tsx'

export interface ComboOption {
  value: number | string
  label: string
  /** Quieter text beside an option's label, which helps to choose. */
  note?: string
}

interface ComboProps {
  /** Available options of the combobox; with `onSearch` the answer to the last text, else the whole list. */
  options: readonly ComboOption[]
  /**
   * Called with the text typed in the combobox; the caller fetches and passes new `options`. Without it the
   * list is filtered here.
   */
  onSearch?: (text: string) => void
  loading?: boolean
  /** Further action with the typed text, below the list; arrow keys do not reach it by accident. */
  extraItem?: { label: string; run: () => void } | undefined
  placeholder?: string
  'aria-label'?: string
}

export interface ComboboxProps extends ComboProps {
  value: ComboOption | null
  onValueChange: (value: ComboOption | null) => void
}

export interface MultiComboboxProps extends ComboProps {
  value: readonly ComboOption[]
  onValueChange: (value: ComboOption[]) => void
}

const isSame = (left: ComboOption, right: ComboOption) => left.value === right.value
const matches = (option: ComboOption, text: string) => searchKeyOf(option.label).includes(searchKeyOf(text))
const labelOf = (option: ComboOption) => option.label

/** Chosen options stay in the list even when the last search did not find them. */
function addSelectedOptions(options: readonly ComboOption[], selectedOptions: readonly ComboOption[]): ComboOption[] {
  return [
    ...options,
    ...selectedOptions.filter((option) => !options.some((listedOption) => isSame(option, listedOption))),
  ]
}

const partClass =
  'grid size-7 shrink-0 place-items-center rounded-1 text-muted hover:text-ink max-md:-my-1 max-md:h-11 max-md:w-9'

/**
 * Ids of the surrounding field; the label also by id, because an open list hides all but its own input from
 * assistive technology.
 */
function useNamedControl() {
  return { ...useFieldControl(), 'aria-labelledby': useFieldLabel() }
}

/**
 * Whether the user meant a change of the combobox: Escape on a closed list would clear the choice by
 * accident.
 */
function isUserChange(details: { reason: string; cancel: () => void }): boolean {
  if (details.reason !== 'escape-key') return true
  details.cancel()
  return false
}

/** Combobox for the choice of one value. */
export function Combobox({
  value,
  onValueChange,
  options,
  onSearch,
  loading = false,
  extraItem,
  placeholder,
  ...names
}: ComboboxProps) {
  const t = useT()
  const control = useNamedControl()
  // Fetched options do not replace the typed text, which stays until a choice or a blur.
  const [query, setQuery] = useState<string | null>(null)
  return (
    <Base.Root<ComboOption>
      items={addSelectedOptions(options, value ? [value] : [])}
      value={value}
      onValueChange={(newValue, details) => {
        if (isUserChange(details)) onValueChange(newValue)
      }}
      isItemEqualToValue={isSame}
      itemToStringLabel={labelOf}
      filter={onSearch ? null : matches}
      autoHighlight
      inputValue={query ?? value?.label ?? ''}
      onInputValueChange={(text, details) => {
        if (!isUserChange(details)) return
        const { reason } = details
        const isTyped = reason === 'input-change' || reason === 'input-clear'
        setQuery(isTyped ? text : null)
        if (isTyped) onSearch?.(text)
      }}
      onOpenChange={(isOpen, { reason }) => {
        if (!isOpen) setQuery(null)
        else if (reason !== 'input-change') onSearch?.('')
      }}
    >
      <Base.InputGroup className={cx(frameClass, 'pe-1.5!')}>
        <Base.Input
          {...control}
          {...names}
          {...extraItemKeys(extraItem)}
          placeholder={placeholder}
          className={framedInputClass}
        />
        {value ? (
          <Base.Clear aria-label={t('select.clear')} className={partClass}>
            <X size={15} aria-hidden />
          </Base.Clear>
        ) : null}
        <Base.Trigger aria-label={t('action.select')} className={partClass}>
          {loading ? <Spinner size={15} /> : <ChevronDown size={15} aria-hidden />}
        </Base.Trigger>
      </Base.InputGroup>
      <ComboList loading={loading} isEmpty={options.length === 0} further={extraItem} />
    </Base.Root>
  )
}

/** Combobox for several values, shown as chips. */
export function MultiCombobox({
  value,
  onValueChange,
  options,
  onSearch,
  loading = false,
  extraItem,
  placeholder,
  ...names
}: MultiComboboxProps) {
  const t = useT()
  const control = useNamedControl()
  return (
    <Base.Root<ComboOption, true>
      multiple
      items={addSelectedOptions(options, value)}
      value={[...value]}
      onValueChange={(newValue, details) => {
        if (isUserChange(details)) onValueChange(newValue)
      }}
      isItemEqualToValue={isSame}
      itemToStringLabel={labelOf}
      filter={onSearch ? null : matches}
      autoHighlight
      onInputValueChange={(text, { reason }) => {
        if (reason === 'input-change' || reason === 'input-clear') onSearch?.(text)
      }}
      onOpenChange={(isOpen, { reason }) => {
        if (isOpen && reason !== 'input-change') onSearch?.('')
      }}
    >
      <Base.InputGroup className={cx(frameClass, 'px-2! py-[5px]')}>
        <Base.Chips className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">
          {value.map((option) => (
            <Base.Chip
              key={option.value}
              aria-label={option.label}
              className="inline-flex items-center gap-0.5 rounded-1 bg-brand-soft ps-[9px] text-sm font-medium text-on-brand-soft outline-0 data-highlighted:ring-2 data-highlighted:ring-focus"
            >
              {option.label}
              <Base.ChipRemove
                aria-label={t('select.removeChoice', { name: option.label })}
                className="grid h-[26px] w-6 place-items-center max-md:h-9 max-md:w-9"
              >
                <X size={13} aria-hidden />
              </Base.ChipRemove>
            </Base.Chip>
          ))}
          <Base.Input
            {...control}
            {...names}
            {...extraItemKeys(extraItem)}
            placeholder={value.length > 0 ? '' : placeholder}
            className={cx(framedInputClass, 'min-w-24 ps-1')}
          />
        </Base.Chips>
        {loading ? <Spinner size={15} /> : null}
      </Base.InputGroup>
      <ComboList loading={loading} isEmpty={options.length === 0} further={extraItem} />
    </Base.Root>
  )
}

/** Handles keys of the text field: Ctrl+Enter runs the extra action. */
function extraItemKeys(extraAction: ComboProps['extraItem']) {
  if (!extraAction) return {}
  return {
    'aria-keyshortcuts': 'Control+Enter',
    onKeyDown: (event: BaseUIEvent<KeyboardEvent<HTMLInputElement>>) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      event.preventBaseUIHandler()
      extraAction.run()
    },
  }
}

interface ComboItemsProps {
  loading: boolean
  /** Whether no options have arrived yet. */
  isEmpty: boolean
}

function ComboList({ further, ...items }: ComboItemsProps & { further: ComboProps['extraItem'] }) {
  return (
    <Base.Portal>
      <Base.Backdrop render={<Scrim isPhoneOnly />} />
      <Base.Positioner sideOffset={6} className="float-positioner">
        <Base.Popup className="float-popup">
          <ComboItems {...items} />
          {further ? (
            <button
              type="button"
              // A pressed action below the options leaves the focus in the combobox, so that the list stays
              // open.
              onMouseDown={(event) => event.preventDefault()}
              onClick={further.run}
              className="float-item mt-1 w-full justify-between border-t border-line"
            >
              {further.label}
              <KeyCaps caps={['Ctrl', 'Enter']} />
            </button>
          ) : null}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}

/**
 * Options of the combobox, or a message in their place. Above options the message of a search is for screen
 * readers only: a visible one would move the options under the pointer when the search ends.
 */
export function ComboItems({ loading, isEmpty }: ComboItemsProps) {
  const t = useT()
  return (
    <>
      <Base.Status className={isEmpty ? 'px-2.5 py-1.5 text-sm text-muted empty:hidden' : 'sr-only'}>
        {loading ? t('select.loading') : null}
      </Base.Status>
      <Base.Empty className="px-2.5 py-1.5 text-sm text-muted empty:hidden">
        {loading ? null : t('empty.noData')}
      </Base.Empty>
      <Base.List>
        {(option: ComboOption) => (
          <Base.Item key={option.value} value={option} className="float-item justify-between">
            {option.note ? (
              <span className="min-w-0">
                {option.label}
                <span className="block text-sm text-muted">{option.note}</span>
              </span>
            ) : (
              option.label
            )}
            <Base.ItemIndicator className="text-brand-text">
              <Check size={15} aria-hidden />
            </Base.ItemIndicator>
          </Base.Item>
        )}
      </Base.List>
    </>
  )
}

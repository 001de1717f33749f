/** What a select is given, and how it looks closed; the same before and after its list is loaded. */
import type { ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'
import type { ComboOption } from './combobox.tsx'
import { controlClass } from './control-class.ts'
import type { Disabled } from '../why.tsx'

interface Choice<V extends string | number = string> {
  value: V
  label: string
  /** The language of the label, where it differs from the page's. */
  lang?: string
  /** Beside it in the list. */
  note?: string
}

export interface SelectProps<V extends string | number> {
  value: V | null
  onValueChange: (value: V) => void
  choices: readonly Choice<V>[]
  placeholder?: string
  icon?: ReactNode
  /** Why nothing else can be chosen now. */
  disabled?: Disabled
  /** Where no field names it. */
  'aria-label'?: string
  'aria-labelledby'?: string
  /** `filter`: as wide as its words, for bars; otherwise it fills its field. */
  look?: 'field' | 'filter'
  /** Where the focus goes once something was chosen by keys; otherwise it goes back to the select. */
  focusNext?: (select: HTMLElement) => HTMLElement | null | undefined
  className?: string
}

/** A select whose list is searched by typing. */
export interface SearchSelectProps {
  'aria-label': string
  /** What the closed control says. */
  text: string
  value: ComboOption | null
  onValueChange: (value: ComboOption) => void
  options: readonly ComboOption[]
  /** Stands before them while nothing is typed: no choice at all. */
  none: ComboOption
  /** Called with what is typed, and with nothing when the list opens. */
  onSearch: (text: string) => void
  loading: boolean
  className?: string
}

/** The look of the closed select. */
export function selectClass(look: 'field' | 'filter', className: string | undefined): string {
  return cx(
    controlClass,
    'inline-flex items-center justify-between gap-2 text-start data-placeholder:text-muted',
    look === 'filter' && 'w-auto!',
    className,
  )
}

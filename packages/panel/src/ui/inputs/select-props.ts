/** The props of a select and its closed appearance, the same before and after its list is loaded. */
import type { ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'
import type { ComboOption } from './combobox.tsx'
import { controlClass } from './control-class.ts'
import type { DisabledReason } from '../disabled-reason.tsx'

interface Choice<V extends string | number = string> {
  value: V
  label: string
  /** Language of the option's label, if it differs from the page's. */
  lang?: string
  /** Note beside an option in the list of the select. */
  note?: string
}

export interface SelectProps<V extends string | number> {
  value: V | null
  onValueChange: (value: V) => void
  choices: readonly Choice<V>[]
  placeholder?: string
  icon?: ReactNode
  /** Reason why the choice of the select cannot be changed now. */
  disabled?: DisabledReason
  /** Name of the select, where no field has a label. */
  'aria-label'?: string
  'aria-labelledby'?: string
  /** Appearance of the select; `filter`: as wide as its text, for bars; otherwise it fills its field. */
  variant?: 'field' | 'filter'
  /** Returns the next focus after a choice by keyboard; otherwise the focus returns to the select. */
  focusNext?: (select: HTMLElement) => HTMLElement | null | undefined
  className?: string
}

/** Select whose list is searched by typing. */
export interface SearchSelectProps {
  'aria-label': string
  /** Text that the closed select shows. */
  text: string
  value: ComboOption | null
  onValueChange: (value: ComboOption) => void
  options: readonly ComboOption[]
  /** Option for no choice, the first one without a typed text. */
  emptyOption: ComboOption
  /** Called with the text typed in the select, and with an empty text when its list opens. */
  onSearch: (text: string) => void
  loading: boolean
  className?: string
}

/** Classes of the closed select. */
export function selectClass(variant: 'field' | 'filter', className: string | undefined): string {
  return cx(
    controlClass,
    'inline-flex items-center justify-between gap-2 text-start data-placeholder:text-muted',
    variant === 'filter' && 'w-auto!',
    className,
  )
}

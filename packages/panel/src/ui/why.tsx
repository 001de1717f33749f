/** Why a control cannot be used now: told by its tip, by touch and to assistive technology, while it keeps the focus. */
import { type ReactNode, useId } from 'react'
import { cx } from '../lib/class-names.ts'

/** In place of yes and no: what is disabled says why. */
export type Disabled = false | string | undefined

interface Why {
  /** For the control; nothing while it can be used. */
  props: { 'aria-disabled'?: true; 'data-why'?: string; 'aria-describedby'?: string }
  /** The words that describe it, to stand in the control or beside it. */
  note: ReactNode
}

/**
 * In: the reason, and the ids that describe the control already.
 *
 * The attribute `disabled` would take the control out of the tab order, and its reason with it. The tip is that of the
 * one layer for all controls, so that a list pays nothing for reasons nobody asks for.
 */
export function useWhy(reason: Disabled, describedBy?: string): Why {
  const id = useId()
  if (!reason) return { props: describedBy === undefined ? {} : { 'aria-describedby': describedBy }, note: null }
  return {
    props: { 'aria-disabled': true, 'data-why': reason, 'aria-describedby': cx(describedBy, id) },
    // As a label: a sentence that the page says already does not stand in it twice.
    note: <span id={id} hidden aria-label={reason} />,
  }
}

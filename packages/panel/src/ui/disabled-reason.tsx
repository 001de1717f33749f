/**
 * The reason why a control is disabled: shown by its tooltip, by touch and to assistive technology, while the
 * control keeps the focus.
 */
import { type ReactNode, useId } from 'react'
import { cx } from '../lib/class-names.ts'

/** Reason why a control is disabled, as a text in place of true. */
export type DisabledReason = false | string | undefined

interface DisabledReasonProps {
  /** Attributes of a disabled control; empty while the control is enabled. */
  props: { 'aria-disabled'?: true; 'data-why'?: string; 'aria-describedby'?: string }
  /** Text that describes the disabled control, to be rendered in the control or beside it. */
  note: ReactNode
}

/**
 * Returns the attributes and the description of a disabled control. The attribute `disabled` would remove the
 * control and its reason from the tab order. The tooltip is the shared layer of all controls, so that a list
 * pays nothing for reasons that are not shown.
 *
 * @param reason - The reason, or a falsy value.
 * @param describedBy - Ids that already describe the control.
 */
export function useDisabledReason(reason: DisabledReason, describedBy?: string): DisabledReasonProps {
  const id = useId()
  if (!reason) return { props: describedBy === undefined ? {} : { 'aria-describedby': describedBy }, note: null }
  return {
    props: { 'aria-disabled': true, 'data-why': reason, 'aria-describedby': cx(describedBy, id) },
    // The reason of a disabled control is a label and no text, so that the page does not contain the sentence
    // twice.
    note: <span id={id} hidden aria-label={reason} />,
  }
}

/** The one action of a part of the System page, in its head. */
import type { ComponentProps } from 'react'

type PartButtonProps = Pick<ComponentProps<'button'>, 'children' | 'onClick' | 'aria-busy' | 'aria-label'>

export const PartButton = (props: PartButtonProps) => (
  <button
    {...props}
    type="button"
    aria-disabled={props['aria-busy']}
    className="inline-flex min-h-6 items-center text-sm font-semibold text-brand-text hover:underline aria-disabled:opacity-50 max-md:min-h-11 pointer-coarse:min-h-11"
  />
)

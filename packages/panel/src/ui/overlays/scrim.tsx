/** The backdrop of overlays. */
import type { ComponentProps } from 'react'
import { cx } from '../../lib/class-names.ts'

export function Scrim({ phoneOnly = false, className, ...rest }: ComponentProps<'div'> & { phoneOnly?: boolean }) {
  return <div {...rest} className={cx('scrim z-(--z-dialog)', phoneOnly && 'md:hidden', className)} />
}

/** Backdrop of dialogs, menus and other overlays. */
import type { ComponentProps } from 'react'
import { cx } from '../../lib/class-names.ts'

export function Scrim({
  isPhoneOnly = false,
  className,
  ...boxProps
}: ComponentProps<'div'> & { isPhoneOnly?: boolean }) {
  return <div {...boxProps} className={cx('scrim z-(--z-dialog)', isPhoneOnly && 'md:hidden', className)} />
}

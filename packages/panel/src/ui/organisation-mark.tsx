/** The picture of the organisation in place of the logo of the product. */
import { cx } from '../lib/class-names.ts'
import { setLogo, useLogo } from './logo.ts'
import { TextMark } from './mark.tsx'

/**
 * Picture of the organisation, or the logo of the product without one. It has a white ground, because pictures are made
 * for paper and the menu is dark. A picture that cannot be loaded is replaced by the logo of the product.
 */
export function OrganisationMark({ isLarge = false, size }: { isLarge?: boolean; size?: number }) {
  const logo = useLogo()
  if (logo === null) return <TextMark {...(size !== undefined && { size })} />
  return (
    <img
      src={logo}
      alt=""
      // Light colours in both modes.
      data-palette="greysteel"
      data-mode="light"
      onError={() => setLogo(null)}
      className={cx('rounded-1 bg-surface object-contain p-0.5', isLarge ? 'h-12 max-w-40' : 'h-9 max-w-12')}
    />
  )
}

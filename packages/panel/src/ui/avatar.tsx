/**
 * The picture of a record. Without one a person has initials on a muted tint, anything else an icon. Square
 * for records, round only for the signed-in account.
 */
import type { ReactNode } from 'react'
import { cx } from '../lib/class-names.ts'

const tints = [1, 2, 3, 4, 5, 6] as const

/** Tint of an avatar; the same name always gets the same tint. */
function tintOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return tints[sum % tints.length] ?? 1
}

/** Initials of a name: first letters of the first two words, without a change of case. */
function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((namePart) => Array.from(namePart)[0] ?? '')
    .join('')
}

const sizes = {
  sm: 'size-7 text-2xs rounded-1!',
  md: 'size-9 text-sm',
  lg: 'size-14 text-lg',
  xl: 'size-15 text-xl',
  fill: 'aspect-4/3 w-full text-3xl',
} as const
/** Displayed width of the avatar's picture, for the browser's choice among its files. */
const imageSizes = { sm: '28px', md: '36px', lg: '56px', xl: '60px', fill: '(max-width: 767px) 100vw, 360px' } as const

export interface AvatarProps {
  name: string
  src?: string | undefined
  /** Larger files of the avatar's picture, for the browser to choose from. */
  srcSet?: string | undefined
  /** Focal point of the picture that stays visible, as a CSS value. */
  position?: string | undefined
  /** Size of the avatar; `fill` is as wide as its container, four to three. */
  size?: 'sm' | 'md' | 'lg' | 'xl' | 'fill'
  isRound?: boolean
  /** Icon of the avatar instead of initials, for records that are no person. */
  badge?: ReactNode
}

export function Avatar({ name, src, srcSet, position, size = 'md', isRound = false, badge }: AvatarProps) {
  const frame = cx(
    'inline-grid shrink-0 place-items-center overflow-hidden font-semibold',
    isRound ? 'rounded-full' : size === 'xl' ? 'rounded-3' : 'rounded-2',
    sizes[size],
  )
  if (src)
    return (
      <img
        src={src}
        srcSet={srcSet}
        sizes={srcSet ? imageSizes[size] : undefined}
        alt=""
        loading="lazy"
        style={{ objectPosition: position }}
        className={cx(frame, 'object-cover')}
      />
    )
  if (isRound) {
    return (
      // The initials of the avatar are hidden from screen readers: as text they would be part of the button's
      // name.
      <span
        aria-hidden
        data-initials={initialsOf(name)}
        className={cx(frame, 'bg-brand-soft text-on-brand-soft before:content-[attr(data-initials)]')}
      />
    )
  }
  if (badge) {
    return (
      <span aria-hidden className={cx(frame, 'bg-sunken text-muted')}>
        {badge}
      </span>
    )
  }
  return (
    <span
      aria-hidden
      style={{ '--c': `var(--chart-${tintOf(name)})` }}
      className={cx(
        frame,
        'bg-[color-mix(in_oklch,var(--c)_26%,var(--surface))] text-[color-mix(in_oklch,var(--c)_25%,var(--text))]',
      )}
    >
      {initialsOf(name)}
    </span>
  )
}

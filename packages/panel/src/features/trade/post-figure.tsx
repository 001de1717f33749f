/** Drawings for trading posts without a photo, by the kind of goods of their category. */
import { type Entry, resources } from '@dala/model'
import type { ReactNode } from 'react'
import { isEntry } from '../../fields/field-display.tsx'

const { kind: kinds } = resources.tradingpostcategories.fields
type Kind = (typeof kinds.values)[number]

// The drawing that replaces a missing photo has two shades of the theme's colour, unobtrusive beside photos.
const lightFill = 'fill-[color-mix(in_oklab,var(--brand-ui)_30%,var(--surface-sunken))]'
const darkFill = 'fill-[color-mix(in_oklab,var(--brand-ui)_58%,var(--surface-sunken))]'
const line = 'fill-none stroke-[color-mix(in_oklab,var(--brand-ui)_58%,var(--surface-sunken))]'

const grainPositions = [11, 18, 25] as const

const drawings: Readonly<Record<Kind, ReactNode>> = {
  grain: (
    <>
      <path className={line} strokeWidth={2} strokeLinecap="round" d="M24 45V14" />
      <ellipse className={lightFill} cx={24} cy={8} rx={3.6} ry={6} />
      {grainPositions.map((y) => (
        <g key={y}>
          <ellipse className={darkFill} cx={18} cy={y + 3} rx={3.4} ry={6} transform={`rotate(-32 18 ${y + 3})`} />
          <ellipse className={lightFill} cx={30} cy={y + 3} rx={3.4} ry={6} transform={`rotate(32 30 ${y + 3})`} />
        </g>
      ))}
      <path className={darkFill} d="M24 44c-1-7-6-10-12-10 1 7 6 10 12 10Z" />
    </>
  ),
  produce: (
    <>
      <path className={lightFill} d="M27 14c9-2 15 5 14 14s-7 15-14 15S14 37 13 28s5-16 14-14Z" />
      <path className={darkFill} d="M27 15c0-5 3-9 8-10 1 6-3 10-8 10Z" />
      <path className={line} strokeWidth={2} strokeLinecap="round" d="M27 17c0-5-2-8-5-10" />
      <path className={darkFill} d="M17 23c4 1 6 4 5 8L9 45c-1 1-3 0-2-2l7-18c1-1 2-2 3-2Z" />
    </>
  ),
  livestock: (
    <>
      <path className={line} strokeWidth={3} strokeLinecap="round" d="M17 33v10M23 34v9M31 34v9M36 33v10" />
      <path
        className={lightFill}
        d="M14 35a6 6 0 0 1-3-11 7 7 0 0 1 8-9 8 8 0 0 1 13-1 7 7 0 0 1 9 8 7 7 0 0 1-2 12 7 7 0 0 1-9 2 8 8 0 0 1-11 0 6 6 0 0 1-5-1Z"
      />
      <path
        className={darkFill}
        d="M4 19c2-1 4-1 5 0 2-2 6-2 8 0 2-1 3-1 5 0-1 3-3 4-5 3 0 5-2 9-4.5 9S8 27 8 22c-2 1-3 0-4-3Z"
      />
    </>
  ),
  machinery: (
    <>
      <path className={lightFill} d="M24 22h17c2 0 3 1 3 3v8H22Z" />
      <path className={line} strokeWidth={3} strokeLinejoin="round" d="M10 23l2-14h12l3 14" />
      <path className={lightFill} d="M8 22h18v11H8Z" />
      <path className={darkFill} d="M36 12h3v10h-3Z" />
      <circle className={darkFill} cx={15} cy={33} r={10} />
      <circle className={lightFill} cx={15} cy={33} r={4} />
      <circle className={darkFill} cx={38} cy={37} r={6} />
      <circle className={lightFill} cx={38} cy={37} r={2.2} />
    </>
  ),
  seed: (
    <>
      <path className={lightFill} d="M14 14h20c5 7 8 14 8 20 0 7-4 10-9 10H15c-5 0-9-3-9-10 0-6 3-13 8-20Z" />
      <path className={darkFill} d="M15 5c2 2 4 2 6 0 2 2 4 2 6 0 2 2 4 2 6 0 1 3 1 6-1 9H16c-2-3-2-6-1-9Z" />
      <ellipse className={darkFill} cx={24} cy={25} rx={3} ry={4.5} />
      <ellipse className={darkFill} cx={17} cy={34} rx={3} ry={4.5} transform="rotate(-24 17 34)" />
      <ellipse className={darkFill} cx={31} cy={34} rx={3} ry={4.5} transform="rotate(24 31 34)" />
    </>
  ),
  service: (
    <>
      <rect className={lightFill} x={9} y={9} width={30} height={36} rx={4} />
      <rect className={darkFill} x={17} y={4} width={14} height={10} rx={3} />
      <path
        className={line}
        strokeWidth={3}
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M15 23l2.5 2.5 4.5-5M15 35l2.5 2.5 4.5-5M27 24h7M27 36h7"
      />
    </>
  ),
  other: (
    <>
      <path className={lightFill} d="M24 5 43 14v20L24 44 5 34V14Z" />
      <path className={darkFill} d="M24 5 43 14 24 24 5 14Z" />
      <path className={line} strokeWidth={2} strokeLinecap="round" d="M24 24v20" />
    </>
  ),
}

/** Drawing for a kind of goods; a closed box for an unknown kind. */
export function GoodsFigure({ kind, size }: { kind: unknown; size: number }) {
  const knownKind = kinds.values.find((value) => value === kind) ?? kinds.default
  return (
    <svg viewBox="0 0 48 48" width={size} height={size} aria-hidden data-figure={knownKind} className="shrink-0">
      {drawings[knownKind]}
    </svg>
  )
}

/** Drawing for a trading post, by the kind of goods of its category. */
export function PostFigure({ post: { tradingpostcategory }, size }: { post: Entry; size: number }) {
  return <GoodsFigure kind={isEntry(tradingpostcategory) ? tradingpostcategory['kind'] : undefined} size={size} />
}

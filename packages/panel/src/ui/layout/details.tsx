/** Details of a record as pairs of label and value, without empty values. */
import type { ReactNode } from 'react'
import { cx } from '../../lib/class-names.ts'

export interface Detail {
  label: string
  /** Value of the detail; null, undefined, false and an empty text count as empty. */
  value: ReactNode
  /** Whether the detail takes the full width. */
  isWide?: boolean
}

export const isKnown = ({ value }: Detail): boolean =>
  value !== null && value !== undefined && value !== false && value !== ''

export interface DetailsProps {
  details: readonly Detail[]
  columns?: 1 | 2
}

export function Details({ details, columns = 2 }: DetailsProps) {
  return (
    <dl
      className={cx(
        'grid gap-x-6 gap-y-4',
        columns === 2 ? 'md:grid-cols-2' : 'grid-cols-[repeat(auto-fill,minmax(min(100%,200px),1fr))]',
      )}
    >
      {details.filter(isKnown).map(({ label, value, isWide }) => (
        <div key={label} className={cx('min-w-0', isWide && columns === 2 && 'md:col-span-2')}>
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="mt-0.5 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Pair of label and value in the list of a narrow pane. */
export function PaneDetail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

/** Names of records side by side, as the value of a detail. */
export function Chips({ names }: { names: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-1.5">
      {names.map((name) => (
        <li key={name} className="rounded-1 bg-brand-soft px-2.5 py-1 text-sm font-medium text-on-brand-soft">
          {name}
        </li>
      ))}
    </ul>
  )
}

/** Link that calls a telephone number. */
export function PhoneLink({ number }: { number: string }) {
  return (
    <a
      href={`tel:${number.replace(/[^+\d]/g, '')}`}
      className="inline-flex min-h-6 items-center text-brand-text hover:underline pointer-coarse:min-h-11"
    >
      <bdi dir="ltr">{number}</bdi>
    </a>
  )
}

/** Link that writes to an e-mail address. */
export function MailLink({ address }: { address: string }) {
  return (
    <a
      href={`mailto:${address}`}
      className="inline-flex min-h-6 items-center break-all text-brand-text hover:underline pointer-coarse:min-h-11"
    >
      <bdi dir="ltr">{address}</bdi>
    </a>
  )
}

/** A link to another website; text that is no web address is shown as it is. */
export function WebLink({ address }: { address: string }) {
  const href = /^https?:\/\//i.test(address)
    ? address
    : /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(address)
      ? `https://${address}`
      : undefined
  const text = (
    <bdi dir="ltr" className="break-all">
      {address}
    </bdi>
  )
  if (!href) return text
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-6 items-center text-brand-text hover:underline pointer-coarse:min-h-11"
    >
      {text}
    </a>
  )
}

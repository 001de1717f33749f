/** Link to an address outside the panel; unsafe addresses are shown as text. */
import type { ReactNode } from 'react'

export function FurtherLink({ address, children }: { address: string; children?: ReactNode }) {
  const text = children ?? (
    <bdi dir="ltr" className="break-all">
      {address}
    </bdi>
  )
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:') return text
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      className="inline-flex min-h-6 items-center font-semibold text-brand-text hover:underline pointer-coarse:min-h-11"
    >
      {text}
    </a>
  )
}

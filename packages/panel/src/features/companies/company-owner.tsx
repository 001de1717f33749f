/** Owner of a company, with a link to their page. */
import { type Entry, resources } from '@dala/model'
import { Link } from '@tanstack/react-router'
import { useTitleOf } from '../../fields/field-display.tsx'
import { findScreen, recordAddress } from '../../resource/screen-address.ts'
import { entryOf } from './company.ts'

export function CompanyOwner({ record }: { record: Entry }) {
  const nameOf = useTitleOf(resources.users)
  const owner = entryOf(record.owner)
  if (!owner) return null
  return (
    <Link
      {...recordAddress(findScreen('people/users'), owner.id)}
      className="inline-flex min-h-6 items-center text-brand-text hover:underline pointer-coarse:min-h-11"
    >
      <bdi>{nameOf(owner)}</bdi>
    </Link>
  )
}

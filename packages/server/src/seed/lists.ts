/** What every installation starts with: the roles, the places and the reference lists. */
import { isLink, type Resource } from '@dala/model'
import { resourceNamed } from '../resources/attributes.ts'
import districts from './data/districts.json' with { type: 'json' }
import reference from './data/reference.json' with { type: 'json' }
import regions from './data/regions.json' with { type: 'json' }
import reports from './data/statistics.json' with { type: 'json' }
import type { SeedRecord } from './records.ts'
import type { Seeder } from './seeder.ts'

const { roles, deliveryTypes: _labels, ...lists } = reference

const roleDescriptions: Readonly<Record<string, string>> = {
  owner: 'Holds the product; can do everything',
  'super-admin': 'Runs the office; everything below the owner',
  admin: 'Keeps content, lists and people',
  authenticated: 'Farmers and consultants',
  public: 'Nobody signed in',
}

/** The five roles; their names go in in English, the panel has its own words for them (data notes). */
export async function seedRoles(seeder: Seeder): Promise<void> {
  const records = roles.map((role) => ({ ...role, name: role.name.en, description: roleDescriptions[role.type] }))
  await seeder.addAll('roles', records)
}

/** The code of a region by the slug under which the samples name it. */
export const regionCodes: ReadonlyMap<string, string> = new Map(regions.map(({ slug, code }) => [slug, code]))

/** All lists with their records, each after those that its links lead to. */
export function referenceLists(): [name: string, records: readonly SeedRecord[]][] {
  const all = new Map<string, readonly SeedRecord[]>([
    ...Object.entries<readonly SeedRecord[]>(lists),
    ['regions', regions],
    ['statistics', reports.statistics],
    ['districts', districts.map(({ regionCode, ...district }) => ({ ...district, region: regionCode }))],
  ])
  const ordered = new Set<string>()
  const visit = (name: string) => {
    for (const target of targetsOf(resourceNamed(name), all.get(name) ?? [])) {
      if (target !== name && all.has(target) && !ordered.has(target)) visit(target)
    }
    ordered.add(name)
  }
  for (const name of all.keys()) visit(name)
  return [...ordered].map((name) => [name, all.get(name) ?? []])
}

/** The resources that the records of a list lead to. */
function targetsOf({ fields }: Resource, records: readonly SeedRecord[]): string[] {
  const used = new Set(records.flatMap((record) => Object.keys(record)))
  return Object.entries(fields).flatMap(([name, field]) => (used.has(name) && isLink(field) ? [field.target] : []))
}

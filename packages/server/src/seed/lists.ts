/** The content of every installation: the roles, the places and the reference lists. */
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

/** Seeds the five roles with English names; the panel has its own labels for them (data notes). */
export async function seedRoles(seeder: Seeder): Promise<void> {
  const records = roles.map((role) => ({ ...role, name: role.name.en, description: roleDescriptions[role.type] }))
  await seeder.addAll('roles', records)
}

/** Returns the code of a region by its slug in the samples. */
export const regionCodes: ReadonlyMap<string, string> = new Map(regions.map(({ slug, code }) => [slug, code]))

/** Returns all lists with their records, each after the lists that it links to. */
export function referenceLists(): [name: string, records: readonly SeedRecord[]][] {
  const allLists = new Map<string, readonly SeedRecord[]>([
    ...Object.entries<readonly SeedRecord[]>(lists),
    ['regions', regions],
    ['statistics', reports.statistics],
    ['districts', districts.map(({ regionCode, ...district }) => ({ ...district, region: regionCode }))],
  ])
  const orderedResources = new Set<string>()
  const visit = (name: string) => {
    for (const target of targetsOf(resourceNamed(name), allLists.get(name) ?? [])) {
      if (target !== name && allLists.has(target) && !orderedResources.has(target)) visit(target)
    }
    orderedResources.add(name)
  }
  for (const name of allLists.keys()) visit(name)
  return [...orderedResources].map((name) => [name, allLists.get(name) ?? []])
}

/** Returns the resources that the records of a list link to. */
function targetsOf({ fields }: Resource, records: readonly SeedRecord[]): string[] {
  const usedFields = new Set(records.flatMap((record) => Object.keys(record)))
  return Object.entries(fields).flatMap(([name, field]) =>
    usedFields.has(name) && isLink(field) ? [field.target] : [],
  )
}

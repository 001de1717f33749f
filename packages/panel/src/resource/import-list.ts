/** The list that an import belongs to: its section of the menu, its breadcrumbs, and the way back from its report. */
import { isImportable, screensOf } from '@dala/model'
import { findResource } from '../fields/relation/targets.ts'

/** Prices are listed by their days. */
const listedBy: Readonly<Record<string, string>> = { pricelists: 'pricedates' }

/**
 * Finds where the records of a kind are listed.
 *
 * @param kind - The kind of an import, which may come from an address.
 * @returns The path of the screen below `/app`; undefined for a kind that is not imported or has no list.
 */
export function listOfImport(kind: unknown): string | undefined {
  const resource = typeof kind === 'string' ? findResource(kind) : undefined
  if (!resource || !isImportable(resource)) return undefined
  const screens = screensOf(findResource(listedBy[resource.name] ?? resource.name) ?? resource)
  // A screen of some of the records is not the list of all of them.
  return (screens.find(({ only }) => only === undefined) ?? screens[0])?.path
}

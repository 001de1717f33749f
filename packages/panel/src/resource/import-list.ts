/**
 * Finds the list of an import: its section of the menu, its breadcrumbs, and the link back from its report.
 */
import { isImportable, isLink, screensOf } from '@dala/model'
import { findResource, resourceNamed } from '../fields/relation/targets.ts'

/**
 * Finds where the records of a kind are listed.
 *
 * @param kind - The kind of an import, which may come from an address.
 * @returns The path of the screen below `/app`; undefined for a kind that is not imported or has no list.
 */
export function listOfImport(kind: unknown): string | undefined {
  const resource = typeof kind === 'string' ? findResource(kind) : undefined
  if (!resource || !isImportable(resource)) return undefined
  const listField = resource.listedBy === undefined ? undefined : resource.fields[resource.listedBy]
  const screens = screensOf(listField && isLink(listField) ? resourceNamed(listField.target) : resource)
  // A screen that shows only some records of a resource is not the list of its import.
  return (screens.find(({ fixedValues }) => fixedValues === undefined) ?? screens[0])?.path
}

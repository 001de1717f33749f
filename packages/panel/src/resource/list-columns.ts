/** Which columns a list has, and which of them a narrow window shows. */
import type { Resource } from '@dala/model'
import type { ListParts } from './screen-parts.ts'

/** The column after the name that shows which languages a record has. */
export const translations = 'localizations'

/** Column names in order; localized types show their languages right behind the first one. */
export function columnsOf(resource: Resource, { after = {} }: ListParts): string[] {
  const declared = resource.list?.columns ?? [resource.title]
  const [first = resource.title, ...others] = declared.flatMap((name) => [name, after[name] ?? []].flat())
  return resource.localized ? [first, translations, ...others] : [first, ...others]
}

/** A window between a phone and 1100 px has room for the name, two or three columns and the state; the form shows the rest. */
export function isForWide({ localized, named, list }: Resource, name: string, index: number): boolean {
  // People have their picture beside the name, and rows of two lines.
  return index > (localized || named ? 2 : 3) && name !== 'active' && name !== list?.segments
}

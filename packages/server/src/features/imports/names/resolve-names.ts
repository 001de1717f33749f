/** Resolves the names in link columns to records: exact names, accepted ones, and decisions of users. */
import type { Queries } from '../../../db/database.ts'
import { type Caller, type ImportField, type ImportName, type Resource, resources, isLinkToDay } from '@dala/model'
import { resourceNamed } from '../../../resources/attributes.ts'
import { targetColumnsOf } from '../../../resources/write/write.ts'
import { type LinkTargets, type LinkTarget, loadDirectory } from './directories.ts'
import { addIssue, type ColumnLetters, type WorkRow } from '../import-row.ts'
import { plainName } from './near.ts'
import { wrongLetters } from './wrong-letters.ts'

/** Empty map that all imported rows without names share. */
const emptyNames: ReadonlyMap<string, readonly string[]> = new Map()

/** Maximum number of unknown names of an import that need a decision. */
const maxNames = 500

export interface NameContext {
  runner: Queries
  caller: Caller
  resource: Resource
  fields: readonly ImportField[]
  letters: ColumnLetters
  /** Decisions of this import and of earlier ones: `key/name` → the wire id or the document. */
  decidedNames: ReadonlyMap<string, number>
  rememberedNames: ReadonlyMap<string, number>
  /** Columns of link targets that the rules of the imported resource need, by link. */
  targetColumns: Readonly<Record<string, readonly string[]>>
}

export interface ResolvedNames {
  directories: ReadonlyMap<string, LinkTargets>
  names: ImportName[]
  count: number
}

/** Returns the key under which a decision on a name is stored. */
export const nameKey = (key: string, name: string): string => `${key}/${plainName(name)}`

const linkOf = ({ id, name }: LinkTarget) => ({ id, name })

/** Tells whether the import creates missing price dates that its rows name. */
const createsPriceDays = (resource: Resource, key: string): boolean =>
  resource.name === resources.pricelists.name && key === 'pricedate'

/**
 * Replaces the names in link columns of an import by records.
 *
 * @param context - The import.
 * @param workRows - Its rows; those with a name of no record, or of several, get a fault.
 * @returns The records that can be linked to, and the names that need the user's attention.
 */
export async function resolveNames(context: NameContext, workRows: readonly WorkRow[]): Promise<ResolvedNames> {
  const directories = new Map<string, LinkTargets>()
  const names: ImportName[] = []
  const targetColumns = targetColumnsOf(context.runner.parts, context.resource)
  for (const field of context.fields) {
    if (field.target === undefined) continue
    const target = resourceNamed(field.target)
    const namesOfField = new Set(workRows.flatMap(({ names: rowNames }) => [...(rowNames.get(field.key) ?? [])]))
    const directory = await loadDirectory(context.runner, {
      resource: target,
      caller: context.caller,
      targetColumns: [...new Set([...(targetColumns[field.name] ?? []), ...(context.targetColumns[field.name] ?? [])])],
      names: [...namesOfField],
    })
    directories.set(field.key, directory)
    names.push(...resolveColumn(context, field, directory, workRows))
  }
  for (const workRow of workRows) workRow.names = emptyNames
  return { directories, names: names.slice(0, maxNames), count: names.length }
}

interface NameMeaning {
  targets: LinkTarget[]
  entry: ImportName | undefined
}

function meaningOfName(context: NameContext, key: string, name: string, directory: LinkTargets): NameMeaning {
  const entry = { key, name, rows: 0, isRemembered: false }
  const decidedId = context.decidedNames.get(nameKey(key, name))
  const chosenTarget = decidedId === undefined ? undefined : directory.ofId(decidedId)
  if (chosenTarget)
    return { targets: [chosenTarget], entry: { ...entry, target: linkOf(chosenTarget), candidates: [] } }
  const exactTargets = directory.named(name)
  if (exactTargets.length === 1) return { targets: exactTargets, entry: undefined }
  const rememberedId = context.rememberedNames.get(nameKey(key, name))
  const acceptedTargets = rememberedId === undefined ? undefined : directory.of(rememberedId)
  if (acceptedTargets)
    return {
      targets: [acceptedTargets],
      entry: { ...entry, target: linkOf(acceptedTargets), candidates: [], isRemembered: true },
    }
  const candidates = exactTargets.length > 1 ? exactTargets : directory.like(name)
  const [firstTarget, secondTarget] = candidates
  const wrongPositions = wrongLetters(name, firstTarget && !secondTarget ? directory.namesOf(firstTarget) : [])
  const markedLetters = wrongPositions.length > 0 && { wrong_letters: wrongPositions }
  return { targets: [], entry: { ...entry, target: null, candidates: candidates.map(linkOf), ...markedLetters } }
}

function resolveColumn(
  context: NameContext,
  { key, kind, target }: ImportField,
  directory: LinkTargets,
  workRows: readonly WorkRow[],
): ImportName[] {
  const meaningsByName = new Map<string, NameMeaning>()
  const isDay = target !== undefined && isLinkToDay(resourceNamed(target))
  for (const workRow of workRows) {
    const cellNames = workRow.names.get(key)
    if (!cellNames) continue
    const foundTargets: LinkTarget[] = []
    let isWhole = true
    for (const name of cellNames) {
      const nameMeaning = meaningsByName.get(plainName(name)) ?? meaningOfName(context, key, name, directory)
      meaningsByName.set(plainName(name), nameMeaning)
      if (nameMeaning.entry) nameMeaning.entry.rows += 1
      const [bestTarget] = nameMeaning.targets
      if (bestTarget) {
        foundTargets.push(bestTarget)
        continue
      }
      isWhole = false
      if (isDay && createsPriceDays(context.resource, key)) continue
      const [firstCandidate, secondCandidate] = nameMeaning.entry?.candidates ?? []
      const isSeveral =
        firstCandidate !== undefined && secondCandidate !== undefined && directory.named(name).length > 1
      addIssue(workRow, context.letters, {
        field: key,
        code: isSeveral ? 'import.several-names' : 'import.unknown-name',
        params: { name },
        value: name,
        // Among several candidates for a name none is suggested.
        suggestion:
          firstCandidate && !secondCandidate && cellNames.length === 1
            ? { value: `#${firstCandidate.id}`, label: firstCandidate.name }
            : undefined,
        // Spellings that differ in case and spaces share a meaning, but not the positions of their letters.
        wrongLetters: name === nameMeaning.entry?.name ? nameMeaning.entry.wrong_letters : undefined,
      })
    }
    if (!isWhole) {
      const [day] = cellNames
      if (isDay && createsPriceDays(context.resource, key) && day !== undefined) workRow.values.set(key, day)
      continue
    }
    const [firstTarget] = foundTargets
    if (kind === 'links') workRow.values.set(key, foundTargets)
    else if (firstTarget) workRow.values.set(key, firstTarget)
  }
  return isDay ? [] : [...meaningsByName.values()].flatMap(({ entry }) => entry ?? [])
}

/** Finds the records that the names in link columns mean: exact names, accepted ones, and what a person has chosen. */
import type { Queries } from '../../../db/database.ts'
import { type Caller, type ImportField, type ImportName, type Resource, resources, isDayLink } from '@dala/model'
import { resourceNamed } from '../../../resources/attributes.ts'
import { factsOf } from '../../../resources/write/write.ts'
import { type Directory, type Known, loadDirectory } from './directories.ts'
import { addIssue, type Letters, type WorkRow } from '../import-row.ts'
import { plainName } from './near.ts'
import { wrongLetters } from './wrong-letters.ts'

/** No names: one for all rows. */
const nothing: ReadonlyMap<string, readonly string[]> = new Map()

/** Unknown names that are offered for a decision. */
const maxNames = 500

export interface NameContext {
  runner: Queries
  caller: Caller
  resource: Resource
  fields: readonly ImportField[]
  letters: Letters
  /** Decisions of this import, and those of earlier ones: `key/name` → the wire id or the document. */
  decided: ReadonlyMap<string, number>
  remembered: ReadonlyMap<string, number>
  /** Columns of targets that the rules of the kind look at, by link. */
  facts: Readonly<Record<string, readonly string[]>>
}

export interface ResolvedNames {
  directories: ReadonlyMap<string, Directory>
  names: ImportName[]
  count: number
}

/** How decisions on a name are found again. */
export const nameKey = (key: string, name: string): string => `${key}/${plainName(name)}`

const linkOf = ({ id, name }: Known) => ({ id, name })

/** Whether the days that rows name are made when they are missing. */
const makesDays = (resource: Resource, key: string): boolean =>
  resource.name === resources.pricelists.name && key === 'pricedate'

/**
 * Puts records in the place of names.
 *
 * @param context - The import.
 * @param works - Its rows; those with a name that means no record, or several, get a fault.
 * @returns The records that can be linked to, and the names that a person should look at.
 */
export async function resolveNames(context: NameContext, works: readonly WorkRow[]): Promise<ResolvedNames> {
  const directories = new Map<string, Directory>()
  const names: ImportName[] = []
  const facts = factsOf(context.runner.parts, context.resource)
  for (const field of context.fields) {
    if (field.target === undefined) continue
    const target = resourceNamed(field.target)
    const wanted = new Set(works.flatMap(({ names: own }) => [...(own.get(field.key) ?? [])]))
    const directory = await loadDirectory(context.runner, {
      resource: target,
      caller: context.caller,
      facts: [...new Set([...(facts[field.name] ?? []), ...(context.facts[field.name] ?? [])])],
      names: [...wanted],
    })
    directories.set(field.key, directory)
    names.push(...resolveColumn(context, field, directory, works))
  }
  for (const work of works) work.names = nothing
  return { directories, names: names.slice(0, maxNames), count: names.length }
}

interface Meaning {
  known: Known[]
  entry: ImportName | undefined
}

function meaningOf(context: NameContext, key: string, name: string, directory: Directory): Meaning {
  const entry = { key, name, rows: 0, isRemembered: false }
  const decided = context.decided.get(nameKey(key, name))
  const chosen = decided === undefined ? undefined : directory.ofId(decided)
  if (chosen) return { known: [chosen], entry: { ...entry, target: linkOf(chosen), candidates: [] } }
  const exact = directory.named(name)
  if (exact.length === 1) return { known: exact, entry: undefined }
  const remembered = context.remembered.get(nameKey(key, name))
  const accepted = remembered === undefined ? undefined : directory.of(remembered)
  if (accepted)
    return { known: [accepted], entry: { ...entry, target: linkOf(accepted), candidates: [], isRemembered: true } }
  const candidates = exact.length > 1 ? exact : directory.like(name)
  const [only, other] = candidates
  const wrong = wrongLetters(name, only && !other ? directory.namesOf(only) : [])
  const marked = wrong.length > 0 && { wrong_letters: wrong }
  return { known: [], entry: { ...entry, target: null, candidates: candidates.map(linkOf), ...marked } }
}

function resolveColumn(
  context: NameContext,
  { key, kind, target }: ImportField,
  directory: Directory,
  works: readonly WorkRow[],
): ImportName[] {
  const meanings = new Map<string, Meaning>()
  const isDay = target !== undefined && isDayLink(resourceNamed(target))
  for (const work of works) {
    const own = work.names.get(key)
    if (!own) continue
    const found: Known[] = []
    let isWhole = true
    for (const name of own) {
      const known = meanings.get(plainName(name)) ?? meaningOf(context, key, name, directory)
      meanings.set(plainName(name), known)
      if (known.entry) known.entry.rows += 1
      const [one] = known.known
      if (one) {
        found.push(one)
        continue
      }
      isWhole = false
      if (isDay && makesDays(context.resource, key)) continue
      const [first, second] = known.entry?.candidates ?? []
      const isSeveral = first !== undefined && second !== undefined && directory.named(name).length > 1
      addIssue(work, context.letters, {
        field: key,
        code: isSeveral ? 'import.several-names' : 'import.unknown-name',
        params: { name },
        value: name,
        // Of several nobody is offered before the others.
        suggestion: first && !second && own.length === 1 ? { value: `#${first.id}`, label: first.name } : undefined,
        // Spellings that are the same but for case and spaces share a meaning, not the places of their letters.
        wrongLetters: name === known.entry?.name ? known.entry.wrong_letters : undefined,
      })
    }
    if (!isWhole) {
      const [day] = own
      if (isDay && makesDays(context.resource, key) && day !== undefined) work.values.set(key, day)
      continue
    }
    const [only] = found
    if (kind === 'links') work.values.set(key, found)
    else if (only) work.values.set(key, only)
  }
  return isDay ? [] : [...meanings.values()].flatMap(({ entry }) => entry ?? [])
}

/** Unknown names that the user leaves out of an import: the rows of such a name stay in the file. */
import type { ImportCorrection, ImportMapping, ImportPlace } from '@dala/model'

const placeOf = ({ key, name }: ImportPlace) => `${key} ${name}`

/** Unknown names to leave out, as stored with the import. */
export type SkippedNamesState = Pick<NonNullable<ImportCorrection['mapping']>, 'left' | 'left_rest'>

export interface SkippedNames {
  has: (name: ImportPlace) => boolean
  /** Whether unknown names beyond the listed ones are left out too. */
  hasUnlisted: boolean
  skipNames: (names: readonly ImportPlace[], isRest?: boolean) => void
  unskipNames: (names: readonly ImportPlace[]) => void
}

/**
 * Reads and changes the unknown names that are left out.
 *
 * @param stored - The names that are left out now.
 * @param store - Stores the complete new value.
 */
export function createSkippedNames(
  { left = [], left_rest: hasUnlisted = false }: SkippedNamesState,
  store: (newState: SkippedNamesState) => void,
): SkippedNames {
  const placeKeys = new Set(left.map(placeOf))
  const keepRemainingNames = (names: readonly ImportPlace[]) => {
    const removedKeys = new Set(names.map(placeOf))
    return left.filter((name) => !removedKeys.has(placeOf(name)))
  }
  return {
    has: (name) => placeKeys.has(placeOf(name)),
    hasUnlisted,
    skipNames: (names, isRest = false) =>
      store({
        left: [...keepRemainingNames(names), ...names.map(({ key, name }) => ({ key, name }))],
        ...(isRest && { left_rest: true }),
      }),
    unskipNames: (names) => {
      if (names.some((name) => placeKeys.has(placeOf(name)))) store({ left: keepRemainingNames(names) })
    },
  }
}

/** Number of an import's unknown names without a decision. */
export function openNamesOf(mapping: ImportMapping): number {
  const skippedNamesStore = createSkippedNames(mapping, () => {})
  const listedNames = mapping.names.filter((name) => name.target === null)
  const unlistedCount = Math.max(0, mapping.open_names - listedNames.length)
  return (
    listedNames.filter((name) => !skippedNamesStore.has(name)).length +
    (skippedNamesStore.hasUnlisted ? 0 : unlistedCount)
  )
}

/** Unknown names that the user leaves out of an import: the rows of such a name stay in the file. */
import type { ImportCorrection, ImportMapping, ImportPlace } from '@dala/model'

const placeOf = ({ key, name }: ImportPlace) => `${key} ${name}`

/** The names left out, as stored with the import. */
export type Left = Pick<NonNullable<ImportCorrection['mapping']>, 'left' | 'left_rest'>

export interface LeftNames {
  has: (name: ImportPlace) => boolean
  /** The names beyond the listed ones are left out too. */
  hasUnlisted: boolean
  leave: (names: readonly ImportPlace[], isRest?: boolean) => void
  takeBack: (names: readonly ImportPlace[]) => void
}

/**
 * Reads and changes the names that are left out.
 *
 * @param stored - The names that are left out now.
 * @param store - Stores the complete new value.
 */
export function leftNames({ left = [], left_rest: hasUnlisted = false }: Left, store: (next: Left) => void): LeftNames {
  const places = new Set(left.map(placeOf))
  const without = (names: readonly ImportPlace[]) => {
    const gone = new Set(names.map(placeOf))
    return left.filter((name) => !gone.has(placeOf(name)))
  }
  return {
    has: (name) => places.has(placeOf(name)),
    hasUnlisted,
    leave: (names, isRest = false) =>
      store({
        left: [...without(names), ...names.map(({ key, name }) => ({ key, name }))],
        ...(isRest && { left_rest: true }),
      }),
    takeBack: (names) => {
      if (names.some((name) => places.has(placeOf(name)))) store({ left: without(names) })
    },
  }
}

/** How many unknown names still wait for a decision. */
export function openNamesOf(mapping: ImportMapping): number {
  const left = leftNames(mapping, () => {})
  const listed = mapping.names.filter((name) => name.target === null)
  const unlisted = Math.max(0, mapping.open_names - listed.length)
  return listed.filter((name) => !left.has(name)).length + (left.hasUnlisted ? 0 : unlisted)
}

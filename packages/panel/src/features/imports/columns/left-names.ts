/** Unknown names that the user leaves out of an import: the rows of such a name stay in the file. */
import type { ImportName } from '@dala/model'
import { useState } from 'react'

type Named = Pick<ImportName, 'key' | 'name'>

const placeOf = ({ key, name }: Named) => `${key} ${name}`

export interface LeftNames {
  has: (name: Named) => boolean
  /** The names beyond the listed ones are left out too. */
  hasUnlisted: boolean
  leave: (names: readonly Named[], isRest?: boolean) => void
  takeBack: (names: readonly Named[]) => void
}

/**
 * Holds the decisions while the import is open, also between its steps.
 *
 * The server needs none of them: rows of a name without a record are faulty and never written.
 */
export function useLeftNames(): LeftNames {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [hasUnlisted, setUnlisted] = useState(false)
  return {
    has: (name) => left.has(placeOf(name)),
    hasUnlisted,
    leave: (names, isRest = false) => {
      setLeft((before) => new Set([...before, ...names.map(placeOf)]))
      if (isRest) setUnlisted(true)
    },
    takeBack: (names) => {
      const gone = new Set(names.map(placeOf))
      setLeft((before) => new Set([...before].filter((place) => !gone.has(place))))
    },
  }
}

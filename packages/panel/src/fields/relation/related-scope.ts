/** The context that a form gives to its relation pickers: the language of names, and filters. */
import type { Entry, Locale, Resource } from '@dala/model'
import { createContext } from 'react'
import type { Query } from '../../api/query-string.ts'

export interface RelatedScope {
  /** Language in which a relation picker names records; by default the user's. */
  language: Locale
  /** Returns a chosen record with its name in the picker's language, as far as it is known. */
  shown: (target: Resource, entry: Entry) => Entry
  /** Filters of the records that a relation picker offers. */
  filters: Query
  /** Links of an offered record that the form needs to read. */
  linkPath: readonly string[]
}

/** Creates a record in a dialog, with a text as its initial name, and passes it to `onCreated`. */
type CreateRelated = (text: string, onCreated: (entry: Entry) => void) => void

/** Returns the way to create records of a target; undefined where that is impossible or the user may not. */
export const MakeInPlaceContext = createContext<((target: Resource) => CreateRelated | undefined) | undefined>(
  undefined,
)

export const RelatedScopeContext = createContext<RelatedScope | undefined>(undefined)

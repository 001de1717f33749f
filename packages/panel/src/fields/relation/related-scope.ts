/** What a form tells the pickers of its links: the language of names, and what a picker is narrowed to. */
import type { Entry, Locale, Resource } from '@dala/model'
import { createContext } from 'react'
import type { Query } from '../../api/query-string.ts'

export interface RelatedScope {
  /** The language of the names; the reader's where nothing is said. */
  language: Locale
  /** A chosen record as it is called in that language, as far as that is known. */
  shown: (target: Resource, entry: Entry) => Entry
  /** Only records with this are offered. */
  filters: Query
  /** Links of an offered record that the form has to know. */
  through: readonly string[]
}

/** Makes a record on the way, beginning with a text as its name, and hands it over. */
type Make = (text: string, take: (entry: Entry) => void) => void

/** How records of a target are made on the way; undefined where that cannot be, or the reader may not. */
export const MakeInPlaceContext = createContext<((target: Resource) => Make | undefined) | undefined>(undefined)

export const RelatedScopeContext = createContext<RelatedScope | undefined>(undefined)

/** What a form tells the pickers of its links: the language of names, and what a picker is narrowed to. */
import type { Entry, Locale, Resource } from '@dala/model'
import { createContext } from 'react'
import type { Query } from '../api/query-string.ts'

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

export const RelatedScopeContext = createContext<RelatedScope | undefined>(undefined)

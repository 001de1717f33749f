/** The language that the fields of the translations workspace are translated from; undefined in a form. */
import type { Locale } from '@dala/model'
import { createContext } from 'react'

export const SuggestionsContext = createContext<Locale | undefined>(undefined)

/** Glossary terms between two languages, lazy-loaded with the first text. */
import type { Locale } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { type GlossaryTerm, termsOf } from './glossary.ts'

const catalogues = {
  en: () => import('@dala/model/labels/en.json'),
  ru: () => import('@dala/model/labels/ru.json'),
  uz: () => import('@dala/model/labels/uz.json'),
  kaa: () => import('@dala/model/labels/kaa.json'),
} as const satisfies Record<Locale, () => Promise<{ default: Readonly<Record<string, string>> }>>

const noTerms: readonly GlossaryTerm[] = []

/** Glossary terms; empty while they load, or when loading fails. */
export function useGlossary(source: Locale | undefined, target: Locale): readonly GlossaryTerm[] {
  const { data } = useQuery({
    queryKey: ['glossary', source, target],
    queryFn: async () => {
      if (source === undefined) return noTerms
      const [sourceCatalogue, targetCatalogue] = await Promise.all([catalogues[source](), catalogues[target]()])
      return termsOf(sourceCatalogue.default, targetCatalogue.default)
    },
    enabled: source !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { inPlace: true },
  })
  return data ?? noTerms
}

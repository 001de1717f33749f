/** A part of the page in the language of a lesson, which may be another one than that of the panel. */
import type { Locale } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { loadTranslate, TranslateContext, useLocale } from '../../../lib/i18n.ts'

export function LanguageScope({ language, children }: { language: Locale; children: ReactNode }) {
  const reader = useLocale()
  // Messages are part of the panel's program, so the query never refetches them.
  const { data: translate } = useQuery({
    queryKey: ['messages', language],
    queryFn: () => loadTranslate(language),
    staleTime: Infinity,
    enabled: language !== reader,
    meta: { inPlace: true },
  })
  return <TranslateContext value={language === reader ? undefined : translate}>{children}</TranslateContext>
}

/** One page of open translations, by the query of the lists. */
import type { Entry, Locale, Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resourceQueries } from '../../api/resource-queries.ts'
import { namingFields } from '../../fields/field-display.tsx'
import { useLocale } from '../../lib/i18n.ts'
import type { OpenTranslationKind } from './translations.ts'

/**
 * Open translations of the page. Translated records leave the list and the next ones follow, so the list can
 * be short.
 */
const initialPageSize = 20
const maxPageSize = 100

export interface TranslationQueue {
  entries: readonly Entry[] | undefined
  error: Error | null
  isOld: boolean
  retry: () => void
  /** Callback that loads more records to translate; undefined when there are no more. */
  loadMoreRecords: (() => void) | undefined
}

/**
 * Open translations, newest record first: readers look at new records first. A single type is a list of one.
 */
export function useTranslationQueue({ resource }: Screen, locale: Locale, kind: OpenTranslationKind): TranslationQueue {
  const reader = useLocale()
  const queries = resourceQueries(resource)
  const [pageSize, setPageSize] = useState(initialPageSize)
  const isSingle = resource.single === true
  const list = useQuery({
    ...queries.list({
      locale: reader,
      fallback: true,
      [kind === 'missing' ? 'missing_locale' : 'outdated_locale']: locale,
      fields: [...namingFields(resource), 'locale', 'outdated'],
      populate: { localizations: { fields: ['locale', 'outdated'] } },
      sort: 'id:desc',
      pagination: { page: 1, pageSize },
    }),
    enabled: !isSingle,
  })
  const singleQuery = useQuery({ ...queries.single(reader), enabled: isSingle })
  const singleEntry = singleQuery.data && needsTranslation(singleQuery.data, locale, kind) ? [singleQuery.data] : []
  return {
    entries: isSingle ? (singleQuery.data !== undefined ? singleEntry : undefined) : list.data?.entries,
    error: isSingle ? singleQuery.error : list.data ? null : list.error,
    isOld: list.isPlaceholderData,
    retry: () => void (isSingle ? singleQuery : list).refetch(),
    loadMoreRecords:
      (list.data?.total ?? 0) > pageSize && pageSize < maxPageSize
        ? () => setPageSize(pageSize + initialPageSize)
        : undefined,
  }
}

/** Applies the server's filter of translations to a single type, which has no list query. */
function needsTranslation(entry: Entry, locale: Locale, kind: OpenTranslationKind): boolean {
  const translations: unknown[] = Array.isArray(entry.localizations) ? entry.localizations : []
  const translation = [entry, ...translations].find(
    (languageVersion): languageVersion is Entry =>
      typeof languageVersion === 'object' &&
      languageVersion !== null &&
      'locale' in languageVersion &&
      languageVersion.locale === locale,
  )
  return kind === 'missing' ? translation === undefined : translation?.outdated === true
}

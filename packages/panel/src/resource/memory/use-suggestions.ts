/** Earlier translations of the segments of a text. */
import { type Locale, memoryLimits, type MemorySuggestion } from '@dala/model'
import { useQueries } from '@tanstack/react-query'
import { callRoute } from '../../api/route.ts'

/** The text whose segments are looked up. */
export interface WantedText {
  /** Name of the resource on the wire, and the record and field that the text belongs to. */
  resource: string
  record: number | undefined
  field: string
  source: Locale
  target: Locale
  segments: readonly string[]
  /** Language of the names of records. */
  locale: Locale
  isEnabled: boolean
}

/** Suggestions for one segment. */
interface SegmentSuggestions {
  segment: string
  suggestions: readonly MemorySuggestion[]
}

export interface SuggestionsState {
  isLoading: boolean
  error: Error | null
  /** Whether texts that were changed a moment ago are still being read. */
  isReading: boolean
  found: readonly SegmentSuggestions[]
  retry: () => void
}

const staleTime = 60_000

/** Looks up each segment; a segment that is too long for the memory has no suggestions. */
export function useSuggestions(wanted: WantedText): SuggestionsState {
  const { resource, record, field, source, target, locale, isEnabled } = wanted
  const segments = wanted.segments.filter((segment) => segment.length <= memoryLimits.textLength)
  const queries = useQueries({
    queries: segments.map((segment) => ({
      // A write of any record may change the answer.
      queryKey: ['resource', 'memory', { source, target, segment, resource, record, field, locale }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callRoute('GET /api/memory/suggestions', {
          query: { q: segment, source, target, resource, field, locale, ...(record !== undefined && { record }) },
          signal,
        }),
      enabled: isEnabled,
      staleTime,
      retry: false,
      meta: { inPlace: true },
    })),
  })
  return {
    isLoading: queries.some(({ isPending, fetchStatus }) => isPending && fetchStatus === 'fetching'),
    error: queries.find(({ error }) => error)?.error ?? null,
    isReading: queries.some(({ data }) => data?.meta.reading === true),
    found: queries.flatMap(({ data }, index) =>
      data && data.data.length > 0 ? [{ segment: segments[index] ?? '', suggestions: data.data }] : [],
    ),
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch()
    },
  }
}

/** Matches canned replies of the desk: the language of the room first, the other languages after it. */
import { searchKeyOf, isLocale, type Locale, locales } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callServer } from '../../api/client.ts'

export interface CannedReply {
  id: number
  title: string
  text: string
  locale: Locale
}

interface WireReply {
  id: number
  attributes: { title: string | null; text: string | null; locale: string }
}

interface WirePage {
  data: WireReply[]
  meta: { pagination: { pageCount: number } }
}

/** Maximum number of pages of canned replies that are loaded; a larger collection needs another search. */
const maxPages = 5

/**
 * All canned replies the user may use, in all languages: there are few, and the list must open without delay.
 */
export const cannedQuery = queryOptions({
  queryKey: ['resource', 'replytemplates', 'canned'],
  queryFn: async ({ signal }): Promise<CannedReply[]> => {
    const pageOf = (page: number) => {
      const query = { locale: 'all', fields: ['title', 'text', 'locale'], sort: 'title:asc' }
      return callServer<WirePage>('GET', '/replytemplates', {
        query: { ...query, pagination: { page, pageSize: 100 } },
        signal,
      })
    }
    const firstPage = await pageOf(1)
    const furtherPages = Array.from(
      { length: Math.max(0, Math.min(firstPage.meta.pagination.pageCount, maxPages) - 1) },
      (_, pageIndex) => pageOf(pageIndex + 2),
    )
    const pages = [firstPage, ...(await Promise.all(furtherPages))]
    return pages.flatMap(({ data }) =>
      data.flatMap(({ id, attributes: { title, text, locale } }) =>
        title && text && isLocale(locale) ? [{ id, title, text, locale }] : [],
      ),
    )
  },
  staleTime: 5 * 60_000,
  meta: { inPlace: true },
})

/**
 * Replies whose title or text contains every word: matches in the title first, then the language of the room.
 */
export function findReplies(
  replies: readonly CannedReply[],
  query: string,
  language: Locale,
  limit = 30,
): readonly CannedReply[] {
  const terms = searchKeyOf(query).split(/\s+/).filter(Boolean)
  const matches = (text: string) => {
    const normalized = searchKeyOf(text)
    return terms.every((term) => normalized.includes(term))
  }
  const order = [language, ...locales.filter((locale) => locale !== language)]
  const foundReplies = replies.filter(({ title, text }) => matches(`${title} ${text}`))
  const rankReply = ({ locale, title }: CannedReply) => order.indexOf(locale) * 2 + (matches(title) ? 0 : 1)
  return foundReplies.toSorted((left, right) => rankReply(left) - rankReply(right)).slice(0, limit)
}

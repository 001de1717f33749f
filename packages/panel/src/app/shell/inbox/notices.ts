/** Inbox of the user, newest notice first. */
import { type InboxNotice, isLocale, type Locale, localeNames, type Resource, resources } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../api/route.ts'
import { formatDate, formatNumber, type Translate } from '../../../lib/format.ts'
import { hasMessage, firstTranslation } from '../../../lib/i18n.ts'

const maxShownNotices = 20
/** New notices arrive as the event `notices:changed`; the poll finds them without a socket. */
const refetchInterval = 60_000

/** Live updates and ended jobs invalidate `['notices']`. */
export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: ({ signal }) =>
    callRoute('GET /api/notices', { query: { pagination: { pageSize: maxShownNotices } }, signal }),
  // Notices are requested again and again only while the page is visible.
  refetchInterval,
  retry: false,
  meta: { inPlace: true },
})

export const readNotices = (selector: { ids: readonly number[] } | { all: true }) =>
  callRoute('POST /api/notices/read', { body: { data: selector } })

const isNamed = (value: unknown): value is { name: unknown } =>
  typeof value === 'object' && value !== null && 'name' in value

/** A value of a notice as text: a resource by its label, a user by their name. */
function paramText(locale: Locale, key: string, value: unknown): string | number {
  if (key === 'resource') {
    const resource = Object.values<Resource>(resources).find(({ wire }) => wire === value)
    if (resource) return firstTranslation([`${resource.name}.many`])
  }
  if (Array.isArray(value))
    return value
      .map((listedValue) => (isLocale(listedValue) ? localeNames[listedValue] : String(listedValue)))
      .join(', ')
  if (key === 'date' && typeof value === 'string') return formatDate(value)
  // The number of a notice stays a number, because it decides the plural form.
  if (key === 'count' && typeof value === 'number') return value
  if (typeof value === 'number') return formatNumber(locale, value)
  return isNamed(value) ? String(value.name) : typeof value === 'string' ? value : ''
}

/** The message of a notice; a kind that this panel does not know gets a general one. */
export function noticeText(
  t: Translate,
  locale: Locale,
  { kind, params }: Pick<InboxNotice, 'params'> & { kind: string },
): string {
  const id = `inbox.${kind}`
  if (!hasMessage(id)) return t('inbox.other')
  const messageParams = Object.entries(params).map(([key, value]) => [key, paramText(locale, key, value)] as const)
  return t(id, Object.fromEntries(messageParams))
}

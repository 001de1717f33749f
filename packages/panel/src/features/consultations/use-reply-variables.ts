/** Values of the variables of canned replies in the answer to a consultation. */
import { type Entry, type Locale, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { resourceQueries } from '../../api/resource-queries.ts'
import { meQuery, nameOfUser } from '../../api/session.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { formatDate } from '../../lib/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useLocale } from '../../lib/i18n.ts'
import { entryInLanguage } from '../../resource/entry-languages.ts'
import { isRecord } from './consultation-permissions.ts'

const { regions, users } = resources

/**
 * Values of the variables of canned replies, in the language of a reply. The name of the region has a value
 * only in a language in which the region is named.
 */
export function useReplyVariables({ user, region }: Entry) {
  const locale = useLocale()
  const now = useNow()
  const titleOfUser = useTitleOf(users)
  const titleOfRegion = useTitleOf(regions)
  const { data: me } = useQuery(meQuery)
  const regionId = isRecord(region) ? region.id : 0
  // The region of a consultation has its name in the language of the panel only.
  const { data: namedRegion } = useQuery({ ...resourceQueries(regions).one(regionId, locale), enabled: regionId > 0 })
  return (language: Locale): Readonly<Record<string, string | undefined>> => {
    const translatedRegion = namedRegion && entryInLanguage(namedRegion, language)
    return {
      customer_name: isRecord(user) ? titleOfUser(user) : undefined,
      consultant_name: me && nameOfUser(me),
      region: translatedRegion?.locale === language ? titleOfRegion(translatedRegion) : undefined,
      date: formatDate(now),
    }
  }
}

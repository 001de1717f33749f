/**
 * The newest records that belong to the record of a page, with links to their pages and to the list of all.
 */
import { type Entry, isLocale, type Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Query } from '../../api/query-string.ts'
import { languageOf, resourceQueries } from '../../api/resource-queries.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { useLocale, useT } from '../../lib/i18n.ts'
import { LoadedPart, Part } from '../part.tsx'
import { listAddress, recordAddress } from '../screen-address.ts'

const maxShownRecords = 5

export interface LatestRecordsProps {
  /** Screen with the list and the pages of the shown records. */
  screen: Screen
  title: string
  /** Condition that selects the shown records. */
  filters: Query
  populate?: Query
  sort?: string
  /** Filters of the list with the same condition, by field; without them no link to the list is shown. */
  all?: Readonly<Record<string, string>>
  /** Returns the screen that shows a record, when that is not the screen of the list. */
  screenOf?: (entry: Entry) => Screen
  /** Returns the name of a record, when that is not its title. */
  nameOf?: (entry: Entry) => string
  /** Returns the text below the name of a record. */
  line?: (entry: Entry) => ReactNode
  /** Returns the state at the end of a record's row. */
  state?: (entry: Entry) => ReactNode
  /** Message shown when the condition selects no records. */
  emptyText?: string
}

export function LatestRecords({
  screen,
  title,
  filters,
  populate = {},
  sort = 'createdAt:desc',
  all,
  screenOf,
  nameOf,
  line,
  state,
  emptyText: emptyMessage,
}: LatestRecordsProps) {
  const t = useT()
  const locale = useLocale()
  const titleOf = useTitleOf(screen.resource)
  const query = useQuery(
    resourceQueries(screen.resource).list({
      ...languageOf(screen.resource, locale),
      filters,
      populate,
      sort,
      pagination: { page: 1, pageSize: maxShownRecords },
    }),
  )
  const listLink = all && {
    to: listAddress(screen).to,
    search: Object.fromEntries(Object.entries(all).map(([name, value]) => [`f.${name}`, value])),
  }
  const total = query.data?.total
  return (
    <Part title={title} total={total} all={total ? listLink : undefined}>
      <LoadedPart query={query}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p className="text-muted">{emptyMessage ?? t('section.none')}</p>
          ) : (
            <ul className="-my-2.5">
              {entries.map((entry) => (
                <li
                  key={entry.id}
                  className="flex items-center justify-between gap-3 border-b border-line py-2.5 last:border-0"
                >
                  <div className="min-w-0">
                    <Link
                      {...recordAddress(screenOf?.(entry) ?? screen, entry.id)}
                      lang={[entry.locale, entry.language].find(isLocale)}
                      className="line-clamp-2 min-h-6 font-semibold wrap-anywhere hover:text-brand-text pointer-coarse:min-h-11"
                    >
                      <bdi>{(nameOf ?? titleOf)(entry)}</bdi>
                    </Link>
                    {line ? <div className="text-sm text-muted wrap-anywhere">{line(entry)}</div> : null}
                  </div>
                  {state ? <div className="shrink-0 text-end text-sm">{state(entry)}</div> : null}
                </li>
              ))}
            </ul>
          )
        }
      </LoadedPart>
    </Part>
  )
}

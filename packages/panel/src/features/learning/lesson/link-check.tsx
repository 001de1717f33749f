/**
 * The last answer of the site of a linked video, below the address in the form of a lesson (e-learning §6).
 */
import { resources, videoOf } from '@dala/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { callRoute } from '../../../api/route.ts'
import { formatDate } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

/**
 * Milliseconds between two requests while the server asks a video site, and the number of requests after
 * which they end.
 */
const checkInterval = 3_000
const maxLinkReads = 20

const videoLinksQuery = (lesson: number) =>
  queryOptions({
    queryKey: [...resourceQueries(resources.lessons).all, 'video-links', lesson],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/lessons/:id/video-links', { params: { id: lesson }, signal })).data,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.some(({ state }) => state === 'pending') && dataUpdateCount < maxLinkReads ? checkInterval : false,
    meta: { inPlace: true },
  })

interface LinkCheckProps {
  /** Id of the stored lesson; undefined for a new lesson, which has no answers of video sites yet. */
  lesson: number | undefined
  /** The video address in the form, which may be unsaved. */
  address: unknown
}

export function LinkCheck({ lesson, address }: LinkCheckProps) {
  const t = useT()
  const typedAddress = typeof address === 'string' ? address.trim() : ''
  const isAsked = lesson !== undefined && videoOf(typedAddress)?.kind === 'player'
  const { data: links } = useQuery({ ...videoLinksQuery(lesson ?? 0), enabled: isAsked })
  const link = isAsked ? links?.find((videoLink) => videoLink.address === typedAddress) : undefined
  return (
    <div aria-live="polite" className="mt-1.5 text-sm empty:hidden">
      {link?.state === 'pending' ? <p className="text-muted">{t('videoCheck.pending')}</p> : null}
      {link?.state === 'reachable' ? (
        <p className="flex items-start gap-2 text-success-text">
          <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0" />
          {t('videoCheck.reachable', { date: formatDate(link.checked_at) })}
        </p>
      ) : null}
      {link?.state === 'unreachable' ? (
        <p className="flex items-start gap-2 text-warning-text">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          {t('videoCheck.unreachable', { date: formatDate(link.checked_at) })}
        </p>
      ) : null}
    </div>
  )
}

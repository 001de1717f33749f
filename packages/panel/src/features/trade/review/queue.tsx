/** The posts in a tab of the moderation queue, in order: type, waiting time, and who is reviewing each. */
import { type Entry, type PostClaim, type QueueTarget, resources, type Screen, type WorkingTime } from '@dala/model'
import { Link } from '@tanstack/react-router'
import Lock from 'lucide-react/icons/lock'
import { useEffect, useRef } from 'react'
import { CoverPicture } from '../../../fields/picture/cover.tsx'
import { isEntry, useTitleOf } from '../../../fields/field-display.tsx'
import { cx } from '../../../lib/class-names.ts'
import { formatNumber, formatSpan } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { keyCapsOf, shortcuts } from '../../../lib/keys/shortcuts.ts'
import { recordAddress } from '../../../resource/screen-address.ts'
import { KeyCaps } from '../../../ui/key-caps.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { PostFigure } from '../post-figure.tsx'
import { useUnitLabel } from '../post-parts.tsx'
import { type QueueSearch, writeQueueSearch } from './review-data.ts'
import { waitOf, waitText } from './wait.ts'

export interface QueueProps {
  screen: Screen
  search: QueueSearch
  onChange: (searchChange: Partial<QueueSearch>) => void
  posts: readonly Entry[]
  total: number | undefined
  /** Id of the reviewed post in the address. */
  chosenId: number
  claims: readonly (PostClaim & { ids: readonly number[] })[]
  readerId: number
  target: QueueTarget | undefined
  calendar: WorkingTime | undefined
}

/** Returns whether an id belongs to a post of the queue, in any of its languages. */
export function isSamePost({ id, localizations }: Entry, otherId: number): boolean {
  const languageVersions: unknown[] = Array.isArray(localizations) ? localizations : []
  return (
    id === otherId ||
    languageVersions.some((languageVersion) => isEntry(languageVersion) && languageVersion.id === otherId)
  )
}

export function Queue({
  screen,
  search,
  onChange,
  posts,
  total,
  chosenId,
  claims,
  readerId,
  target,
  calendar,
}: QueueProps) {
  const t = useT()
  const locale = useLocale()
  return (
    <aside aria-label={t('moderation.queue')} className="flex min-h-0 flex-col border-e border-line max-xl:hidden">
      <div className="flex min-h-[50px] items-center gap-2 border-b border-line ps-4 pe-3">
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          {t(`moderation.tab.${search.tab}`)}{' '}
          <span className="font-light text-muted">{total === undefined ? '' : formatNumber(locale, total)}</span>
        </h2>
        <Select
          aria-label={t('moderation.order')}
          variant="filter"
          value={search.isNewestFirst ? 'newest' : 'oldest'}
          onValueChange={(order) => onChange({ isNewestFirst: order === 'newest' })}
          choices={[
            { value: 'oldest', label: t('moderation.oldestFirst') },
            { value: 'newest', label: t('moderation.newestFirst') },
          ]}
        />
      </div>
      <ul className="min-h-0 flex-1 overflow-y-auto">
        {posts.map((post) => {
          const claim = claims.find(({ ids, by }) => by.id !== readerId && ids.some((id) => isSamePost(post, id)))
          return (
            <QueueRow
              key={post.id}
              screen={screen}
              search={search}
              post={post}
              isChosen={isSamePost(post, chosenId)}
              claim={claim}
              target={target}
              calendar={calendar}
            />
          )
        })}
        {posts.length === 0 ? <li className="px-4 py-6 text-muted">{t('moderation.empty')}</li> : null}
      </ul>
      <p className="flex items-center gap-1.5 border-t border-line px-4 py-2.5 text-sm text-muted">
        <KeyCaps caps={[...shortcuts.review.next, ...shortcuts.review.previous].flatMap(keyCapsOf)} />
        {t('moderation.keys.walk')}
        <span className="ms-auto inline-flex items-center gap-1.5">
          <KeyCaps caps={['?']} />
          {t('moderation.keys.all')}
        </span>
      </p>
    </aside>
  )
}

interface QueueRowProps extends Pick<QueueProps, 'screen' | 'search' | 'target' | 'calendar'> {
  post: Entry
  isChosen: boolean
  claim: PostClaim | undefined
}

function QueueRow({ screen, search, post, isChosen, claim, target, calendar }: QueueRowProps) {
  const t = useT()
  const nameOf = useTitleOf(resources.tradinposts)
  const now = useNow()
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // Without a layout (tests) the queue has nothing to scroll.
    if (isChosen) row.current?.scrollIntoView?.({ block: 'nearest' })
  }, [isChosen])
  const { mainPhoto } = post
  const address = recordAddress(screen, post.id)
  return (
    <li ref={row} className="border-b border-line">
      <Link
        to={address.to}
        search={writeQueueSearch(search)}
        aria-current={isChosen ? 'true' : undefined}
        className={cx(
          'flex min-h-[60px] items-center gap-2.5 py-2 ps-4 pe-3 hover:bg-hover',
          isChosen &&
            'bg-brand-soft **:text-on-brand-soft! shadow-[inset_3px_0_0_var(--brand-ui)] rtl:shadow-[inset_-3px_0_0_var(--brand-ui)]',
        )}
      >
        {isEntry(mainPhoto) ? (
          <CoverPicture
            file={mainPhoto}
            width={44}
            className={cx('size-11 shrink-0 rounded-2', claim && 'grayscale')}
          />
        ) : (
          <span
            aria-hidden
            className={cx('grid size-11 shrink-0 place-items-center rounded-2 bg-sunken', claim && 'grayscale')}
          >
            <PostFigure post={post} size={30} />
          </span>
        )}
        <span className="min-w-0 flex-1">
          <b className={cx('line-clamp-2 leading-5 font-semibold wrap-anywhere', claim && 'text-muted')}>
            {nameOf(post)}
          </b>
          {claim ? (
            <span className="flex items-center gap-1 truncate text-sm text-muted">
              <Lock size={12} aria-hidden className="shrink-0" />
              {t('moderation.heldBy', { name: claim.by.name })}
            </span>
          ) : (
            <PostInShort post={post} />
          )}
        </span>
        <RowMarks post={post} target={target} calendar={calendar} now={now} />
      </Link>
    </li>
  )
}

function PostInShort({ post: { price, currency, unit, district, region } }: { post: Entry }) {
  const t = useT()
  const locale = useLocale()
  const unitOf = useUnitLabel()
  const [districtOf, regionOf] = [useTitleOf(resources.districts), useTitleOf(resources.regions)]
  const priceText =
    typeof price === 'number'
      ? `${formatNumber(locale, price)} ${typeof currency === 'string' ? currency : ''}${isEntry(unit) ? `/${unitOf(unit)}` : ''}`
      : t('tradinposts.noPrice')
  const areaName = isEntry(district) ? districtOf(district) : isEntry(region) ? regionOf(region) : ''
  return (
    <span className="block text-sm leading-[18px] text-muted">{[priceText, areaName].filter(Boolean).join(', ')}</span>
  )
}

const tones = { 'in time': 'text-muted', soon: 'text-warning-text', late: 'text-danger-text' } as const

function RowMarks({
  post: { waiting_since, createdAt, edit_state, reports_open },
  target,
  calendar,
  now,
}: Pick<QueueProps, 'target' | 'calendar'> & { post: Entry; now: Date }) {
  const t = useT()
  const reports = Number(reports_open ?? 0)
  const renderNote = (text: string, tone: string) => <small className={cx('block text-xs', tone)}>{text}</small>
  const mark =
    reports > 0
      ? renderNote(t('moderation.reportCount', { count: reports }), 'text-warning-text')
      : edit_state === 'waiting'
        ? renderNote(t('moderation.editMark'), 'text-muted')
        : null
  if (typeof waiting_since !== 'string' || !target || !calendar)
    return (
      <span className="shrink-0 text-end text-sm text-muted">
        {formatSpan(t, String(createdAt), now)}
        {mark}
      </span>
    )
  const wait = waitOf(calendar, target, waiting_since, now)
  return (
    <span
      className={cx(
        'shrink-0 text-end text-sm tabular-nums',
        tones[wait.state],
        wait.state !== 'in time' && 'font-semibold',
      )}
    >
      {waitText(t, 'moderation.wait', wait)}
      {wait.state === 'late' ? renderNote(t('moderation.late'), 'text-danger-text') : mark}
    </span>
  )
}

/**
 * The review of trading posts: the queue, one post, and the decision on it, side by side if the width allows.
 */
import { type Entry, isLocale, queueTabs, rankOfRole, resources, type Screen } from '@dala/model'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { onModeration } from '../../../api/live.ts'
import { callerRoleOf, meQuery } from '../../../api/session.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { useTitleOf } from '../../../fields/field-display.tsx'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { useNameRecord } from '../../../lib/record-name.ts'
import { recordAddress } from '../../../resource/screen-address.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { isSamePost, Queue } from './queue.tsx'
import { ReviewedPost } from './reviewed-post.tsx'
import {
  postQuery,
  type QueueFlag,
  queueFlags,
  queueQuery,
  type QueueSearch,
  queueStateQuery,
  readQueueSearch,
  invalidateQueue,
  reviewCalls,
  reviewKeys,
  reviewQuery,
  type ReviewVerdict,
  writeQueueSearch,
} from './review-data.ts'
import { type UndoableDecision, UndoBar } from './undo-bar.tsx'
import { useReviewKeys } from './use-review-keys.ts'
import { useCalendar } from './wait.ts'

const { tradinposts } = resources

export interface ReviewPageProps {
  screen: Screen
  index: string
  /** Page in place of the review for users who are not moderators. */
  children: ReactNode
}

/** The review page for moderators; the plain page for others, and for the form of a record. */
export function ReviewPage({ screen, index, children }: ReviewPageProps) {
  const { data: me } = useQuery(meQuery)
  if (!me) return null
  const isModerator = rankOfRole(callerRoleOf(me).role) >= rankOfRole('admin')
  if (!isModerator || !/^\d{1,10}$/.test(index)) return children
  return <PostReviewPane screen={screen} id={Number(index)} readerId={me.id} />
}

/** Keeps the moderation queue and the data beside the post up to date while the page is open. */
function useModerationNews(): void {
  const cache = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = onModeration(() => {
      // A hundred decisions of colleagues in a short time cause one reload.
      timer ??= setTimeout(() => {
        timer = undefined
        void invalidateQueue(cache)
      }, 300)
    })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [cache])
}

/** Claims a pending post while the post is open. */
function useClaim(id: number, isWaiting: boolean): void {
  const cache = useQueryClient()
  useEffect(() => {
    if (!isWaiting) return undefined
    const refreshQueue = () => void invalidateQueue(cache)
    // The page learns from the queue state that a colleague has claimed the post.
    void reviewCalls.claim(id).then(refreshQueue, refreshQueue)
    return () => void reviewCalls.release(id).catch(() => undefined)
  }, [id, isWaiting, cache])
}

function PostReviewPane({ screen, id, readerId }: { screen: Screen; id: number; readerId: number }) {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const address: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const search = readQueueSearch(address)
  const nameOf = useTitleOf(tradinposts)
  const obstacle = useObstacle()
  const [lastDecision, setLastDecision] = useState<UndoableDecision>()
  const [isFinished, setFinished] = useState(false)
  useModerationNews()

  const { data: page } = useQuery(queueQuery(search, locale))
  const { data: state } = useQuery({ ...queueStateQuery, placeholderData: keepPreviousData })
  const post = useQuery(postQuery(id, locale))
  const review = useQuery(reviewQuery(id))
  const calendar = useCalendar(state?.target)
  const posts = page?.entries ?? []
  const postIndex = posts.findIndex((listedPost) => isSamePost(listedPost, id))
  const isWaiting = typeof post.data?.['waiting_since'] === 'string'
  useClaim(id, isWaiting)

  const position =
    postIndex < 0
      ? t('moderation.title')
      : t('moderation.position', {
          index: formatNumber(locale, postIndex + 1),
          total: formatNumber(locale, page?.total ?? posts.length),
        })
  useDocumentTitle(position)
  useNameRecord(position)

  const openPost = (entry: Entry | undefined) => {
    if (!entry) return
    const { to } = recordAddress(screen, entry.id)
    void navigate({ to, search: writeQueueSearch(search) })
  }
  const change = (searchChange: Partial<QueueSearch>) =>
    void navigate({ to: '.', search: writeQueueSearch({ ...search, ...searchChange }), replace: true })
  const refreshQueue = () => invalidateQueue(cache)

  const undo = useMutation({
    mutationFn: ({ id: previousId }: UndoableDecision) => reviewCalls.undo(previousId),
    meta: { inPlace: true, missed: t('moderation.notUndone') },
    onSuccess: (_answer, { title }) => showToast({ kind: 'success', title: t('undo.done', { title }) }),
    onError: (error) => showToast({ kind: 'error', title: t('moderation.notUndone'), text: messageOfFailure(error) }),
    onSettled: () => Promise.all([refreshQueue(), cache.invalidateQueries({ queryKey: reviewKeys.post })]),
  })
  const undoLastDecision = () => {
    if (!lastDecision) return
    undo.mutate(lastDecision)
    setLastDecision(undefined)
  }
  const endUndo = () => setLastDecision(undefined)

  const decideMutation = useMutation({
    mutationFn: ({ record, verdict }: { record: Entry; verdict: ReviewVerdict }) =>
      reviewCalls.sendVerdict({ id: record.id, version: Number(record['version']) }, verdict),
    meta: { inPlace: true, missed: t('moderation.notDecided') },
    // The queue of posts is reloaded after a refused decision too, because a colleague may have decided.
    onSettled: () => void refreshQueue(),
  })
  const send = (record: Entry, verdict: ReviewVerdict) => {
    if (decideMutation.isPending || obstacle) return
    // The next post is chosen before the decision changes the queue.
    const otherPosts = posts.filter((listedPost) => !isSamePost(listedPost, id))
    const nextPost = otherPosts[Math.min(Math.max(postIndex, 0), otherPosts.length - 1)]
    decideMutation.mutate(
      { record, verdict },
      {
        onSuccess: () => {
          const outcomeText = t(`moderation.outcome.${verdict.to}`)
          setLastDecision({ id: record.id, title: nameOf(record), to: outcomeText, decidedAt: Date.now() })
          cache.removeQueries({ queryKey: [...reviewKeys.post, record.id] })
          if (nextPost && isWaiting) openPost(nextPost)
          else if (isWaiting) setFinished(true)
          else void post.refetch()
        },
      },
    )
  }
  // The state of the review panel is reset when another post is shown.
  const [shownId, setShownId] = useState(id)
  if (shownId !== id) {
    setShownId(id)
    setFinished(false)
    decideMutation.reset()
  }

  const step = (offset: number) => openPost(postIndex < 0 ? posts[0] : posts[postIndex + offset])
  useReviewKeys({ next: () => step(1), previous: () => step(-1), ...(lastDecision && { undo: undoLastDecision }) })

  const loadError = post.error ?? review.error
  const claim = review.data?.claim ?? null
  return (
    <Sheet
      isStrip
      aria-label={t('moderation.title')}
      data-thread=""
      className="-mb-4 flex h-[calc(100dvh-var(--top-h)-var(--lines-h)-24px)] min-h-96 flex-col max-md:-mx-3.5 max-md:-mb-24 max-md:h-auto max-md:min-h-[calc(100dvh-var(--top-h)-4px)] max-md:rounded-none max-md:border-x-0"
    >
      {post.data && review.data && !isFinished ? null : <h1 className="sr-only">{position}</h1>}
      <div className="flex min-h-[50px] items-center gap-3 border-b border-line px-3.5 py-1.5 max-md:hidden">
        <SegmentedControl
          label={t('moderation.queue')}
          value={search.tab}
          onValueChange={(tab) => change({ tab })}
          segments={queueTabs.map((tab) => ({
            value: tab,
            label: t(`moderation.tab.${tab}`),
            ...(state && { count: formatNumber(locale, state.counts[tab]) }),
          }))}
          className="min-w-0"
        />
        <span className="ms-auto shrink-0">
          <Select<QueueFlag>
            aria-label={t('moderation.flags')}
            variant="filter"
            value={search.flag}
            onValueChange={(flag) => change({ flag })}
            choices={queueFlags.map((flag) => ({ value: flag, label: t(`moderation.flag.${flag}`) }))}
          />
        </span>
      </div>
      <div className="grid min-h-0 flex-1 md:grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_348px] xl:grid-cols-[296px_minmax(0,1fr)_348px] max-lg:overflow-y-auto max-md:overflow-visible">
        <Queue
          screen={screen}
          search={search}
          onChange={change}
          posts={posts}
          total={page?.total}
          chosenId={isFinished ? 0 : id}
          claims={state?.claims ?? []}
          readerId={readerId}
          target={state?.target}
          calendar={calendar}
        />
        {isFinished ? (
          <div className="grid content-center lg:col-span-2">
            <EmptyState
              title={t('moderation.empty')}
              text={t('moderation.emptyText')}
              action={
                <Link
                  to="."
                  search={{ tab: 'processed' }}
                  onClick={() => setFinished(false)}
                  className={buttonClass('plain')}
                >
                  {t('moderation.showProcessed')}
                </Link>
              }
            />
          </div>
        ) : post.data && review.data ? (
          <ReviewedPost
            key={post.data.id}
            screen={screen}
            record={post.data}
            review={review.data}
            lang={isLocale(post.data['locale']) ? post.data['locale'] : undefined}
            othersClaim={claim && claim.by.id !== readerId ? claim : undefined}
            ownClaim={claim && claim.by.id === readerId ? claim : undefined}
            wait={calendar && state ? { calendar, target: state.target } : undefined}
            initialChoice={address['decide']}
            isBusy={decideMutation.isPending}
            obstacle={obstacle}
            failure={decideMutation.error ? messageOfFailure(decideMutation.error) : undefined}
            isStale={
              decideMutation.error instanceof ApiError &&
              decideMutation.error.status === 409 &&
              decideMutation.error.code === 'record.stale'
            }
            onReload={() => {
              decideMutation.reset()
              void post.refetch()
              void refreshQueue()
            }}
            onSend={send}
          />
        ) : loadError ? (
          <div className="grid content-center lg:col-span-2">
            <FailureState
              title={t('form.failed')}
              text={messageOfFailure(loadError)}
              onRetry={() => void Promise.all([post.refetch(), review.refetch()])}
            />
          </div>
        ) : (
          <DelayedContent>
            <div className="grid content-start gap-4 p-5 lg:col-span-2">
              {[0, 1, 2].map((row) => (
                <Skeleton key={row} className="h-16 w-full" />
              ))}
            </div>
          </DelayedContent>
        )}
      </div>
      {lastDecision ? (
        <div className="border-t border-line max-md:fixed max-md:inset-x-0 max-md:bottom-[74px] max-md:z-20 xl:ms-[296px] lg:me-[348px]">
          <UndoBar key={lastDecision.decidedAt} decision={lastDecision} onUndo={undoLastDecision} onEnd={endUndo} />
        </div>
      ) : null}
    </Sheet>
  )
}

/** One post as a moderator sees it: content, changes, hints, reports, and the decision beside it. */
import { type Entry, type PostClaim, type PostReview, resources, transitionsFor } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Lock from 'lucide-react/icons/lock'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import SquarePen from 'lucide-react/icons/square-pen'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import { useRef, useState } from 'react'
import { callerRoleOf, meQuery } from '../../../api/session.ts'
import { useTitleOf } from '../../../fields/field-display.tsx'
import { formatDate } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { phoneQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { AwaitedPart } from '../../../ui/awaited.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { PostGallery } from '../post-gallery.tsx'
import { AuthorDetails, Decision, flaggedReasons, keyedReasons, DecisionReasons } from './decision.tsx'
import { Description, PostDetails } from './post-details.tsx'
import { PostHead } from './post-head.tsx'
import { Reports } from './reports.tsx'
import type { ReviewedPostProps } from './reviewed-post-props.ts'
import { DecisionTrail } from './trail.tsx'
import { reasonsQuery, type ReviewVerdict } from './review-data.ts'
import { TwinPosts } from './twins.tsx'
import { type Choice, useDraft } from './use-draft.ts'
import { useEditedPost } from './use-edited.ts'
import { useReviewKeys } from './use-review-keys.ts'
import { Versions } from './versions.tsx'
import { minutesLeft } from './wait.ts'

const { tradinposts } = resources
const CompareDialog = lazyPart(async () => (await import('./compare.tsx')).CompareDialog)
const choices = ['processed', 'needs_changes', 'rejected'] as const

/** The possible decisions on a post: those on its pending edit, otherwise the steps from its state. */
function usePossibleDecisions(
  record: Entry,
  review: PostReview,
): { choices: readonly Choice[]; otherStates: readonly ('on_hold' | 'archived')[] } {
  const { data: me } = useQuery(meQuery)
  if (!me) return { choices: [], otherStates: [] }
  const steps = transitionsFor(
    tradinposts.fields.status.transitions,
    record['status'],
    { id: me.id, ...callerRoleOf(me) },
    () => undefined,
  )
  const targets = steps.map(({ to }) => to)
  const isOfEdit =
    review.edit?.state === 'waiting' && (record['status'] === 'processed' || record['status'] === 'expired')
  return {
    choices: isOfEdit ? choices : choices.filter((targetState) => targets.includes(targetState)),
    otherStates: (['on_hold', 'archived'] as const).filter((targetState) => targets.includes(targetState)),
  }
}

const hasNoFindings = ({ contacts, twins, words, price, reports }: PostReview) =>
  contacts.length + twins.length + words.length === 0 &&
  price?.verdict !== 'far' &&
  reports.every(({ settled_at }) => settled_at !== null)

export function ReviewedPost(props: ReviewedPostProps) {
  const {
    screen,
    record,
    review,
    lang,
    othersClaim,
    ownClaim,
    wait,
    initialChoice,
    isBusy: isSending,
    obstacle,
    failure,
    isStale,
    onReload,
    onSend,
  } = props
  const t = useT()
  const draft = useDraft(choices.find((knownChoice) => knownChoice === initialChoice))
  const nameOf = useTitleOf(tradinposts)
  const { data: reasonPage } = useQuery(reasonsQuery())
  const possibleDecisions = usePossibleDecisions(record, review)
  const editedPost = useEditedPost(record, review.edit)
  const gallery = useRef<HTMLDivElement>(null)
  const [openChoice, setOpenChoice] = useState<Choice>()
  const [comparedPost, setComparedPost] = useState<{ id: number; isOpen: boolean }>()
  const hasChanged = isStale || review.version !== record['version']

  const openComparison = (id: number | undefined) => {
    if (id !== undefined) setComparedPost({ id, isOpen: true })
  }
  const closeComparison = () =>
    setComparedPost((formerComparison) => formerComparison && { ...formerComparison, isOpen: false })

  const isPhone = useMedia(phoneQuery)
  const { choice } = draft
  const reasons = (reasonPage?.entries ?? []).filter(
    ({ applies_to }) => applies_to === 'decision' || (choice !== undefined && applies_to === choice),
  )
  const isReasoned = choice === 'needs_changes' || choice === 'rejected'
  const missingReasonText = isReasoned && draft.reasons.length === 0 && t('moderation.reasonMissing')
  const blockedReason =
    (othersClaim && t('moderation.heldBy', { name: othersClaim.by.name })) ||
    obstacle ||
    (hasChanged && t('moderation.changed')) ||
    (choice === undefined && t('moderation.chooseFirst')) ||
    missingReasonText
  const send = () => {
    if (choice !== undefined && !blockedReason) onSend(record, draft.verdict(choice))
  }
  const choose = (newChoice: Choice) => {
    if (othersClaim || !possibleDecisions.choices.includes(newChoice)) return
    // Approving a post without hints needs no confirming key.
    if (newChoice === 'processed' && !obstacle && !hasChanged && hasNoFindings(review))
      onSend(record, draft.verdict(newChoice))
    else draft.choose(newChoice)
    // On a phone the reasons for a decision are in a sheet.
    if (isPhone && newChoice !== 'processed') setOpenChoice(newChoice)
  }
  useReviewKeys({
    approve: () => choose('processed'),
    change: () => choose('needs_changes'),
    reject: () => choose('rejected'),
    send,
    clear: () => draft.choose(undefined),
    gallery: () => gallery.current?.querySelector<HTMLElement>('button[aria-haspopup="dialog"]')?.click(),
    compare: () => openComparison(review.twins[0]?.id),
    reason: (index) => {
      const code = isReasoned && index < keyedReasons ? reasons[index]?.['code'] : undefined
      if (typeof code === 'string') draft.toggleReason(code)
    },
  })

  const decisionForm = (
    <Decision
      review={review}
      draft={draft}
      reasons={reasons}
      choices={possibleDecisions.choices}
      isBusy={isSending}
      failure={failure}
      disabled={blockedReason}
      onSend={send}
      onChoose={choose}
    />
  )
  return (
    <>
      <div className="@container overflow-y-auto px-5 py-3.5 max-lg:overflow-visible lg:min-h-0 max-md:px-4 max-md:pb-28">
        <div className="grid gap-4">
          {hasChanged ? <ChangedNotice onReload={onReload} /> : null}
          <PostHead
            {...{ screen, record, review, ownClaim, wait, lang }}
            name={nameOf(record)}
            onCompare={() => openComparison(review.twins[0]?.id)}
          />
          <div ref={gallery} className="grid items-start gap-5 @min-[560px]:grid-cols-[300px_minmax(0,1fr)]">
            <PostGallery key={record.id} post={editedPost.post} addedIds={editedPost.addedPhotos} />
            <PostDetails record={editedPost.post} review={review} />
          </div>
          {review.reports.length > 0 ? <Reports id={record.id} reports={review.reports} /> : null}
          {review.edit ? (
            <Versions
              edit={review.edit}
              marks={review.contacts}
              since={t('moderation.version', { number: Number(record['version']) })}
            />
          ) : null}
          <Description record={record} review={review} lang={lang} />
          {review.words.length > 0 ? (
            <p className="flex items-start gap-2 rounded-2 bg-warning-soft px-3.5 py-2.5 text-warning-text">
              <TriangleAlert size={17} aria-hidden className="mt-0.5 shrink-0" />
              {t('moderation.words', { words: review.words.join(', ') })}
            </p>
          ) : null}
          {review.twins.length > 0 ? (
            <TwinPosts screen={screen} record={editedPost.post} twins={review.twins} onCompare={openComparison} />
          ) : null}
          {review.author ? (
            <div className="lg:hidden">
              <AuthorDetails author={review.author} />
            </div>
          ) : null}
          <OtherSteps
            record={record}
            otherStates={possibleDecisions.otherStates}
            draft={draft.verdict('processed')}
            isBusy={isSending}
            onSend={onSend}
          />
          <DecisionTrail decisions={review.decisions} />
        </div>
      </div>
      <aside
        aria-label={t('tradinposts.decision')}
        className="overflow-y-auto border-s border-line px-4 py-3.5 max-lg:overflow-visible max-lg:border-s-0 max-lg:border-t max-md:hidden lg:min-h-0"
      >
        <div className="grid gap-4">
          {review.author ? (
            <div className="border-b border-line pb-3.5 max-lg:hidden">
              <AuthorDetails author={review.author} />
            </div>
          ) : null}
          {othersClaim ? (
            <ClaimNotice claim={othersClaim} />
          ) : possibleDecisions.choices.length > 0 ? (
            decisionForm
          ) : (
            <p className="text-muted">{t('tradinposts.noSteps')}</p>
          )}
        </div>
      </aside>
      {possibleDecisions.choices.length > 0 ? (
        <div className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-3 gap-2 border-t border-line bg-surface px-3 py-3.5 pb-[max(14px,env(safe-area-inset-bottom))] md:hidden">
          {othersClaim ? (
            <p className="col-span-3 text-center text-muted">{t('moderation.heldBy', { name: othersClaim.by.name })}</p>
          ) : (
            <>
              <Button
                icon={<X size={17} aria-hidden />}
                className="px-2!"
                disabled={!possibleDecisions.choices.includes('rejected') && t('moderation.notNow')}
                onClick={() => choose('rejected')}
              >
                {t('moderation.choice.rejected')}
              </Button>
              <Button
                icon={<SquarePen size={17} aria-hidden />}
                className="px-2!"
                disabled={!possibleDecisions.choices.includes('needs_changes') && t('moderation.notNow')}
                onClick={() => choose('needs_changes')}
              >
                {t('moderation.choice.needs_changes')}
              </Button>
              <Button
                kind="primary"
                icon={<Check size={17} aria-hidden />}
                className="px-2!"
                isBusy={isSending}
                disabled={obstacle || (hasChanged && t('moderation.changed'))}
                onClick={() => onSend(record, draft.verdict('processed'))}
              >
                {t('moderation.choice.processed')}
              </Button>
            </>
          )}
        </div>
      ) : null}
      {comparedPost ? (
        <AwaitedPart onGiveUp={closeComparison}>
          <CompareDialog
            screen={screen}
            post={editedPost.post}
            twins={review.twins}
            chosenId={comparedPost.id}
            open={comparedPost.isOpen}
            marks={review.contacts}
            onChoose={openComparison}
            onClose={closeComparison}
          />
        </AwaitedPart>
      ) : null}
      <Dialog
        open={openChoice !== undefined}
        onOpenChange={(shouldOpen) => !shouldOpen && setOpenChoice(undefined)}
        title={t(openChoice === 'rejected' ? 'dialog.rejectPost.title' : 'dialog.needsChanges.title')}
        actions={
          <>
            <Button onClick={() => setOpenChoice(undefined)}>{t('action.cancel')}</Button>
            <Button
              kind={openChoice === 'rejected' ? 'danger' : 'primary'}
              isBusy={isSending}
              disabled={blockedReason}
              onClick={send}
            >
              {t(openChoice === 'rejected' ? 'moderation.send.rejected' : 'moderation.send.needs_changes')}
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          {openChoice === 'rejected' || openChoice === 'needs_changes' ? (
            <DecisionReasons
              flaggedCodes={flaggedReasons(review)}
              authorLanguage={review.author?.language}
              draft={draft}
              reasons={reasons}
              choice={openChoice}
            />
          ) : null}
          {failure === undefined ? null : (
            <p role="alert" className="text-danger-text">
              {failure}
            </p>
          )}
        </div>
      </Dialog>
    </>
  )
}

/** Notice that the post was changed since it was loaded; the choice made here stays. */
function ChangedNotice({ onReload }: { onReload: () => void }) {
  const t = useT()
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-2 bg-warning-soft px-3.5 py-2.5 text-warning-text"
    >
      <RefreshCw size={17} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1">{t('moderation.changed')}</span>
      <LinkButton onClick={onReload}>{t('moderation.reload')}</LinkButton>
    </div>
  )
}

/** Notice in place of the decision while a colleague has claimed the post. */
function ClaimNotice({ claim }: { claim: PostClaim }) {
  const t = useT()
  const now = useNow()
  const minutesRemaining = minutesLeft(claim, now)
  return (
    <div className="grid justify-items-center gap-2 rounded-2 bg-sunken px-4 py-8 text-center">
      <Lock size={22} aria-hidden className="text-muted" />
      <p className="font-semibold">{t('moderation.heldBy', { name: claim.by.name })}</p>
      <p className="text-sm text-muted">{t('moderation.heldFor', { count: minutesRemaining })}</p>
    </div>
  )
}

/** Buttons for steps that answer no pending post or edit: taking a public post down, archiving it. */
function OtherSteps({
  record,
  otherStates,
  draft,
  isBusy: isSending,
  onSend,
}: {
  record: Entry
  otherStates: readonly ('on_hold' | 'archived')[]
  draft: ReviewVerdict
  isBusy: boolean
  onSend: ReviewedPostProps['onSend']
}) {
  const t = useT()
  const { expires_at: expiresAt } = record
  if (otherStates.length === 0) return null
  return (
    <p className="flex flex-wrap items-center gap-2">
      {otherStates.map((targetState) => (
        <Button key={targetState} isBusy={isSending} onClick={() => onSend(record, { ...draft, to: targetState })}>
          {t(`moderation.step.${targetState}`)}
        </Button>
      ))}
      {typeof expiresAt === 'string' ? (
        <span className="text-sm text-muted">{t('moderation.until', { date: formatDate(expiresAt) })}</span>
      ) : null}
    </p>
  )
}

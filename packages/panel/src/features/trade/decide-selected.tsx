/** Applies one decision to several selected posts, each checked against the version in the list. */
import { type DecidedPosts, type Entry, labelOfCode, maxDecidedPosts, rankOfRole, resources } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Gavel from 'lucide-react/icons/gavel'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { hasMessage, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FailureLine } from '../../ui/inputs/field.tsx'
import { SegmentedControl } from '../../ui/inputs/segmented.tsx'
import { offerUndo } from '../../ui/feedback/undo.ts'
import { DecisionReasons } from './review/decision.tsx'
import { reasonsQuery, invalidateQueue, reviewCalls } from './review/review-data.ts'
import { useDraft } from './review/use-draft.ts'

const choices = ['processed', 'needs_changes', 'rejected'] as const
const noIds: ReadonlySet<string> = new Set()

interface DecideSelectedProps {
  entries: readonly Entry[]
  className: string
  onDone: () => void
}

export function DecideSelected({ entries, className, onDone }: DecideSelectedProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  const [isOpen, setOpen] = useState(false)
  if (!me || rankOfRole(callerRoleOf(me).role) < rankOfRole('admin')) return null
  const isTooMany = entries.length > maxDecidedPosts
  return (
    <>
      <button type="button" className={className} disabled={isTooMany} onClick={() => setOpen(true)}>
        <Gavel size={15} aria-hidden />
        {t('moderation.decideSelected')}
      </button>
      {isTooMany ? <p className="basis-full pb-1">{t('moderation.tooMany', { count: maxDecidedPosts })}</p> : null}
      {isOpen ? (
        <DecideDialog
          entries={entries}
          onClose={(hasDecided) => {
            setOpen(false)
            if (hasDecided) onDone()
          }}
        />
      ) : null}
    </>
  )
}

function DecideDialog({ entries, onClose }: { entries: readonly Entry[]; onClose: (hasDecided: boolean) => void }) {
  const t = useT()
  const cache = useQueryClient()
  const draft = useDraft('processed')
  const { choice = 'processed' } = draft
  const { data: reasonPage } = useQuery(reasonsQuery())
  const reasons = (reasonPage?.entries ?? []).filter(
    ({ applies_to }) => applies_to === 'decision' || applies_to === choice,
  )
  const decideMutation = useMutation({
    mutationFn: () =>
      reviewCalls.decidePosts(
        entries.map(({ id, version }) => ({ id, version: Number(version) })),
        draft.verdict(choice),
      ),
    meta: { inPlace: true, missed: t('moderation.notDecided') },
    onSuccess: ({ done }) => {
      if (done.length === 0) return
      offerUndo({
        title: t('moderation.decided', { count: done.length }),
        undo: async () => {
          await reviewCalls.undoDecisions(done)
          await invalidateQueue(cache)
        },
      })
    },
    onSettled: () => void invalidateQueue(cache),
  })
  const { data: result } = decideMutation
  const isReasoned = choice !== 'processed'
  return (
    <Dialog
      open
      onOpenChange={(shouldOpen) => !shouldOpen && onClose(result !== undefined)}
      title={t('moderation.decideTitle', { count: entries.length })}
      actions={
        result ? (
          <Button kind="primary" onClick={() => onClose(true)}>
            {t('action.close')}
          </Button>
        ) : (
          <>
            <Button onClick={() => onClose(false)}>{t('action.cancel')}</Button>
            <Button
              kind={choice === 'rejected' ? 'danger' : 'primary'}
              isBusy={decideMutation.isPending}
              disabled={isReasoned && draft.reasons.length === 0 && t('moderation.reasonMissing')}
              onClick={() => decideMutation.mutate()}
            >
              {t(`moderation.send.${choice}`)}
            </Button>
          </>
        )
      }
    >
      {result ? (
        <Results entries={entries} result={result} />
      ) : (
        <div className="grid gap-4">
          <SegmentedControl
            label={t('tradinposts.decision')}
            value={choice}
            onValueChange={(newChoice) => draft.choose(newChoice)}
            segments={choices.map((listedChoice) => ({
              value: listedChoice,
              label: t(`moderation.choice.${listedChoice}`),
            }))}
          />
          {isReasoned ? (
            <DecisionReasons
              flaggedCodes={noIds}
              authorLanguage={undefined}
              draft={draft}
              reasons={reasons}
              choice={choice}
            />
          ) : null}
          <FailureLine>{decideMutation.error ? messageOfFailure(decideMutation.error) : undefined}</FailureLine>
        </div>
      )}
    </Dialog>
  )
}

/** Outcome of a decision on several posts: the number of decided posts, and why the others are not. */
function Results({ entries, result: { done, failed } }: { entries: readonly Entry[]; result: DecidedPosts }) {
  const t = useT()
  const nameOf = useTitleOf(resources.tradinposts)
  const nameById = (id: number) => {
    const entry = entries.find((listedEntry) => listedEntry.id === id)
    return entry ? nameOf(entry) : String(id)
  }
  const failureText = ({ code, message, params }: DecidedPosts['failed'][number]) => {
    const label = labelOfCode(code)
    return label !== undefined && hasMessage(label) ? t(label, params) : message
  }
  return (
    <div className="grid gap-3">
      <output>{t('moderation.decided', { count: done.length })}</output>
      {failed.length > 0 ? (
        <ul className="grid gap-1.5">
          {failed.map((failedPost) => (
            <li key={failedPost.id} className="text-danger-text">
              <b className="font-semibold">{nameById(failedPost.id)}</b>: {failureText(failedPost)}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

/** Steps of a course as buttons: publishing with its dialog, withdrawing, archiving, discarding the draft. */
import { type Entry, resources, type Transition } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Archive from 'lucide-react/icons/archive'
import CircleCheck from 'lucide-react/icons/circle-check'
import FilePen from 'lucide-react/icons/file-pen'
import Undo2 from 'lucide-react/icons/undo-2'
import { Suspense, useState } from 'react'
import { resourceQueries } from '../../api/resource-queries.ts'
import { useT } from '../../lib/i18n.ts'
import { useMay } from '../../resource/use-may.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { lazyFeature } from '../../ui/lazy-part.ts'
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx'
import { useWasEverTrue } from '../../ui/use-ever.ts'
import { discardDraft } from './publishing/api.ts'

const { courses } = resources
type State = (typeof courses.fields.state.values)[number]

const PublishDialog = lazyFeature(async () => (await import('./publishing/publish-dialog.tsx')).PublishDialog)

/** Allowed next states of a course except publishing, which has a dialog. */
function nextStates(state: unknown): ('draft' | 'archived')[] {
  const transitions: readonly Transition<State>[] = courses.fields.state.transitions
  return transitions.flatMap(({ from, to }) => (from === state && to !== 'published' ? [to] : []))
}

const icons = { draft: FilePen, archived: Archive } as const

export function CourseSteps({ record }: { record: Entry }) {
  const t = useT()
  const may = useMay(courses)
  const cache = useQueryClient()
  const [isPublishing, setPublishing] = useState(false)
  const wasPublishing = useWasEverTrue(isPublishing)
  const [isDiscarding, setDiscarding] = useState(false)
  const refreshCourse = () => cache.invalidateQueries({ queryKey: ['resource'] })
  const step = useMutation({
    mutationFn: (state: State) => resourceQueries(courses).update(record.id, { state, version: record.version }),
    onSuccess: () => showToast({ kind: 'success', title: t('message.updated', { resource: t('courses.one') }) }),
    onSettled: refreshCourse,
  })
  const discardMutation = useMutation({
    mutationFn: () => discardDraft(record),
    onSuccess: () => showToast({ kind: 'success', title: t('learning.discarded') }),
    onSettled: async () => {
      setDiscarding(false)
      await refreshCourse()
    },
  })
  if (!may('update')) return null
  const canPublish = record.state === 'draft' || record.state === 'published'
  const labels = {
    draft: t(record.state === 'published' ? 'action.unpublish' : 'learning.toDraft'),
    archived: t('action.archive'),
  }
  return (
    <>
      {canPublish ? (
        <Button
          kind="primary"
          icon={<CircleCheck size={16} aria-hidden />}
          // The button stays disabled until the course has its stored state; a press before has no effect.
          disabled={step.isPending && t('form.isSaving')}
          onClick={() => setPublishing(true)}
        >
          {t('action.publish')}
        </Button>
      ) : null}
      {record.changed_since_publish === true ? (
        <Button icon={<Undo2 size={16} aria-hidden />} onClick={() => setDiscarding(true)}>
          {t('learning.discard')}
        </Button>
      ) : null}
      {nextStates(record.state).map((state) => {
        const Icon = icons[state]
        return (
          <Button
            key={state}
            icon={<Icon size={16} aria-hidden />}
            isBusy={step.isPending && step.variables === state}
            disabled={step.isPending && step.variables !== state && t('form.isSaving')}
            onClick={() => step.mutate(state)}
          >
            {labels[state]}
          </Button>
        )
      })}
      {wasPublishing ? (
        <Suspense fallback={null}>
          <PublishDialog course={record} open={isPublishing} onClose={() => setPublishing(false)} />
        </Suspense>
      ) : null}
      <ConfirmDialog
        open={isDiscarding}
        onOpenChange={setDiscarding}
        title={t('learning.discardTitle')}
        description={t('learning.discardText')}
        confirmLabel={t('learning.discardConfirm')}
        isDangerous
        isBusy={discardMutation.isPending}
        onConfirm={() => discardMutation.mutate()}
      />
    </>
  )
}

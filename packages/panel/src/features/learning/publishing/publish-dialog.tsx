/**
 * Dialog that publishes a course: readiness by language beside what learners will see changed (e-learning
 * §6).
 */
import { type Entry, type Locale, localeNames } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfError } from '../../../api/error-toasts.ts'
import { formatDate, formatList } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { FieldError } from '../../../ui/inputs/field.tsx'
import { KeyCaps } from '../../../ui/key-caps.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { checkQuery, diffQuery, publishCourse } from './api.ts'
import { CourseChanges } from './changes.tsx'
import { Languages } from './languages.tsx'

interface PublishDialogProps {
  course: Entry
  open: boolean
  onClose: () => void
}

export function PublishDialog({ course, open, onClose }: PublishDialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const check = useQuery({ ...checkQuery(course.id), enabled: open })
  const diff = useQuery({ ...diffQuery(course.id), enabled: open })
  const [choices, setChoices] = useState<ReadonlyMap<Locale, boolean>>(new Map())
  const publishMutation = useMutation({
    meta: { inPlace: true },
    mutationFn: (languages: Locale[]) => publishCourse(course, languages),
    onSuccess: () => {
      onClose()
      showToast({ kind: 'success', title: t('learning.published') })
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })

  // Languages without errors are chosen at first: those that learners have already, or all when they have
  // none yet.
  const isFirst = check.data?.languages.every(({ published }) => !published) ?? false
  const chosenKeys = new Set(
    check.data?.languages.flatMap(({ locale, published }) => {
      const isPossible = check.data.errors.every((problem) => problem.locale !== locale)
      return isPossible && (choices.get(locale) ?? (published || isFirst)) ? [locale] : []
    }),
  )
  const hasChanges = diff.data === undefined || diff.data.changes.length > 0 || course.state !== 'published'
  const reason =
    !check.data || !diff.data
      ? t('app.loading')
      : chosenKeys.size === 0
        ? t('learning.chooseLanguage')
        : !hasChanges && t('learning.noChanges')
  const submitCourse = () => {
    if (!reason && !publishMutation.isPending) publishMutation.mutate([...chosenKeys])
  }
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.ctrlKey) return
    event.preventDefault()
    submitCourse()
  })
  useEffect(() => {
    if (!open) return
    const handleKeyDown = (event: KeyboardEvent) => handleKey(event)
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [open])
  const failedQuery = check.isError ? check : diff.isError ? diff : undefined
  const publishedAt = diff.data?.published_at
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('learning.publish')}
      isWide
      description={
        typeof publishedAt === 'string' && course.state === 'published'
          ? t('learning.publishAgain', { date: formatDate(publishedAt) })
          : t('learning.publishFirst')
      }
      actions={
        <>
          <span aria-hidden className="me-auto self-center max-md:hidden">
            <KeyCaps caps={['Ctrl', 'Enter']} />
          </span>
          <Button onClick={onClose}>{t('learning.notNow')}</Button>
          <Button
            kind="primary"
            isBusy={publishMutation.isPending}
            disabled={reason}
            aria-keyshortcuts="Control+Enter"
            onClick={submitCourse}
          >
            {chosenKeys.size === 0
              ? t('action.publish')
              : t('learning.publishIn', {
                  languages: formatList(
                    t,
                    [...chosenKeys].map((locale) => localeNames[locale]),
                  ),
                })}
          </Button>
        </>
      }
    >
      <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
        {failedQuery ? (
          <FailureState
            title={failureText(failedQuery.error, t('error.network.message'))}
            onRetry={() => void failedQuery.refetch()}
          />
        ) : check.data && diff.data ? (
          <>
            <Languages
              course={course.id}
              check={check.data}
              chosen={chosenKeys}
              onChoose={(locale, isChosen) => setChoices(new Map(choices).set(locale, isChosen))}
              onLeave={onClose}
            />
            <CourseChanges diff={diff.data} />
          </>
        ) : (
          <DelayedContent>
            <Skeleton className="h-40 md:col-span-2" />
          </DelayedContent>
        )}
        {publishMutation.isError ? (
          <div role="alert" className="md:col-span-2">
            <FieldError id="publish-error">{failureText(publishMutation.error, t('error.network.message'))}</FieldError>
          </div>
        ) : null}
      </div>
    </Dialog>
  )
}

const failureText = (error: unknown, network: string) =>
  error instanceof ApiError && error.status > 0 ? messageOfError(error) : network

/** The System page of owners: whether the installation runs, what is about to fail, and the backups. */
import type { SystemState } from '@dala/model'
import { useIsFetching, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useEffect } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { callerRoleOf } from '../../api/session.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { formatSpan, formatTime, type Translate } from '../../lib/format.ts'
import { useStable } from '../../lib/hooks/use-stable.ts'
import { useT } from '../../lib/i18n.ts'
import { isPressed, isTyping, keyCapsOf, shortcuts } from '../../lib/keys/shortcuts.ts'
import { saveFile } from '../../resource/list/file.ts'
import { UserBoundary } from '../../resource/with-user.tsx'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { BackupsSheet } from './backups-sheet.tsx'
import { PartsSheet } from './parts-sheet.tsx'
import { stateQuery, systemKey } from './queries.ts'
import { WarningsSheet } from './warnings-sheet.tsx'

export function SystemScreen() {
  const t = useT()
  useDocumentTitle(t('page.system'))
  return (
    <UserBoundary>
      {(me) =>
        callerRoleOf(me).role === 'owner' ? (
          <SystemContent />
        ) : (
          <>
            <PageHead title={t('page.system')} />
            <EmptyState title={t('error.403.title')} text={t('error.403.message')} />
          </>
        )
      }
    </UserBoundary>
  )
}

/** Sums up the state in one line: how long it runs, how many warnings there are, and when it was asked. */
function summaryOf(t: Translate, { version, warnings, at }: SystemState): string {
  return [
    version.state === 'answered' ? t('system.runs', { span: formatSpan(t, version.started_at, new Date(at)) }) : '',
    warnings.length > 0 ? `${t('system.warningCount', { count: warnings.length })}.` : t('system.noWarnings'),
    t('system.updatedAt', { time: formatTime(at) }),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** Saves the diagnosis as a file. */
function useDiagnosis() {
  const t = useT()
  return useMutation({
    mutationFn: async () => (await callRoute('GET /api/system/diagnosis', {})).data,
    meta: { inPlace: true },
    onSuccess: (diagnosis) => {
      const content = new Blob([JSON.stringify(diagnosis, undefined, 2)], { type: 'application/json' })
      saveFile({ content, name: `dala-diagnosis-${diagnosis.state.at.slice(0, 10)}.json` })
    },
    onError: (error) => showToast({ kind: 'error', title: t('system.diagnosisFailed'), text: messageOfFailure(error) }),
  })
}

function SystemContent() {
  const t = useT()
  const cache = useQueryClient()
  const { data: state, error, refetch } = useQuery(stateQuery)
  const isFetching = useIsFetching({ queryKey: systemKey }) > 0
  const diagnosis = useDiagnosis()
  const refresh = useStable(() => void cache.invalidateQueries({ queryKey: systemKey }))
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isInDialog = event.target instanceof Element && event.target.closest('[role="dialog"]') !== null
      if (!isPressed(event, shortcuts.system.refresh) || isTyping(event.target) || isInDialog) return
      event.preventDefault()
      refresh()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [refresh])
  useCommands([
    {
      id: 'system.refresh',
      title: t('shortcuts.system.refresh'),
      keys: shortcuts.system.refresh.flatMap(keyCapsOf),
      run: refresh,
    },
    { id: 'system.diagnosis', title: t('system.diagnosis'), run: () => diagnosis.mutate() },
  ])
  return (
    <>
      <PageHead
        title={t('page.system')}
        about={state ? summaryOf(t, state) : undefined}
        actions={
          <>
            <Button
              icon={<Download size={17} aria-hidden />}
              isBusy={diagnosis.isPending}
              onClick={() => diagnosis.mutate()}
            >
              {t('system.diagnosis')}
            </Button>
            <Button icon={<RefreshCw size={17} aria-hidden />} isBusy={isFetching} onClick={refresh}>
              {t('action.refresh')}
            </Button>
          </>
        }
      />
      {error ? (
        <Sheet className="mb-4">
          <FailureState title={t('system.failed')} text={messageOfFailure(error)} onRetry={() => void refetch()} />
        </Sheet>
      ) : null}
      {state ? (
        <>
          <WarningsSheet warnings={state.warnings} />
          <PartsSheet state={state} />
        </>
      ) : error ? null : (
        <SystemSkeleton />
      )}
      <BackupsSheet />
    </>
  )
}

function SystemSkeleton() {
  return (
    <DelayedContent>
      <Sheet hasPadding className="mb-4">
        <div className="grid grid-cols-3 gap-6 max-xl:grid-cols-2 max-md:grid-cols-1">
          {[0, 1, 2, 3, 4, 5].map((part) => (
            <Skeleton key={part} className="h-32 w-full" />
          ))}
        </div>
      </Sheet>
    </DelayedContent>
  )
}

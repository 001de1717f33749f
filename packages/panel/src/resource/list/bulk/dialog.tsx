/**
 * The dialog of a bulk action from question to result: the choice, a preview, the progress, and the refused
 * rows.
 */
import { type Field, maxInlineConversions } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import type { Translate } from '../../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import type { DisabledReason } from '../../../ui/disabled-reason.tsx'
import type { ResourceList } from '../use-resource-list.ts'
import {
  actionOf,
  type BulkChoice as Choice,
  type BulkKind,
  type AvailableActions,
  firstScriptChoice,
} from './actions.ts'
import {
  type BulkAction,
  type BulkJob,
  type BulkSelection,
  type DryRun,
  isUnderWay,
  refreshRecords,
  startBulk,
  stopJob,
  waitForJob,
} from './api.ts'
import { BulkChoice, faultOf } from './choice.tsx'
import { followJob, useJobs } from './jobs.ts'
import { ScriptChoice } from './script-choice.tsx'
import { ScriptExamples } from './script-examples.tsx'
import { BulkPreview, BulkResult, JobProgress } from './steps.tsx'

export interface BulkDialogProps {
  list: ResourceList
  kind: BulkKind
  availableActions: AvailableActions
  target: BulkSelection
  onClose: () => void
  /** Called when the bulk job is done or continues in the background: the rows need not stay selected. */
  onDone: () => void
}

const countOf = (target: BulkSelection) => ('ids' in target ? target.ids.length : target.count)

export function BulkDialog({
  list,
  kind,
  availableActions: offeredActions,
  target: firstTarget,
  onClose,
  onDone,
}: BulkDialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const { resource } = list.screen
  const locale = useLocale()
  const fields = fieldsOf(kind, offeredActions)
  const [target, setTarget] = useState(firstTarget)
  const [choice, setChoice] = useState<Choice>(() =>
    kind === 'script'
      ? { script: firstScriptChoice(fields, [list.query.language, locale]) }
      : fields.length === 1 && fields[0]
        ? { field: fields[0][0] }
        : {},
  )
  const [action, setAction] = useState<BulkAction | undefined>(fields.length > 0 ? undefined : actionOf(kind, {}))
  const [chosenMode, setMode] = useState<'each' | 'all'>('each')
  const [key] = useState(() => crypto.randomUUID())
  const cancel = useRef<HTMLButtonElement>(null)
  const trialState = useTrial(resource.wire, action, target)
  const isTooManyForAll = kind === 'script' && (trialState.job?.count ?? 0) > maxInlineConversions
  const mode = isTooManyForAll ? 'each' : chosenMode
  const [runningJob] = useJobs(resource.wire).slice(-1)
  const run = useMutation({
    meta: {
      inPlace: true,
      missed: t('message.notDone', {
        what: `${t('bulk.run', { count: countOf(target) })}, ${firstTranslation([`${list.screen.labelPrefix}.many`])}`,
      }),
    },
    mutationFn: async () => {
      if (!action) throw new Error('nothing is chosen')
      return followJob(cache, await startBulk({ resource: resource.wire, action, selection: target, mode }, key))
    },
    // A complete success is reported by the toast; the dialog of the bulk action lists refusals.
    onSuccess: (job) => {
      if (job.refused === 0 && job.state === 'finished') onDone()
    },
  })
  const failure = run.error ?? trialState.error
  const differingCount = failure instanceof ApiError && failure.code === 'bulk.count-differs' ? failure : undefined
  const result = run.data
  const closeDialog = () => (run.isPending || result ? onDone() : onClose())

  const reloadTrial = () => {
    const { actual } = differingCount?.details ?? {}
    run.reset()
    void refreshRecords(cache)
    if ('query' in target && typeof actual === 'number') setTarget({ ...target, count: actual })
  }

  // The pressed button is disabled or gone, so the focus moves to a harmless button of the dialog.
  const runStep = (step: () => void) => {
    step()
    cancel.current?.focus()
  }
  const chosenAction = actionOf(kind, choice)
  const fault = kind === 'set' ? faultOf(resource, choice) : undefined
  const nextButton = !action ? (
    <Button
      kind="primary"
      disabled={(!chosenAction || fault !== undefined) && t('bulk.chooseFirst')}
      onClick={() => runStep(() => setAction(chosenAction))}
    >
      {t('bulk.preview')}
    </Button>
  ) : differingCount ? (
    <Button kind="primary" onClick={() => runStep(reloadTrial)}>
      {t('bulk.lookAgain')}
    </Button>
  ) : result ? null : (
    <Button
      kind={kind === 'remove' ? 'danger' : 'primary'}
      isBusy={run.isPending}
      disabled={obstacleOf(trialState.job, mode, t)}
      onClick={() => runStep(() => run.mutate())}
    >
      {t(kind === 'remove' ? 'bulk.runRemove' : 'bulk.run', { count: trialState.job?.changed ?? countOf(target) })}
    </Button>
  )

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && closeDialog()}
      isMedium={kind === 'script'}
      title={t(`bulk.title.${kind}`, { count: countOf(target) })}
      {...(fields.length === 0 && { initialFocus: cancel })}
      actions={
        <>
          {run.isPending && runningJob && isUnderWay(runningJob) ? (
            <Button kind="quiet" onClick={() => void stopJob(runningJob.id)}>
              {t('bulk.stop')}
            </Button>
          ) : null}
          {action && fields.length > 0 && !run.isPending && !result ? (
            <Button kind="quiet" className="me-auto" onClick={() => runStep(() => setAction(undefined))}>
              {t('action.back')}
            </Button>
          ) : null}
          <Button ref={cancel} onClick={closeDialog}>
            {t(run.isPending || result ? 'action.close' : 'action.cancel')}
          </Button>
          {nextButton}
        </>
      }
    >
      <div className="grid gap-4">
        {!action && choice.script ? (
          <ScriptChoice
            resource={resource}
            texts={fields}
            choice={choice.script}
            onChange={(script) => setChoice({ script })}
          />
        ) : !action ? (
          <BulkChoice resource={resource} fields={fields} choice={choice} onChange={setChoice} />
        ) : result ? (
          <BulkResult screen={list.screen} job={result} />
        ) : run.isPending ? (
          <>
            <JobProgress job={runningJob} label={t('bulk.working')} />
            <p className="text-sm text-muted">{t('bulk.goesOn')}</p>
          </>
        ) : failure ? null : (
          <BulkPreview
            screen={list.screen}
            kind={kind}
            trialState={trialState}
            mode={mode}
            onMode={setMode}
            whyEach={isTooManyForAll && t('error.bulk.scriptNotAll', { max: maxInlineConversions })}
          >
            {action.kind === 'script' && trialState.job ? (
              <ScriptExamples resource={resource} job={trialState.job} action={action} />
            ) : null}
          </BulkPreview>
        )}
        <FailureLine>{failure ? messageOfFailure(failure) : undefined}</FailureLine>
      </div>
    </Dialog>
  )
}

/** Fields that the choice of a bulk action offers. */
function fieldsOf(kind: BulkKind, { fields, lists, texts }: AvailableActions): [string, Field][] {
  if (kind === 'set') return fields
  if (kind === 'script') return texts
  return kind === 'connect' || kind === 'disconnect' ? lists : []
}

/** Reason why the bulk job cannot start. */
function obstacleOf(job: BulkJob | undefined, mode: 'each' | 'all', t: Translate): DisabledReason {
  if (!job) return t('bulk.trialRuns')
  if (job.changed === 0) return t('bulk.nothingChanges')
  return mode === 'all' && job.refused > 0 && t('bulk.notAll')
}

/** Runs a bulk action as a dry run, to preview its changes. A dry run that is no longer needed is stopped. */
function useTrial(wire: string, action: BulkAction | undefined, selection: BulkSelection): DryRun {
  const [step, setStep] = useState<BulkJob | undefined>(undefined)
  const latestJob = useRef<BulkJob | undefined>(undefined)
  const { data, error } = useQuery({
    queryKey: ['bulk', 'trial', wire, action, selection],
    queryFn: async () => {
      if (!action) throw new Error('nothing is chosen')
      const startedJob = await startBulk({ resource: wire, action, selection, dryRun: true })
      return waitForJob(startedJob, (job) => {
        latestJob.current = job
        setStep(job)
      })
    },
    enabled: action !== undefined,
    // Each opened dialog makes a new dry run, because its result may change within a minute.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { inPlace: true },
  })
  useEffect(
    () => () => {
      if (latestJob.current && isUnderWay(latestJob.current)) void stopJob(latestJob.current.id).catch(() => undefined)
    },
    [],
  )
  return { job: data, step, error }
}

/** Texts of a work list as a file for translators, and its return: first a trial, then the write. */
import { labelOfCode, type Locale, localeNames, locales, memoryLimits, type Screen, type WorkRecord } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { callServer } from '../../api/client.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callFile, type RouteAnswer } from '../../api/route.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { labelOf } from '../../fields/field-display.tsx'
import { formatNumber } from '../../lib/format.ts'
import { hasMessage, useLocale, useT } from '../../lib/i18n.ts'
import { fileOf, saveFile } from '../../resource/list/file.ts'
import { screenOfRecords } from '../../resource/screen-address.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { StatusChip, type StatusTone } from '../../ui/feedback/status-chip.tsx'
import { FailureLine, Field } from '../../ui/inputs/field.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FileButton, fileForm } from './file-button.tsx'
import type { OpenTranslationKind } from './translations.ts'

interface WorkDialogProps {
  open: boolean
  onClose: () => void
  screen: Screen
  locale: Locale
  kind: OpenTranslationKind
}

type Delivery = RouteAnswer<'POST /api/memory/work'>

/** Returns whether the same file can be accepted later: the server did not answer, or failed itself. */
const mayPass = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export function WorkDialog({ open, onClose, screen, locale, kind }: WorkDialogProps) {
  const t = useT()
  const reader = useLocale()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const result = useRef<HTMLElement>(null)
  const sources = locales.filter((language) => language !== locale)
  const [chosenSource, setSource] = useState<Locale>()
  const source = chosenSource ?? sources.find((language) => language === reader) ?? (locale === 'ru' ? 'en' : 'ru')
  const download = useMutation({
    mutationFn: () =>
      callFile(
        'GET /api/memory/work',
        { query: { resource: screen.resource.wire, source, target: locale, of: kind } },
        fileOf,
      ),
    meta: { inPlace: true },
    onSuccess: saveFile,
  })
  const send = (file: File, mode: 'try' | 'write') =>
    callServer<Delivery>('POST', '/memory/work', { body: fileForm(file, { mode }) })
  const trial = useMutation({ mutationFn: (file: File) => send(file, 'try'), meta: { inPlace: true } })
  const writing = useMutation({
    mutationFn: (file: File) => send(file, 'write'),
    meta: { inPlace: true },
    // A write whose answer was lost may have been done.
    onSettled: () => void cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  // The trial is shown until the write has answered.
  const delivery = writing.data ?? trial.data
  const isTrial = writing.data === undefined
  const error = trial.error ?? writing.error
  const tryFile = (file: File) => {
    writing.reset()
    trial.mutate(file)
  }
  const writeFile = (file: File) => writing.mutate(file, { onSuccess: () => result.current?.focus() })
  const close = () => {
    trial.reset()
    writing.reset()
    download.reset()
    onClose()
  }
  const counts = delivery && {
    written: formatNumber(reader, delivery.meta.counts.written),
    refused: formatNumber(reader, delivery.meta.counts.refused),
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={t('memory.work')}
      description={t('memory.workAbout', { count: formatNumber(reader, memoryLimits.workRecords) })}
      actions={
        <>
          <Button onClick={close}>{t('action.close')}</Button>
          {trial.isSuccess && isTrial ? (
            <Button
              kind="primary"
              isBusy={writing.isPending}
              disabled={obstacle ?? (trial.data.meta.counts.written === 0 && t('form.nothingChanged'))}
              onClick={() => writeFile(trial.variables)}
            >
              {t('memory.workWrite')}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="grid gap-5">
        <div className="grid gap-3">
          <Field label={t('desk.source')}>
            <Select
              value={source}
              onValueChange={setSource}
              choices={sources.map((language) => ({ value: language, label: localeNames[language] }))}
            />
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button
              icon={<Download size={17} aria-hidden />}
              isBusy={download.isPending}
              disabled={obstacle}
              onClick={() => download.mutate()}
            >
              {t('action.download')}
            </Button>
            <FileButton
              label={t('memory.workReturn')}
              accept=".xlf,.xliff,.xml"
              isBusy={trial.isPending}
              disabled={obstacle ?? (writing.isPending && t('bulk.working'))}
              onFile={tryFile}
            />
          </div>
          <FailureLine>{download.error ? messageOfFailure(download.error) : undefined}</FailureLine>
          <FailureLine>{error ? messageOfFailure(error) : undefined}</FailureLine>
          {trial.isError && mayPass(trial.error) ? (
            <p className="flex flex-wrap gap-x-3 text-sm">
              <span className="min-w-0 wrap-anywhere">{trial.variables.name}</span>
              <LinkButton onClick={() => tryFile(trial.variables)}>{t('action.retry')}</LinkButton>
            </p>
          ) : null}
        </div>
        {delivery && counts ? (
          <section
            ref={result}
            tabIndex={-1}
            aria-label={t('memory.result')}
            className="grid gap-3 border-t border-line pt-4 outline-0"
          >
            <output className="text-sm font-medium">
              {t(isTrial ? 'memory.workTried' : 'memory.workDone', counts)}
            </output>
            <ul className="grid gap-2">
              {delivery.data.map((record, index) => (
                <DeliveredRecord key={index} record={record} isTrial={isTrial} />
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </Dialog>
  )
}

const tones: Readonly<Record<WorkRecord['outcome'], StatusTone>> = {
  written: 'good',
  unchanged: 'quiet',
  empty: 'quiet',
  refused: 'bad',
}

/** A record of the file, with its outcome and the reason of a refusal. */
function DeliveredRecord({ record, isTrial }: { record: WorkRecord; isTrial: boolean }) {
  const t = useT()
  const { outcome, reason, field, issues, resource: wire, name, id } = record
  const resource = screenOfRecords(wire)?.resource
  const fieldLabel = (fieldName: string) => (resource ? labelOf(resource, fieldName) : fieldName)
  return (
    <li className="grid gap-0.5 text-sm">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 wrap-anywhere">{name ?? `${wire}${id === null ? '' : ` ${id}`}`}</span>
        <StatusChip tone={tones[outcome]}>
          {t(isTrial && outcome === 'written' ? 'memory.outcome.writable' : `memory.outcome.${outcome}`)}
        </StatusChip>
      </div>
      {reason ? (
        <p className="text-muted">{t(`memory.reason.${reason}`, { field: field === null ? '' : fieldLabel(field) })}</p>
      ) : null}
      {issues.map((issue) => {
        const [fieldName = ''] = issue.path.map(String)
        const label = labelOfCode(issue.code)
        const text = label !== undefined && hasMessage(label) ? t(label, issue.params) : issue.message
        return (
          <p key={`${fieldName}/${issue.code}`} className="text-danger-text">
            {fieldName === '' ? text : `${fieldLabel(fieldName)}: ${text}`}
          </p>
        )
      })}
    </li>
  )
}

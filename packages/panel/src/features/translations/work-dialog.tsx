/** Texts of a work list as a file for translators, and its return: first a trial, then the write. */
import { labelOfCode, type Locale, localeNames, locales, memoryLimits, type Screen, type WorkRecord } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { callServer } from '../../api/client.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callFile, type RouteAnswer } from '../../api/route.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { labelOf } from '../../fields/field-display.tsx'
import { formatNumber } from '../../lib/format.ts'
import { hasMessage, useLocale, useT } from '../../lib/i18n.ts'
import { fileOf, saveFile } from '../../resource/list/file.ts'
import { screenOfRecords } from '../../resource/screen-address.ts'
import { Button } from '../../ui/button.tsx'
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

export function WorkDialog({ open, onClose, screen, locale, kind }: WorkDialogProps) {
  const t = useT()
  const reader = useLocale()
  const cache = useQueryClient()
  const obstacle = useObstacle()
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
  const send = useMutation({
    mutationFn: ({ file, mode }: { file: File; mode: 'try' | 'write' }) =>
      callServer<Delivery>('POST', '/memory/work', { body: fileForm(file, { mode }) }),
    meta: { inPlace: true },
    onSuccess: (_, { mode }) =>
      mode === 'write' ? cache.invalidateQueries({ queryKey: ['resource'] }) : Promise.resolve(),
  })
  const delivery = send.data
  const sent = send.variables
  const isTrial = sent?.mode === 'try'
  const close = () => {
    send.reset()
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
          {delivery && isTrial && sent ? (
            <Button
              kind="primary"
              isBusy={send.isPending}
              disabled={obstacle ?? (delivery.meta.counts.written === 0 && t('form.nothingChanged'))}
              onClick={() => send.mutate({ file: sent.file, mode: 'write' })}
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
              isBusy={send.isPending && isTrial}
              disabled={obstacle}
              onFile={(file) => send.mutate({ file, mode: 'try' })}
            />
          </div>
          <FailureLine>{download.error ? messageOfFailure(download.error) : undefined}</FailureLine>
          <FailureLine>{send.error ? messageOfFailure(send.error) : undefined}</FailureLine>
        </div>
        {delivery && counts ? (
          <section aria-label={t('memory.result')} className="grid gap-3 border-t border-line pt-4">
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

/** The backups: when each was taken, whether it is proved, and the buttons that take and prove one. */
import type { Backup } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Archive from 'lucide-react/icons/archive'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callRoute } from '../../api/route.ts'
import { formatBytes, formatDateTime, formatList } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { backupsQuery, systemKey } from './queries.ts'
import { StateNote, type Tone } from './state-note.tsx'

/** Id of the sheet, which a warning leads to. */
export const copiesId = 'system-copies'

/** The action that a dialog asks about: a new backup, or the proof of one. */
type Question = 'take' | Backup

const proofTones: Readonly<Record<Backup['proof']['state'], Tone>> = {
  none: 'warning',
  running: 'quiet',
  proved: 'good',
  failed: 'bad',
}

export function BackupsSheet() {
  const t = useT()
  const query = useQuery(backupsQuery)
  const [question, setQuestion] = useState<Question>()
  return (
    <Sheet id={copiesId} tabIndex={-1} aria-label={t('system.backups.title')} className="scroll-mt-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 pt-3.5 pb-2 max-md:px-4">
        <h2 className="text-[17px] leading-tight font-semibold">{t('system.backups.title')}</h2>
        <p className="min-w-0 flex-1 text-sm text-muted max-md:order-last max-md:basis-full">
          {t('system.backups.about')}
        </p>
        <Button icon={<Archive size={17} aria-hidden />} onClick={() => setQuestion('take')}>
          {t('system.backups.take')}
        </Button>
      </div>
      <div className="pb-1.5">
        {query.data ? (
          <BackupsTable backups={query.data.data} onProve={setQuestion} />
        ) : (
          <div className="px-5 pb-4 max-md:px-4">
            <LoadedPart query={query}>{() => null}</LoadedPart>
          </div>
        )}
      </div>
      <BackupQuestion question={question} onClose={() => setQuestion(undefined)} />
    </Sheet>
  )
}

/** Question that names the effect of taking or proving a backup. */
function BackupQuestion({ question, onClose }: { question: Question | undefined; onClose: () => void }) {
  const t = useT()
  const cache = useQueryClient()
  // The texts stay while the dialog closes.
  const [lastQuestion, setLastQuestion] = useState<Question>('take')
  if (question && question !== lastQuestion) setLastQuestion(question)
  const action = useMutation({
    mutationFn: (asked: Question) =>
      asked === 'take'
        ? callRoute('POST /api/system/backups', {})
        : callRoute('POST /api/system/backups/:id/proof', { params: { id: asked.id } }),
    meta: { inPlace: true },
    onSuccess: () => onClose(),
    onSettled: () => cache.invalidateQueries({ queryKey: systemKey }),
  })
  const close = () => {
    action.reset()
    onClose()
  }
  const isTaking = lastQuestion === 'take'
  const time = isTaking ? '' : formatDateTime(lastQuestion.taken_at)
  return (
    <ConfirmDialog
      open={question !== undefined}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={isTaking ? t('system.backups.takeTitle') : t('system.backups.proveTitle', { time })}
      description={isTaking ? t('system.backups.takeText') : t('system.backups.proveText')}
      confirmLabel={isTaking ? t('system.backups.take') : t('system.backups.prove')}
      isBusy={action.isPending}
      failure={action.error ? messageOfFailure(action.error) : undefined}
      onConfirm={() => question && action.mutate(question)}
    />
  )
}

const cellClass = 'py-1.5 pe-4 max-md:py-0.5 max-md:pe-0'

function BackupsTable({ backups, onProve }: { backups: readonly Backup[]; onProve: (backup: Backup) => void }) {
  const t = useT()
  if (backups.length === 0) return <EmptyState title={t('system.backups.none')} text={t('system.backups.noneText')} />
  const columns = ['taken', 'kind', 'size', 'place', 'check', 'action'] as const
  return (
    <table className="w-full text-sm max-md:block">
      <caption className="sr-only">{t('system.backups.title')}</caption>
      <thead className="max-md:sr-only">
        <tr className="text-muted">
          {columns.map((column) => (
            <th
              key={column}
              scope="col"
              className={
                column === 'size'
                  ? 'py-1.5 pe-4 text-end font-normal'
                  : 'py-1.5 pe-4 text-start font-normal first:ps-5 last:pe-5 last:text-end'
              }
            >
              {column === 'action' ? (
                <span className="sr-only">{t('system.backups.action')}</span>
              ) : (
                t(`system.backups.${column}`)
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {backups.map((backup) => (
          <BackupRow key={backup.id} backup={backup} onProve={onProve} />
        ))}
      </tbody>
    </table>
  )
}

function BackupRow({ backup, onProve }: { backup: Backup; onProve: (backup: Backup) => void }) {
  const t = useT()
  const locale = useLocale()
  const { kind, state, taken_at, bytes, places, failure, proof } = backup
  const time = formatDateTime(taken_at)
  const reason = proof.failure ?? failure
  const mayProve = state === 'complete' && proof.state !== 'running' && proof.state !== 'proved'
  return (
    <tr className="border-t border-line max-md:flex max-md:flex-wrap max-md:gap-x-3 max-md:px-4 max-md:py-2.5">
      <td className={`${cellClass} tabular-nums md:ps-5`}>{time}</td>
      <td className={`${cellClass} text-muted`}>{t(`system.backups.kinds.${kind}`)}</td>
      <td className={`${cellClass} text-end tabular-nums`}>{bytes === null ? '–' : formatBytes(t, locale, bytes)}</td>
      <td className={`${cellClass} text-muted`}>
        {formatList(
          t,
          places.map((place) => t(`system.backups.places.${place}`)),
        )}
      </td>
      <td className={`${cellClass} max-md:order-first max-md:basis-full`}>
        <BackupState backup={backup} />
        {reason ? <span className="block text-muted wrap-anywhere">{reason}</span> : null}
      </td>
      <td className="py-1 text-end max-md:basis-full md:pe-5">
        {mayProve ? (
          <button
            type="button"
            aria-label={t('system.backups.proveNamed', { time })}
            onClick={() => onProve(backup)}
            className="inline-flex min-h-6 items-center font-semibold text-brand-text hover:underline max-md:min-h-11 pointer-coarse:min-h-11"
          >
            {t('system.backups.prove')}
          </button>
        ) : null}
      </td>
    </tr>
  )
}

function BackupState({ backup: { state, proof } }: { backup: Backup }) {
  const t = useT()
  if (state === 'running' || proof.state === 'running')
    return (
      <output className="inline-flex items-center gap-2 text-muted">
        <Spinner />
        {t(state === 'running' ? 'system.backups.states.running' : 'system.backups.proofs.running')}
      </output>
    )
  if (state !== 'complete') return <StateNote tone="bad">{t(`system.backups.states.${state}`)}</StateNote>
  return (
    <StateNote tone={proofTones[proof.state]}>
      {t(`system.backups.proofs.${proof.state}`, { time: formatDateTime(proof.at) })}
    </StateNote>
  )
}

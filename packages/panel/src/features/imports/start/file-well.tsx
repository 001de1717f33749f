/**
 * The drop zone for a sheet to import: drop, paste or choose a file; shows progress and the reason of a
 * refusal.
 */
import { useNavigate } from '@tanstack/react-router'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import { useEffect, useId, useRef, useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { useFileDrop } from '../../../fields/upload/use-file-drop.ts'
import { cx } from '../../../lib/class-names.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import { sendSheet } from '../import-api.ts'

const maxBytes = 10 * 1_048_576

interface UploadSending {
  file: File
  /**
   * Idempotency key of the upload, the same for a repeated call, so that a lost answer creates no second
   * import.
   */
  key: string
  percent: number
  failure: string | undefined
  /** Whether another attempt with the file would be refused again. */
  isFinal: boolean
}

export function FileDropZone({ kind, date }: { kind: string | undefined; date: string | undefined }) {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const obstacle = useObstacle()
  const zone = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const abortController = useRef<AbortController>(undefined)
  const hint = useId()
  const [sending, setSending] = useState<UploadSending>()
  const lockedReason = obstacle ?? (kind === undefined ? t('import.kindFirst') : undefined)
  const isGoing = sending !== undefined && sending.failure === undefined
  useEffect(() => () => abortController.current?.abort(), [])

  const send = async (file: File, key: string) => {
    if (lockedReason !== undefined || kind === undefined) return
    const startedUpload = { file, key, percent: 0, failure: undefined, isFinal: false }
    if (file.size > maxBytes || file.size === 0) {
      const failure = t(file.size === 0 ? 'import.emptyFile' : 'import.tooLarge')
      setSending({ ...startedUpload, failure, isFinal: true })
      return
    }
    setSending(startedUpload)
    const controller = new AbortController()
    abortController.current = controller
    try {
      const createdImport = await sendSheet(
        { file, kind, date, locale },
        {
          signal: controller.signal,
          headers: { 'Idempotency-Key': key },
          onProgress: (fraction) => setSending({ ...startedUpload, percent: Math.round(fraction * 100) }),
        },
      )
      void navigate({ to: `/app/import/${createdImport.id}` })
    } catch (error) {
      if (controller.signal.aborted) setSending(undefined)
      else setSending({ ...startedUpload, failure: messageOfFailure(error), isFinal: false })
    }
  }
  const sendFirstFile = ([file]: readonly File[]) => {
    if (file && !isGoing) void send(file, crypto.randomUUID())
  }
  const isDraggedOver = useFileDrop(zone, sendFirstFile)
  return (
    <div ref={zone} className={cx('grid gap-3 rounded-2', isDraggedOver && 'outline-2 outline-offset-4 outline-focus')}>
      <button
        type="button"
        aria-describedby={hint}
        aria-disabled={lockedReason !== undefined || isGoing || undefined}
        data-why={lockedReason}
        onClick={() => (lockedReason === undefined && !isGoing ? input.current?.click() : undefined)}
        className="grid justify-items-center gap-0.5 rounded-2 border border-dashed border-line-strong bg-sunken px-4 py-9 text-center hover:border-muted"
      >
        <FileSpreadsheet size={30} aria-hidden strokeWidth={1.5} className="mb-1.5 text-brand-text" />
        <span className="font-semibold">{t('import.dropHere')}</span>
        <span className="font-semibold text-brand-text">{t('upload.orChoose')}</span>
      </button>
      <p id={hint} className="text-sm text-muted">
        {t('import.limits')} {lockedReason}
      </p>
      {sending ? (
        <div className="grid gap-1.5 border-t border-line pt-3">
          <p className="flex items-baseline justify-between gap-3 text-sm">
            <bdi dir="ltr" className="truncate font-semibold">
              {sending.file.name}
            </bdi>
            {isGoing ? (
              <span className="flex shrink-0 items-baseline gap-3 tabular-nums">
                {t('upload.percent', { percent: sending.percent })}
                <LinkButton onClick={() => abortController.current?.abort()}>{t('action.cancel')}</LinkButton>
              </span>
            ) : null}
          </p>
          {isGoing ? (
            <progress
              aria-label={t('upload.progressOf', { name: sending.file.name })}
              max={100}
              value={sending.percent}
              className="progress-bar"
            />
          ) : null}
          <FailureLine>{sending.failure}</FailureLine>
          {sending.failure !== undefined && !sending.isFinal ? (
            <Button className="justify-self-start" onClick={() => void send(sending.file, sending.key)}>
              {t('action.retry')}
            </Button>
          ) : null}
        </div>
      ) : null}
      <input
        ref={input}
        type="file"
        accept=".xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        hidden
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // An emptied file input lets the user choose the same file again after a failure.
          target.value = ''
          sendFirstFile(files)
        }}
      />
    </div>
  )
}

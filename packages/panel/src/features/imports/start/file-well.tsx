/** The drop zone for a sheet: drop, paste or choose a file; shows progress and the reason of a refusal. */
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

const mostBytes = 10 * 1_048_576

interface Sending {
  file: File
  /** The same for a repeated call, so that a lost answer creates no second import. */
  key: string
  percent: number
  failure: string | undefined
  /** Another attempt would be refused again. */
  isFinal: boolean
}

export function FileWell({ kind, date }: { kind: string | undefined; date: string | undefined }) {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const obstacle = useObstacle()
  const zone = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const stop = useRef<AbortController>(undefined)
  const hint = useId()
  const [sending, setSending] = useState<Sending>()
  const held = obstacle ?? (kind === undefined ? t('import.kindFirst') : undefined)
  const isGoing = sending !== undefined && sending.failure === undefined
  useEffect(() => () => stop.current?.abort(), [])

  const send = async (file: File, key: string) => {
    if (held !== undefined || kind === undefined) return
    const begun = { file, key, percent: 0, failure: undefined, isFinal: false }
    if (file.size > mostBytes || file.size === 0) {
      const failure = t(file.size === 0 ? 'import.emptyFile' : 'import.tooLarge')
      setSending({ ...begun, failure, isFinal: true })
      return
    }
    setSending(begun)
    const ending = new AbortController()
    stop.current = ending
    try {
      const made = await sendSheet(
        { file, kind, date, locale },
        {
          signal: ending.signal,
          headers: { 'Idempotency-Key': key },
          onProgress: (share) => setSending({ ...begun, percent: Math.round(share * 100) }),
        },
      )
      void navigate({ to: `/app/import/${made.id}` })
    } catch (error) {
      if (ending.signal.aborted) setSending(undefined)
      else setSending({ ...begun, failure: messageOfFailure(error), isFinal: false })
    }
  }
  const take = ([file]: readonly File[]) => {
    if (file && !isGoing) void send(file, crypto.randomUUID())
  }
  const isOver = useFileDrop(zone, take)
  return (
    <div ref={zone} className={cx('grid gap-3 rounded-2', isOver && 'outline-2 outline-offset-4 outline-focus')}>
      <button
        type="button"
        aria-describedby={hint}
        aria-disabled={held !== undefined || isGoing || undefined}
        data-why={held}
        onClick={() => (held === undefined && !isGoing ? input.current?.click() : undefined)}
        className="grid justify-items-center gap-0.5 rounded-2 border border-dashed border-line-strong bg-sunken px-4 py-9 text-center hover:border-muted"
      >
        <FileSpreadsheet size={30} aria-hidden strokeWidth={1.5} className="mb-1.5 text-brand-text" />
        <span className="font-semibold">{t('import.dropHere')}</span>
        <span className="font-semibold text-brand-text">{t('upload.orChoose')}</span>
      </button>
      <p id={hint} className="text-sm text-muted">
        {t('import.limits')} {held}
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
                <LinkButton onClick={() => stop.current?.abort()}>{t('action.cancel')}</LinkButton>
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
          // The same file can be chosen again after a failure.
          target.value = ''
          take(files)
        }}
      />
    </div>
  )
}

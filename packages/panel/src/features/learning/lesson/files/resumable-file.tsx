/** Chooses a file and shows its upload: progress, speed, pause, resume and cancel. */
import { extensionsOf, type FileRecord, type UploadPurpose } from '@dala/model'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Upload from 'lucide-react/icons/upload'
import { type ReactNode, useRef } from 'react'
import { formatBytes, formatDuration, formatSpeed } from '../../../../lib/format.ts'
import { useLocale, useT } from '../../../../lib/i18n.ts'
import { Button } from '../../../../ui/button.tsx'
import { FieldError } from '../../../../ui/inputs/field.tsx'
import type { StartResumable, UploadTarget } from '../../../../fields/upload/resumable.ts'
import { StoppedUpload } from './unfinished-upload.tsx'
import { type RememberedUploads, type UploadSending, useResumable } from './use-resumable.ts'

export interface ResumableFileProps {
  start: StartResumable
  purpose: UploadPurpose
  /** Text of the button that chooses a file. */
  label: string
  /** Advice below the button that chooses a file. */
  hint?: string
  /** Further buttons beside the button that chooses a file. */
  actions?: ReactNode
  /** Called when the user has chosen a file to upload. */
  onStart?: () => void
  onStored: (record: FileRecord) => void
  /**
   * Remembers an upload that stops before its end, and shows it again; undefined for a lesson that is not
   * stored.
   */
  rememberedUploads?: RememberedUploads | undefined
  /** The stored lesson to which the uploaded file belongs. */
  target?: UploadTarget | undefined
}

export function ResumableFile({
  start,
  purpose,
  label,
  hint,
  actions,
  onStart,
  onStored,
  rememberedUploads: remembered,
  target,
}: ResumableFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const focusButton = () => requestAnimationFrame(() => button.current?.focus())
  const { sending, choose, ...controls } = useResumable(
    start,
    purpose,
    (record) => {
      onStored(record)
      // The pressed button disappears with the end of the upload, so the focus moves to the remaining button.
      focusButton()
    },
    { remembered, target },
  )
  const stoppedUploads = remembered?.all.uploads.find(
    (stoppedUpload) => stoppedUpload.lesson === remembered.place.lesson && stoppedUpload.purpose === purpose,
  )
  const cancel = () => {
    controls.cancel()
    focusButton()
  }
  return (
    <div className="grid gap-1.5">
      <input
        ref={input}
        type="file"
        hidden
        data-purpose={purpose}
        accept={extensionsOf[purpose].map((extension) => `.${extension}`).join(',')}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // An emptied file input reports the same file again when the user chooses it a second time.
          target.value = ''
          if (!file) return
          onStart?.()
          choose(file)
        }}
      />
      {sending ? (
        <SendingRow uploadSending={sending} {...controls} cancel={cancel} />
      ) : (
        <>
          {stoppedUploads && remembered ? (
            <StoppedUpload
              upload={stoppedUploads}
              onChoose={() => input.current?.click()}
              onDiscard={() => {
                remembered.all.discardUpload(stoppedUploads)
                focusButton()
              }}
              onGone={() => remembered.all.forgetUpload(stoppedUploads)}
            />
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Button ref={button} icon={<Upload size={17} aria-hidden />} onClick={() => input.current?.click()}>
              {label}
            </Button>
            {actions}
          </div>
          {hint === undefined ? null : <p className="max-w-[68ch] text-sm text-muted">{hint}</p>}
        </>
      )}
    </div>
  )
}

interface SendingRowProps {
  uploadSending: UploadSending
  pause: () => void
  resumeUpload: () => void
  cancel: () => void
}

function SendingRow({ uploadSending: sending, pause, resumeUpload: resume, cancel }: SendingRowProps) {
  const t = useT()
  const locale = useLocale()
  const { file, state, sent, speed, refusal } = sending
  const percent = Math.floor((sent / Math.max(1, file.size)) * 100)
  const minutesLeft = speed ? (file.size - sent) / speed / 60 : undefined
  const amountText = t('lessonFile.amount', {
    sent: formatBytes(t, locale, sent),
    total: formatBytes(t, locale, file.size),
  })
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-2 border border-line bg-sunken p-3">
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex items-baseline justify-between gap-3">
          <bdi dir="ltr" className="truncate font-semibold">
            {file.name}
          </bdi>
          <span className="shrink-0 tabular-nums">{t('upload.percent', { percent })}</span>
        </p>
        <progress
          aria-label={t('upload.progressOf', { name: file.name })}
          max={100}
          value={percent}
          className="progress-bar"
        />
        <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted tabular-nums">
          <span>
            {amountText}
            {speed === undefined ? null : `, ${formatSpeed(t, locale, speed)}`}
          </span>
          {minutesLeft === undefined || state !== 'sending' ? null : (
            <span>{t('lessonFile.left', { time: formatDuration(t, Math.max(1, minutesLeft)) })}</span>
          )}
        </p>
        <div aria-live="polite" className="text-sm">
          {refusal === undefined ? (
            <span className="text-muted">{t(state === 'paused' ? 'lessonFile.isPaused' : 'lessonFile.continues')}</span>
          ) : (
            <FieldError>{refusal}</FieldError>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {state === 'sending' ? (
          <Button icon={<Pause size={17} aria-hidden />} onClick={pause}>
            {t('lessonFile.pause')}
          </Button>
        ) : (
          <Button
            icon={state === 'failed' ? <RefreshCw size={17} aria-hidden /> : <Play size={17} aria-hidden />}
            onClick={resume}
          >
            {t(state === 'failed' ? 'action.retry' : 'lessonFile.resume')}
          </Button>
        )}
        <Button kind="quiet" onClick={cancel}>
          {t('action.cancel')}
          <span className="sr-only">: {file.name}</span>
        </Button>
      </div>
    </div>
  )
}

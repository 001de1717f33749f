/** The pending uploads, one row each: picture, name, progress, and a button that stops or retries it. */
import Image from 'lucide-react/icons/image'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import X from 'lucide-react/icons/x'
import { useRef, useState } from 'react'
import { formatSpeed } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'
import { FieldError } from '../../ui/inputs/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { PendingFile, Uploads } from './use-uploads.ts'

export function UploadRows({ uploads, onGone }: { uploads: Omit<Uploads, 'add'>; onGone: () => void }) {
  if (uploads.files.length === 0) return null
  return (
    <ul className="grid gap-2.5">
      {uploads.files.map((file) => (
        <UploadRow
          key={file.key}
          pendingFile={file}
          onRetry={() => uploads.retry(file)}
          onSendDuplicate={() => uploads.sendDuplicate(file)}
          onTake={() => {
            uploads.takeDuplicate(file)
            onGone()
          }}
          onCancel={() => {
            uploads.cancel(file)
            onGone()
          }}
        />
      ))}
    </ul>
  )
}

interface UploadRowProps {
  pendingFile: PendingFile
  onRetry: () => void
  onSendDuplicate: () => void
  onTake: () => void
  onCancel: () => void
}

function UploadRow({
  pendingFile: pendingUpload,
  onRetry,
  onSendDuplicate: onAnyway,
  onTake,
  onCancel,
}: UploadRowProps) {
  const { file, preview, isStarted, percent, speed, duplicate, refusal, isFinal } = pendingUpload
  const t = useT()
  const locale = useLocale()
  const [isBroken, setIsBroken] = useState(false)
  const stopButton = useRef<HTMLButtonElement>(null)
  const isGoing = refusal === undefined && duplicate === undefined
  // The pressed button of an upload disappears, so the focus moves to the button that stops the upload.
  const focusAfterAction = (action: () => void) => () => {
    action()
    stopButton.current?.focus()
  }
  return (
    <li className="flex items-center gap-3">
      <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-2 bg-brand-soft text-on-brand-soft">
        {preview && !isBroken ? (
          <img src={preview} alt="" onError={() => setIsBroken(true)} className="size-full object-cover" />
        ) : (
          <Image size={17} aria-hidden />
        )}
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex items-baseline justify-between gap-3 text-sm">
          <bdi dir="ltr" className="truncate">
            {file.name}
          </bdi>
          {isGoing ? (
            <span className="flex shrink-0 gap-2.5 tabular-nums">
              {speed === undefined ? null : <span className="text-muted">{formatSpeed(t, locale, speed)}</span>}
              <span>{isStarted ? t('upload.percent', { percent }) : t('upload.waiting')}</span>
            </span>
          ) : null}
        </p>
        {isGoing ? (
          <progress
            aria-label={t('upload.progressOf', { name: file.name })}
            max={100}
            value={percent}
            className="progress-bar"
          />
        ) : null}
        <div aria-live="polite" className="text-sm">
          {refusal === undefined ? null : <FieldError>{refusal}</FieldError>}
          {duplicate === undefined ? null : t('upload.twin')}
        </div>
        {duplicate === undefined ? null : (
          <div className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            <LinkButton onClick={onTake}>{t('upload.useTwin')}</LinkButton>
            <LinkButton onClick={focusAfterAction(onAnyway)}>{t('upload.anyway')}</LinkButton>
          </div>
        )}
        {refusal !== undefined && !isFinal ? (
          <LinkButton
            className="justify-self-start text-sm"
            icon={<RefreshCw size={14} aria-hidden />}
            onClick={focusAfterAction(onRetry)}
          >
            {t('action.retry')}
          </LinkButton>
        ) : null}
      </div>
      <IconButton
        ref={stopButton}
        label={t(isGoing ? 'upload.cancel' : 'upload.dismiss', { name: file.name })}
        icon={<X size={17} aria-hidden />}
        onClick={onCancel}
      />
    </li>
  )
}

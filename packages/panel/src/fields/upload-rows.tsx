/** The files that are being uploaded, one row each: picture, name, how far it is, and a way to stop or to try again. */
import Image from 'lucide-react/icons/image'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { LinkButton } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import type { PendingFile, Uploads } from './use-uploads.ts'

export function UploadRows({ uploads, onGone }: { uploads: Uploads; onGone: () => void }) {
  if (uploads.files.length === 0) return null
  return (
    <ul className="grid gap-2.5">
      {uploads.files.map((file) => (
        <UploadRow
          key={file.key}
          pending={file}
          onRetry={() => uploads.retry(file)}
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
  pending: PendingFile
  onRetry: () => void
  onCancel: () => void
}

function UploadRow({ pending: { file, preview, percent, refusal, final }, onRetry, onCancel }: UploadRowProps) {
  const t = useT()
  const [broken, setBroken] = useState(false)
  return (
    <li className="flex items-center gap-3">
      <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-2 bg-brand-soft text-on-brand-soft">
        {preview && !broken ? (
          <img src={preview} alt="" onError={() => setBroken(true)} className="size-full object-cover" />
        ) : (
          <Image size={17} aria-hidden />
        )}
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex items-baseline justify-between gap-3 text-sm">
          <bdi dir="ltr" className="truncate">
            {file.name}
          </bdi>
          {refusal === undefined ? (
            <span className="shrink-0 tabular-nums">{t('upload.percent', { percent })}</span>
          ) : null}
        </p>
        {refusal === undefined ? (
          <progress
            aria-label={t('upload.progressOf', { name: file.name })}
            max={100}
            value={percent}
            className="progress-bar"
          />
        ) : null}
        <div aria-live="polite">{refusal === undefined ? null : <FieldError>{refusal}</FieldError>}</div>
        {refusal !== undefined && !final ? (
          <LinkButton
            className="justify-self-start text-sm"
            icon={<RefreshCw size={14} aria-hidden />}
            onClick={onRetry}
          >
            {t('action.retry')}
          </LinkButton>
        ) : null}
      </div>
      <IconButton
        label={t(refusal === undefined ? 'upload.cancel' : 'upload.dismiss', { name: file.name })}
        icon={<X size={17} aria-hidden />}
        onClick={onCancel}
      />
    </li>
  )
}

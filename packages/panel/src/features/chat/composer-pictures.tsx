/** The pictures of a message that is being written: those that are ready, on their way, and those that failed. */
import CircleAlert from 'lucide-react/icons/circle-alert'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { fileAddress } from '../../api/client.ts'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { Attachment } from './chat-data.ts'
import type { Upload } from './use-uploads.ts'

export interface ComposerPicturesProps {
  attachments: readonly Attachment[]
  uploads: readonly Upload[]
  onRetry: (upload: Upload) => void
  onRemoveUpload: (key: string) => void
  onRemove: (url: string) => void
}

export function ComposerPictures({ attachments, uploads, onRetry, onRemoveUpload, onRemove }: ComposerPicturesProps) {
  const t = useT()
  if (attachments.length + uploads.length === 0) return null
  return (
    <ul className="flex max-h-48 flex-wrap gap-2 overflow-y-auto">
      {attachments.map(({ url, name }) => (
        <Row key={url} name={name ?? url} onRemove={() => onRemove(url)}>
          <img src={fileAddress(url)} alt="" className="size-9 rounded-1 object-cover" />
        </Row>
      ))}
      {uploads.map((upload) => (
        <Row
          key={upload.key}
          name={upload.file.name}
          reason={upload.reason}
          onRetry={upload.reason === undefined ? undefined : () => onRetry(upload)}
          onRemove={() => onRemoveUpload(upload.key)}
        >
          <span className="grid size-9 place-items-center text-muted">
            {upload.reason === undefined ? (
              <>
                <Spinner />
                <span className="sr-only">{t('chat.uploading')}</span>
              </>
            ) : (
              <CircleAlert size={18} aria-hidden className="text-danger-text" />
            )}
          </span>
        </Row>
      ))}
    </ul>
  )
}

interface RowProps {
  name: string
  reason?: string | undefined
  onRetry?: (() => void) | undefined
  onRemove: () => void
  children: ReactNode
}

function Row({ name, reason, onRetry, onRemove, children }: RowProps) {
  const t = useT()
  return (
    <li className="flex max-w-full min-w-0 items-center gap-2 rounded-2 border border-line bg-sunken ps-1.5">
      {children}
      <span className="grid max-w-56 min-w-0 text-sm">
        <bdi className="truncate">{name}</bdi>
        {reason ? <span className="text-danger-text">{reason}</span> : null}
      </span>
      {onRetry ? (
        <IconButton label={t('chat.retryFile', { name })} icon={<RotateCw size={16} aria-hidden />} onClick={onRetry} />
      ) : null}
      <IconButton label={t('chat.removeFile', { name })} icon={<X size={16} aria-hidden />} onClick={onRemove} />
    </li>
  )
}

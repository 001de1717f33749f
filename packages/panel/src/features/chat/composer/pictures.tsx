/** The pictures of the message being written: uploaded, in progress, and failed. */
import CircleAlert from 'lucide-react/icons/circle-alert'
import ImageIcon from 'lucide-react/icons/image'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { useT } from '../../../lib/i18n.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { Attachment } from '../chat-data.ts'
import type { Upload } from './uploads.ts'

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
    <ul aria-label={t('chat.pictures')} className="flex max-h-48 flex-wrap gap-2 overflow-y-auto">
      {attachments.map(({ url, name }) => (
        <Row
          key={url}
          name={name ?? url}
          sign={<img src={fileAddress(url)} alt="" className="size-9 rounded-1 object-cover" />}
          onRemove={() => onRemove(url)}
        />
      ))}
      {uploads.map((upload) => {
        const { key, file, percent, reason, isFinal = false } = upload
        const hasFailed = reason !== undefined
        return (
          <Row
            key={key}
            name={file.name}
            sign={
              <span className="grid size-9 place-items-center text-muted">
                {hasFailed ? (
                  <CircleAlert size={18} aria-hidden className="text-danger-text" />
                ) : (
                  <ImageIcon size={17} aria-hidden />
                )}
              </span>
            }
            onRetry={hasFailed && !isFinal ? () => onRetry(upload) : undefined}
            onRemove={() => onRemoveUpload(key)}
          >
            {hasFailed ? (
              <span role="alert" className="text-danger-text">
                {reason}
              </span>
            ) : (
              <progress
                aria-label={t('upload.progressOf', { name: file.name })}
                max={100}
                value={percent}
                className="progress-bar my-1 w-32"
              />
            )}
          </Row>
        )
      })}
    </ul>
  )
}

interface RowProps {
  name: string
  sign: ReactNode
  onRetry?: (() => void) | undefined
  onRemove: () => void
  children?: ReactNode
}

function Row({ name, sign, onRetry, onRemove, children }: RowProps) {
  const t = useT()
  return (
    <li className="flex max-w-full min-w-0 items-center gap-2 rounded-2 border border-line bg-surface ps-1.5">
      {sign}
      <span className="grid max-w-56 min-w-0 text-sm">
        <bdi className="truncate">{name}</bdi>
        {children}
      </span>
      {onRetry ? (
        <IconButton label={t('chat.retryFile', { name })} icon={<RotateCw size={16} aria-hidden />} onClick={onRetry} />
      ) : null}
      <IconButton label={t('chat.removeFile', { name })} icon={<X size={16} aria-hidden />} onClick={onRemove} />
    </li>
  )
}

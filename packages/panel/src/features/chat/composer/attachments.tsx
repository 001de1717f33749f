/** The pictures and documents of the message being written: uploaded, in progress, and failed. */
import { FileKindIcon } from '../../../fields/upload/file-kind.tsx'
import CircleAlert from 'lucide-react/icons/circle-alert'
import ImageIcon from 'lucide-react/icons/image'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { useT } from '../../../lib/i18n.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { type Attachment, isPicture } from '../chat-data.ts'
import type { Upload } from './uploads.ts'

export interface ComposerAttachmentsProps {
  attachments: readonly Attachment[]
  uploads: readonly Upload[]
  onRetry: (upload: Upload) => void
  onRemoveUpload: (key: string) => void
  onRemove: (url: string) => void
}

export function ComposerAttachments(props: ComposerAttachmentsProps) {
  const { attachments, uploads, onRetry, onRemoveUpload, onRemove } = props
  const t = useT()
  if (attachments.length + uploads.length === 0) return null
  return (
    <ul aria-label={t('chat.files')} className="flex max-h-48 flex-wrap gap-2 overflow-y-auto">
      {attachments.map((attachment) => (
        <Row
          key={attachment.url}
          name={attachment.name}
          stateIcon={
            isPicture(attachment) ? (
              <img src={fileAddress(attachment.url)} alt="" className="size-9 rounded-1 object-cover" />
            ) : (
              <span className="grid size-9 place-items-center text-muted">
                <FileKindIcon address={attachment.url} size={18} />
              </span>
            )
          }
          onRemove={() => onRemove(attachment.url)}
        />
      ))}
      {uploads.map((upload) => {
        const { key, file, percent, reason, isFinal = false } = upload
        const hasFailed = reason !== undefined
        return (
          <Row
            key={key}
            name={file.name}
            stateIcon={
              <span className="grid size-9 place-items-center text-muted">
                {hasFailed ? (
                  <CircleAlert size={18} aria-hidden className="text-danger-text" />
                ) : file.type.startsWith('image/') ? (
                  <ImageIcon size={17} aria-hidden />
                ) : (
                  <FileKindIcon address={file.name} size={18} />
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
  stateIcon: ReactNode
  onRetry?: (() => void) | undefined
  onRemove: () => void
  children?: ReactNode
}

function Row({ name, stateIcon: sign, onRetry, onRemove, children }: RowProps) {
  const t = useT()
  return (
    <li className="flex max-w-full min-w-0 items-center gap-2 rounded-2 border border-line bg-surface ps-1.5">
      {sign}
      <span className="grid max-w-56 min-w-0 py-1.5 text-sm leading-snug">
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

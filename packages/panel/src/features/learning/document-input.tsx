/** The file of an attachment: a picture as in other forms, or a document that is uploaded in pieces. */
import type { Entry, FileRecord } from '@dala/model'
import FileText from 'lucide-react/icons/file-text'
import Trash2 from 'lucide-react/icons/trash-2'
import { FieldInput, type FieldInputProps } from '../../fields/field-input.tsx'
import { addressOf, fileNameOf, isUpload } from '../../fields/picture/picture-value.ts'
import { formatBytes } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import type { FormSlotProps } from '../../resource/screen-parts.ts'
import { Button } from '../../ui/button.tsx'
import { startResumable, type StartResumable } from '../../fields/upload/resumable.ts'
import { ResumableFile } from './lesson/files/resumable-file.tsx'

const isPicture = ({ mime }: Entry) => typeof mime !== 'string' || mime.startsWith('image/')

const entryOf = (record: FileRecord): Entry => ({ ...record })

export function DocumentInput({
  start = startResumable,
  ...props
}: FieldInputProps & FormSlotProps & { start?: StartResumable }) {
  const t = useT()
  const locale = useLocale()
  const { value, onChange } = props
  const document = isUpload(value) && !isPicture(value) ? value : undefined
  const size = typeof document?.['size'] === 'number' ? document['size'] * 1_000 : 0
  return (
    <div className="grid gap-3">
      {document ? (
        <p className="flex flex-wrap items-center gap-2">
          <FileText size={18} aria-hidden className="text-muted" />
          <a href={addressOf(document)} download className="min-w-0 truncate text-link underline">
            <bdi>{fileNameOf(document)}</bdi>
          </a>
          <span className="text-sm text-muted">{formatBytes(t, locale, size)}</span>
        </p>
      ) : (
        <FieldInput {...props} />
      )}
      <ResumableFile
        start={start}
        purpose="document"
        label={t(document ? 'lessonFile.replaceDocument' : 'lessonFile.chooseDocument')}
        hint={t('lessonFile.documentHint')}
        onStored={(record) => onChange(entryOf(record))}
        actions={
          document ? (
            <Button kind="quiet" icon={<Trash2 size={17} aria-hidden />} onClick={() => onChange(null)}>
              {t('lessonFile.removeDocument')}
            </Button>
          ) : null
        }
      />
    </div>
  )
}

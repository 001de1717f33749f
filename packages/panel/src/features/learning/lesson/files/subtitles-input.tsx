/** The subtitles of a lesson in one language: an uploaded file in the format WebVTT. */
import Trash2 from 'lucide-react/icons/trash-2'
import type { FieldInputProps } from '../../../../fields/field-input.tsx'
import { useT } from '../../../../lib/i18n.ts'
import type { FormSlotProps } from '../../../../resource/screen-parts.ts'
import { Button } from '../../../../ui/button.tsx'
import { startResumable, type StartResumable } from '../../../../fields/upload/resumable.ts'
import { ResumableFile } from './resumable-file.tsx'

export function SubtitlesInput({
  value,
  onChange,
  record,
  language,
  start = startResumable,
}: FieldInputProps & FormSlotProps & { start?: StartResumable }) {
  const t = useT()
  const address = typeof value === 'string' ? value : ''
  return (
    <div className="grid gap-2">
      {address === '' ? null : (
        <p>
          <a href={address} download className="text-link underline">
            {t('lessonFile.openSubtitles')}
          </a>
        </p>
      )}
      <ResumableFile
        start={start}
        purpose="subtitles"
        label={t(address === '' ? 'lessonFile.chooseSubtitles' : 'lessonFile.replaceSubtitles')}
        hint={t('lessonFile.subtitlesHint')}
        onStored={({ url }) => onChange(url)}
        target={record ? { lesson: record.id, language } : undefined}
        actions={
          address === '' ? null : (
            <Button kind="quiet" icon={<Trash2 size={17} aria-hidden />} onClick={() => onChange('')}>
              {t('lessonFile.removeSubtitles')}
            </Button>
          )
        }
      />
    </div>
  )
}

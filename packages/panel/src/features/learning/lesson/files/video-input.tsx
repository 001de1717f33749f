/**
 * The video of a lesson: an uploaded file with a poster and a smaller file for weak connections, a link, or
 * none.
 */
import type { Entry, FileRecord } from '@dala/model'
import ImageIcon from 'lucide-react/icons/image'
import Trash2 from 'lucide-react/icons/trash-2'
import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { uploadFile } from '../../../../api/upload-file.ts'
import type { FieldInputProps } from '../../../../fields/field-input.tsx'
import { failureText } from '../../../../fields/upload/use-uploads.ts'
import { formatBytes } from '../../../../lib/format.ts'
import { useLocale, useT } from '../../../../lib/i18n.ts'
import type { FormSlotProps } from '../../../../resource/screen-parts.ts'
import { Button } from '../../../../ui/button.tsx'
import { FieldError } from '../../../../ui/inputs/field.tsx'
import { SegmentedControl } from '../../../../ui/inputs/segmented.tsx'
import { durationText, minutesOf } from '../../lengths.ts'
import { startResumable, type StartResumable, type UploadTarget } from '../../../../fields/upload/resumable.ts'
import { ResumableFile } from './resumable-file.tsx'
import { frameOf } from './poster.ts'
import { type OwnVideo, ownVideoOf } from './own-video.ts'
import { useUnfinishedUploads } from './unfinished.ts'
import type { RememberedUploads } from './use-resumable.ts'
import { courseOf } from '../lesson-overview.tsx'

type State = 'file' | 'link' | 'none'

/** Values of a stored lesson video that the form holds until it is saved. */
const valuesOf = ({ url, video }: FileRecord, formerVideo: OwnVideo | undefined) => ({
  ...formerVideo,
  file: url ?? '',
  duration_s: video?.duration_s ?? null,
  width: video?.width ?? null,
  height: video?.height ?? null,
  size: video?.size ?? null,
})

export function VideoInput({
  value,
  values,
  onChange,
  form,
  record,
  language,
  start = startResumable,
}: FieldInputProps & FormSlotProps & { start?: StartResumable }) {
  const t = useT()
  const texts = useWatch({ control: form.form.control, name: 'texts' })
  const link = texts[language]?.['videourl'] ?? values?.['videourl']
  const video = ownVideoOf(value)
  const [chosenState, choose] = useState<State | undefined>()
  const rememberedUploads = useRemembered(record)
  const hasStopped = rememberedUploads?.all.uploads.some(({ lesson }) => lesson === record?.id) ?? false
  const state = chosenState ?? (video || hasStopped ? 'file' : link ? 'link' : 'none')
  const target = record ? { lesson: record.id, language } : undefined
  const [hasLateIndex, setLateIndex] = useState(false)
  const select = (newState: State) => {
    choose(newState)
    if (newState !== 'file' && video) onChange(null)
  }
  const takeFile = (record: FileRecord) => {
    setLateIndex(record.video?.warning === 'video.index-at-end')
    choose(undefined)
    onChange(valuesOf(record, video))
  }
  return (
    <div className="grid gap-3">
      <SegmentedControl
        label={t('field.video')}
        value={state}
        onValueChange={select}
        segments={[
          { value: 'file', label: t('lessonFile.file') },
          { value: 'link', label: t('lessonFile.link') },
          { value: 'none', label: t('lessonFile.none') },
        ]}
        className="justify-self-start"
      />
      {state === 'link' ? <p className="text-sm text-muted">{t('lessonFile.linkHint')}</p> : null}
      {state === 'file' ? (
        <>
          {video ? <StoredVideo video={video} start={start} target={target} onChange={onChange} /> : null}
          {link ? <p className="text-sm text-warning-text">{t('lessonFile.linkWins')}</p> : null}
          {hasLateIndex ? (
            <p role="alert" className="text-sm text-warning-text">
              {t('lessonFile.lateIndex')}
            </p>
          ) : null}
          <ResumableFile
            start={start}
            purpose="lesson_video"
            label={t(video ? 'lessonFile.replaceVideo' : 'lessonFile.chooseVideo')}
            hint={t('lessonFile.videoHint')}
            onStart={() => choose('file')}
            onStored={takeFile}
            rememberedUploads={rememberedUploads}
            target={target}
            actions={
              video ? (
                <Button kind="quiet" icon={<Trash2 size={17} aria-hidden />} onClick={() => select('none')}>
                  {t('lessonFile.removeVideo')}
                </Button>
              ) : null
            }
          />
        </>
      ) : null}
    </div>
  )
}

/** Returns the list that remembers stopped uploads of a stored lesson's video. */
function useRemembered(record: Entry | null): RememberedUploads | undefined {
  const allUploads = useUnfinishedUploads()
  const course = record && courseOf(record)
  if (!course) return undefined
  const title = typeof record.title === 'string' ? record.title : ''
  const uploadTarget = { course: course.id, lesson: record.id, title, purpose: 'lesson_video' }
  return { place: uploadTarget, all: allUploads }
}

interface StoredVideoProps {
  video: OwnVideo
  start: StartResumable
  target: UploadTarget | undefined
  onChange: (value: unknown) => void
}

function StoredVideo({ video, start, target, onChange }: StoredVideoProps) {
  const t = useT()
  const locale = useLocale()
  const element = useRef<HTMLVideoElement>(null)
  const [isTaking, setTaking] = useState(false)
  const [refusal, setRefusal] = useState<string | undefined>()
  const { file, small, poster, duration_s: seconds, width, height, size } = video
  const details = [
    seconds ? durationText(t, minutesOf(seconds)) : '',
    width && height ? `${width} × ${height}` : '',
    size ? formatBytes(t, locale, size) : '',
  ]
  const takePoster = async () => {
    setTaking(true)
    setRefusal(undefined)
    try {
      const picture = element.current ? await frameOf(element.current, 'poster.jpg') : undefined
      if (!picture) return setRefusal(t('lessonFile.noFrame'))
      const { url } = await uploadFile(picture, { signal: new AbortController().signal, onProgress: () => {} })
      onChange({ ...video, poster: url })
    } catch (error) {
      setRefusal(failureText(error))
    } finally {
      setTaking(false)
    }
  }
  return (
    <div className="grid gap-2">
      <video
        ref={element}
        key={file}
        controls
        muted
        preload="metadata"
        src={file}
        {...(poster && { poster })}
        aria-label={t('video.preview')}
        className="aspect-video w-full max-w-xl rounded-2 border border-line bg-sunken"
      />
      <p className="text-sm text-muted tabular-nums">{details.filter(Boolean).join(' · ')}</p>
      <div className="flex flex-wrap gap-2">
        <Button icon={<ImageIcon size={17} aria-hidden />} isBusy={isTaking} onClick={() => void takePoster()}>
          {t('lessonFile.takePoster')}
        </Button>
        {poster ? (
          <Button kind="quiet" onClick={() => onChange({ ...video, poster: null })}>
            {t('lessonFile.removePoster')}
          </Button>
        ) : null}
      </div>
      <div aria-live="polite" className="empty:hidden">
        {refusal === undefined ? null : <FieldError>{refusal}</FieldError>}
      </div>
      <ResumableFile
        start={start}
        purpose="lesson_video_small"
        label={t(small ? 'lessonFile.replaceSmall' : 'lessonFile.chooseSmall')}
        hint={t(small ? 'lessonFile.hasSmall' : 'lessonFile.smallHint')}
        onStored={({ url }) => onChange({ ...video, small: url })}
        target={target}
        actions={
          small ? (
            <Button kind="quiet" onClick={() => onChange({ ...video, small: null })}>
              {t('lessonFile.removeSmall')}
            </Button>
          ) : null
        }
      />
    </div>
  )
}

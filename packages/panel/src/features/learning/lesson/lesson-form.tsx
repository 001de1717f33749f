/** The form of a lesson: one body for a single lesson, an editor of parts for several. */
import type { Entry } from '@dala/model'
import { Suspense } from 'react'
import { useWatch } from 'react-hook-form'
import { FieldInput, type FieldInputProps } from '../../../fields/field-input.tsx'
import { useT } from '../../../lib/i18n.ts'
import type { FormSlotProps, FormSlots } from '../../../resource/screen-parts.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { listAddress, recordAddress } from '../../../resource/screen-address.ts'
import { courseOf } from './lesson-overview.tsx'
import { LinkCheck } from './link-check.tsx'
import { PartsInput } from './parts-input.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { courseScreen, lessonScreen } from '../screens.ts'
import { ToCourse } from '../to-course.tsx'

/** Address to open when a lesson or a group was deleted: the outline of its course. */
export function courseHome(record: Entry): string {
  const course = courseOf(record)
  return course ? recordAddress(courseScreen, course.id).to : listAddress(lessonScreen).to
}

const VideoInput = lazyPart(async () => (await import('./files/video-input.tsx')).VideoInput)
const SubtitlesInput = lazyPart(async () => (await import('./files/subtitles-input.tsx')).SubtitlesInput)

/** Placeholder of the file inputs, which are loaded together with the library of resumable uploads. */
const placeholder = <Skeleton className="h-24 w-full" />

export const lessonForm: FormSlots = {
  inputs: {
    parts: PartsInput,
    kind: KindInput,
    video: (props) => (
      <Suspense fallback={placeholder}>
        <VideoInput {...props} />
      </Suspense>
    ),
    videourl: (props) => (
      <>
        <FieldInput {...props} />
        <LinkCheck lesson={props.record?.id} address={props.value} />
      </>
    ),
    subtitles: (props) => (
      <Suspense fallback={placeholder}>
        <SubtitlesInput {...props} />
      </Suspense>
    ),
  },
  isShown: (name, values) =>
    name === 'parts'
      ? values['kind'] === 'multi'
      : ['content', 'video', 'videourl', 'subtitles'].includes(name)
        ? values['kind'] !== 'multi'
        : true,
  homeOf: courseHome,
  Actions: ToCourse,
}

/** Input for the kind of a lesson: explains why a lesson of several parts cannot become a single one yet. */
function KindInput(props: FieldInputProps & FormSlotProps) {
  const t = useT()
  const texts = useWatch({ control: props.form.form.control, name: 'texts' })
  const maxPosition = Math.max(
    0,
    ...Object.values(texts).map((values) => (Array.isArray(values?.['parts']) ? values['parts'].length : 0)),
  )
  const isRefused = props.value === 'single' && maxPosition > 1
  return (
    <>
      <FieldInput {...props} />
      {isRefused ? (
        <p role="alert" className="text-sm text-warning-text">
          {t('learning.toSingle')}
        </p>
      ) : null}
    </>
  )
}

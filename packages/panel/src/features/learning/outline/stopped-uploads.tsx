/** Uploads of the lessons of a course that stopped, each with a link to its lesson. */
import { Link } from '@tanstack/react-router'
import CloudUpload from 'lucide-react/icons/cloud-upload'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { type UnfinishedUpload, useSentPercent, useUnfinishedUploads } from '../lesson/files/unfinished.ts'
import { lessonInCourse } from '../screens.ts'

interface StoppedUploadsProps {
  course: number
  /** Id of the open lesson, which shows its own stopped upload. */
  current: number | undefined
}

export function StoppedUploads({ course, current }: StoppedUploadsProps) {
  const { uploads } = useUnfinishedUploads()
  return uploads
    .filter((upload) => upload.course === course && upload.lesson !== current)
    .map((upload) => <StoppedLine key={upload.url} upload={upload} />)
}

function StoppedLine({ upload }: { upload: UnfinishedUpload }) {
  const t = useT()
  const locale = useLocale()
  const percent = useSentPercent(upload)
  const { course, lesson, name, title } = upload
  if (percent === null) return null
  return (
    <Link
      {...lessonInCourse(course, lesson, locale)}
      className="flex min-h-9 items-center gap-2 border-t border-line bg-warning-soft px-4 py-1.5 text-sm text-warning-text hover:underline max-md:px-3 pointer-coarse:min-h-11"
    >
      <CloudUpload size={16} aria-hidden className="shrink-0" />
      <span className="wrap-anywhere">
        {`${title}: `}
        {percent === undefined ? t('lessonFile.stopped', { name }) : t('lessonFile.stoppedAt', { name, percent })}
      </span>
    </Link>
  )
}

/** The list of courses: content of a card in the picture views. */
import { type Entry, type Locale, resources, type Screen } from '@dala/model'
import GraduationCap from 'lucide-react/icons/graduation-cap'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CoverPicture } from '../../fields/picture/cover.tsx'
import { FieldDisplay, useTitleOf } from '../../fields/field-display.tsx'
import { pictureOf } from '../../fields/picture/picture.ts'
import { cx } from '../../lib/class-names.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { languagesOf, outdatedLocalesOf } from '../../resource/entry-languages.ts'
import { recordAddress } from '../../resource/screen-address.ts'
import type { ListSlots } from '../../resource/screen-parts.ts'
import { LanguageCoverage } from '../../ui/language-coverage.tsx'
import { languageOfEntry } from './lesson/texts.ts'
import { durationText } from './lengths.ts'

export const coursesList: ListSlots = { Card: CourseCard }

interface CardProps {
  screen: Screen
  entry: Entry
  language: Locale
  mode: 'thumb' | 'image'
  menu: ReactNode
}

function CourseCard({ screen, entry, language, mode, menu }: CardProps) {
  const t = useT()
  const reader = useLocale()
  const titleOf = useTitleOf(resources.courses)
  const isImage = mode === 'image'
  const { to, search } = recordAddress(screen, entry.id)
  const value = (name: string) => <FieldDisplay resource={resources.courses} name={name} value={entry[name]} />
  return (
    <div className={cx('flex min-w-0 gap-3 p-3', isImage && 'flex-col')}>
      <CoursePicture image={entry.image} isLarge={isImage} />
      <div className="grid min-w-0 flex-1 content-start gap-1.5">
        <div className="flex items-start justify-between gap-2">
          <Link
            to={to}
            search={language === reader ? search : { ...search, lang: language }}
            lang={languageOfEntry(entry)}
            className="line-clamp-2 inline-flex min-h-6 font-semibold wrap-anywhere hover:text-brand-text pointer-coarse:min-h-11"
          >
            {titleOf(entry)}
          </Link>
          {menu}
        </div>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          {entry.coursecategory ? <span>{value('coursecategory')}</span> : null}
          {entry.coursetype ? <span>{value('coursetype')}</span> : null}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
          <span>{t('learning.lessonCount', { count: Number(entry.lesson_count ?? 0) })}</span>
          <span>{durationText(t, Number(entry.duration_minutes ?? 0))}</span>
        </p>
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 text-sm">
          {value('state')}
          <LanguageCoverage availableLocales={languagesOf(entry)} outdated={outdatedLocalesOf(entry)} />
        </p>
      </div>
    </div>
  )
}

/** Cover of a course, or the icon of the courses if the course has no cover. */
export function CoursePicture({ image, isLarge = false }: { image: unknown; isLarge?: boolean }) {
  const frame = isLarge ? 'aspect-[4/3] w-full' : 'size-14'
  if (pictureOf(image))
    return (
      <CoverPicture file={image} width={isLarge ? 360 : 56} className={cx(frame, 'shrink-0 rounded-2 bg-sunken')} />
    )
  return (
    <span aria-hidden className={cx(frame, 'grid shrink-0 place-items-center rounded-2 bg-sunken text-muted')}>
      <GraduationCap size={isLarge ? 40 : 24} strokeWidth={1.5} />
    </span>
  )
}

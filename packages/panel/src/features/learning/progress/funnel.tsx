/** Table of a course's lessons in order, with the numbers of learners who started and completed each. */
import type { CourseStatistics } from '@dala/model/api/progress'
import { Link } from '@tanstack/react-router'
import { cx } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { recordAddress } from '../../../resource/screen-address.ts'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { lessonScreen } from '../screens.ts'
import { ShareBar } from './share-bar.tsx'

const cell = 'border-t border-line px-2.5 py-2 align-top first:ps-0 last:pe-0'
const headCellClass = 'px-2.5 pb-2 text-sm font-medium text-muted first:ps-0 last:pe-0'

export function LearnerFunnel({ figures: { funnel, started } }: { figures: CourseStatistics }) {
  const t = useT()
  const title = t('learning.funnel')
  return (
    <Sheet hasPadding className="min-w-0" aria-label={title}>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mb-3 text-sm text-muted">{t('learning.funnel.about')}</p>
      <ScrollRegion aria-label={title} className="max-h-[420px] overflow-auto">
        <table className="w-full border-separate border-spacing-0">
          <thead>
            <tr>
              <th scope="col" className={cx(headCellClass, 'text-start')}>
                {t('lessons.one')}
              </th>
              <th scope="col" className={cx(headCellClass, 'w-[26%] text-end')}>
                {t('learning.figures.started')}
              </th>
              <th scope="col" className={cx(headCellClass, 'w-[26%] text-end')}>
                {t('learning.figures.completed')}
              </th>
            </tr>
          </thead>
          <tbody>
            {funnel.map((lesson) => (
              <tr key={lesson.id}>
                <th scope="row" className={cx(cell, 'text-start font-normal wrap-anywhere')}>
                  <Link
                    {...recordAddress(lessonScreen, lesson.id)}
                    className="inline-flex min-h-6 items-center hover:text-brand-text hover:underline pointer-coarse:min-h-11"
                  >
                    {lesson.title}
                  </Link>
                </th>
                <Count value={lesson.started} max={started} />
                <Count value={lesson.completed} max={started} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Sheet>
  )
}

function Count({ value, max }: { value: number; max: number }) {
  const locale = useLocale()
  return (
    <td className={cx(cell, 'text-end tabular-nums')}>
      {formatNumber(locale, value)}
      <ShareBar value={value} max={max} className="mt-1" />
    </td>
  )
}

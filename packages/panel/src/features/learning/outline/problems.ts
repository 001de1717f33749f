/** The problems of a lesson as a text: each with the languages that have it. */
import { localeNames } from '@dala/model'
import type { OutlineLesson } from '@dala/model/api/learning'
import { formatList, type Translate } from '../../../lib/format.ts'

const labels = {
  'lesson.empty': 'learning.lessonEmpty',
  'lesson.video-unreachable': 'learning.videoUnreachable',
} as const
const codes = ['lesson.empty', 'lesson.video-unreachable'] as const

/**
 * Describes the problems of a lesson.
 *
 * @param t - The translations.
 * @param problems - The problems; without any, the text is empty.
 */
export function problemsText(t: Translate, problems: OutlineLesson['problems']): string {
  const texts = codes.flatMap((code) => {
    const languages = problems.filter((problem) => problem.code === code).map(({ locale }) => localeNames[locale])
    return languages.length > 0 ? [t(labels[code], { languages: formatList(t, languages) })] : []
  })
  return texts.join('; ')
}

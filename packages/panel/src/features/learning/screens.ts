/** The screens of courses, lessons and lesson groups, for links between them. */
import { type Locale, type Resource, resources, type Screen, screensOf } from '@dala/model'
import { useLocale } from '../../lib/i18n.ts'
import { type Address, recordAddress } from '../../resource/screen-address.ts'

function screenOf(resource: Resource): Screen {
  const [screen] = screensOf(resource)
  if (!screen) throw new Error(`${resource.name} has no screen`)
  return screen
}

export const courseScreen = screenOf(resources.courses)
export const lessonScreen = screenOf(resources.lessons)
export const groupScreen = screenOf(resources.lessongroups)

/** Screen with the list of one course's lessons (requirements §2). */
export const lessonsAddress = (course: number): string => `/app/${lessonScreen.path}/${course}`

/** Page with the progress of the learners of a course. */
export const progressAddress = (course: number): string => `/app/${courseScreen.path}/progress/${course}`
/**
 * Search parameters of a course's page: the lesson or group that is open beside the outline, and its
 * language.
 */
export const paneKeys = { lesson: 'lesson', group: 'group', language: 'text' } as const

/** Address of a lesson beside the outline of its course. */
export const lessonInCourse = (course: number, lesson: number, language: Locale): Address => ({
  to: recordAddress(courseScreen, course).to,
  search: { [paneKeys.lesson]: String(lesson), [paneKeys.language]: language },
})

/** Returns the address of lessons in a language; the user's own language needs no parameter. */
export function useLessonAddress(language: Locale): (id: number) => Address {
  const reader = useLocale()
  return (id) => {
    const { to, search } = recordAddress(lessonScreen, id)
    return { to, search: language === reader ? search : { ...search, lang: language } }
  }
}

/** A course with two lessons, in an application that stores files, for tests of its checks. */
import type { CourseCheck } from '@dala/model/api/learning'
import type { Locale, RoleType } from '@dala/model'
import { buildRecord, buildTranslation } from './factories.ts'
import type { UploadApp } from './upload-app.ts'

interface Answer {
  status: number
  body: unknown
}

export interface CourseWorld {
  course: number
  /** Ids of the first lesson in English and in Russian, and of the second one. */
  firstLesson: number
  russian: number
  secondLesson: number
  ask: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, data?: object, role?: RoleType) => Promise<Answer>
  /** Stores values of a lesson; throws when they are refused. */
  put: (lesson: number, values: object) => Promise<void>
  checkCourse: () => Promise<CourseCheck>
  publishCourse: (languages: readonly Locale[]) => Promise<Answer>
}

/** Creates the course of a test world. */
export async function buildCourseWorld({ app, database, headersOf }: UploadApp): Promise<CourseWorld> {
  const course = await buildRecord(database, 'courses', { title: 'Course' })
  await buildTranslation(database, 'courses', course, 'ru', { title: 'Курс' })
  const firstLesson = await buildRecord(database, 'lessons', {
    title: 'First',
    course,
    position: 1,
    content: '<p>one</p>',
  })
  const russian = await buildTranslation(database, 'lessons', firstLesson, 'ru', {
    title: 'Первый',
    content: '<p>один</p>',
  })
  const secondLesson = await buildRecord(database, 'lessons', {
    title: 'Second',
    course,
    position: 2,
    content: '<p>two</p>',
  })

  const ask: CourseWorld['ask'] = async (method, url, data, role = 'admin') => {
    const payload = data && { payload: { data } }
    const answer = await app.inject({ method, url: `/api${url}`, headers: headersOf(role), ...payload })
    return { status: answer.statusCode, body: answer.json<unknown>() }
  }
  return {
    course,
    firstLesson,
    russian,
    secondLesson,
    ask,
    put: async (lesson, values) => {
      const { status, body } = await ask('PUT', `/lessons/${lesson}`, values)
      if (status !== 200) throw new Error(`The lesson was refused: ${JSON.stringify(body)}`)
    },
    checkCourse: async () => ((await ask('GET', `/courses/${course}/check`)).body as { data: CourseCheck }).data,
    publishCourse: async (languages) => {
      const { body } = await ask('GET', `/courses/${course}`)
      const { version } = (body as { data: { attributes: { version: number } } }).data.attributes
      return ask('POST', `/courses/${course}/publish`, { version, locales: languages })
    },
  }
}

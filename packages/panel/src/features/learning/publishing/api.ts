/** Calls that check, compare, publish and discard a course (e-learning §5). */
import { type Entry, type Locale, resources } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { callRoute } from '../../../api/route.ts'

const keyOf = (course: number, queryName: string) => [...resourceQueries(resources.courses).all, queryName, course]

/** Query of the readiness of a course by language. */
export const checkQuery = (course: number) =>
  queryOptions({
    queryKey: keyOf(course, 'check'),
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/courses/:id/check', { params: { id: course }, signal })).data,
    meta: { inPlace: true },
  })

/** Query of the differences between the draft of a course and its publication. */
export const diffQuery = (course: number) =>
  queryOptions({
    queryKey: keyOf(course, 'diff'),
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/courses/:id/diff', { params: { id: course }, signal })).data,
    meta: { inPlace: true },
  })

/** Version of a course in the format that calls of the API require. */
const versionOf = ({ version }: Entry) => Number(version)

export const publishCourse = (course: Entry, languages: Locale[]) =>
  callRoute('POST /api/courses/:id/publish', {
    params: { id: course.id },
    body: { data: { locales: languages, version: versionOf(course) } },
  })

export const discardDraft = (course: Entry) =>
  callRoute('POST /api/courses/:id/discard', {
    params: { id: course.id },
    body: { data: { version: versionOf(course) } },
  })

export const duplicateCourse = (course: Entry) =>
  callRoute('POST /api/courses/:id/duplicate', { params: { id: course.id } })

export const duplicateLesson = (lesson: number) =>
  callRoute('POST /api/lessons/:id/duplicate', { params: { id: lesson } })

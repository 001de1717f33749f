/** Calls that read and store the progress of a learner (e-learning §5). */
import { type Locale, resources, type WrittenLocale } from '@dala/model'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../../../api/api-error.ts'
import { resourceQueries } from '../../../../api/resource-queries.ts'
import { callFile, callRoute } from '../../../../api/route.ts'
import { loadDrafts } from '../../../../lib/drafts/draft-store.ts'
import { fileOf, saveFile } from '../../../../resource/list/file.ts'
import { readPendingProgress, removePending } from './pending.ts'

/** Query of the learner's own progress in a course; its ids are those of the outline in the same language. */
export const progressQuery = (course: number, locale: Locale) =>
  queryOptions({
    queryKey: [...resourceQueries(resources.courses).all, 'progress', course, locale],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/courses/:id/progress', { params: { id: course }, query: { locale }, signal })).data,
    meta: { inPlace: true },
  })

/** Query of the outline as learners would see it after a publication. */
export const previewOutlineQuery = (course: number, locale: Locale) =>
  queryOptions({
    queryKey: [...resourceQueries(resources.courses).all, 'preview-outline', course, locale],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/courses/:id/preview', { params: { id: course }, query: { locale }, signal })).data
        .outline,
    meta: { inPlace: true },
  })

/** Downloads the certificate of a completed course. */
export const saveCertificate = async (course: number, locale: WrittenLocale): Promise<void> =>
  saveFile(await callFile('GET /api/courses/:id/certificate', { params: { id: course }, query: { locale } }, fileOf))

/** Whether a repetition of a failed call may succeed later. */
const isTemporary = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status === 0 ||
  error.status === 401 ||
  error.status === 429 ||
  error.status >= 500

/**
 * Outcome of sending progress: whether the server has everything, and whether something has changed there.
 */
export interface SentProgress {
  isComplete: boolean
  hasChanged: boolean
}

/**
 * Sends the unconfirmed progress of an account, the latest first. Progress that the server refuses for good
 * is dropped.
 *
 * @param user - The account.
 * @param keepalive - The page is being left: the calls outlive it.
 */
export async function sendUnconfirmedProgress(user: number, keepalive = false): Promise<SentProgress> {
  await loadDrafts()
  const list = readPendingProgress(user).toReversed()
  let hasChanged = false
  for (const pendingProgress of list) {
    const { lesson, watched, ...otherFields } = pendingProgress
    const data = {
      ...otherFields,
      ...(watched && {
        watched: watched.map(([intervalStart, intervalEnd]): [number, number] => [intervalStart, intervalEnd]),
      }),
    }
    try {
      const answer = await callRoute('POST /api/lessons/:id/progress', {
        params: { id: lesson },
        body: { data },
        keepalive,
      })
      hasChanged = true
      // The server ignores watched time that is impossible so soon, and accepts the same progress later.
      if (answer.data.ignored === 0 || !watched) removePending(user, pendingProgress)
    } catch (error) {
      if (isTemporary(error)) return { isComplete: false, hasChanged }
      removePending(user, pendingProgress)
    }
  }
  return { isComplete: true, hasChanged }
}

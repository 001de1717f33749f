/** Rules of courses: the conditions for showing a course to learners (content-model §4). */
import { fault } from '@dala/model'
import { readContent } from '../domain/learning/course-content.ts'
import { publishCourse, setCopiesState } from '../domain/learning/publication.ts'
import { readinessOf } from '../domain/learning/readiness.ts'
import type { Behaviour } from '../resources/write/behaviour.ts'

export const courseBehaviour: Behaviour = {
  async settleValues({ operation, values, valuesBefore, document, isTrusted, isUndo, now, trx }) {
    if (operation === 'remove' || typeof values.state !== 'string' || values.state === valuesBefore?.state)
      return undefined
    const { state } = values
    if (document !== undefined && (isUndo || state !== 'published'))
      trx.beforeCommit(() => setCopiesState(trx, document, state))
    if (state !== 'published') return undefined
    const publication = typeof values.published_at === 'string' ? undefined : { published_at: now }
    // The server checks and chooses the languages of a course itself when it publishes the course.
    if (document === undefined || isTrusted) return publication
    const missingFindings = readinessOf(await readContent(trx, document, 'draft')).flatMap(({ locale, errors }) =>
      errors.flatMap(({ code }) => {
        if (code !== 'course.no-title' && code !== 'course.no-lesson') return []
        return [{ locale, code, what: code === 'course.no-title' ? 'title' : 'lesson' }]
      }),
    )
    if (missingFindings.length > 0) {
      const issues = missingFindings.map(({ locale, code, what }) => {
        return { path: [what === 'title' ? 'title' : 'lessons'], code, params: { locale } }
      })
      const details = { missing: missingFindings.map(({ locale, what }) => ({ locale, what })) }
      throw fault('course.not-ready', { params: { count: missingFindings.length }, issues, details })
    }
    if (!isUndo) trx.beforeCommit(() => publishCourse(trx, document))
    return publication
  },
}

/** Seeds sample courses with groups and lessons, and further reading for them. */
import { sql } from '../db/sql.ts'
import { publishCourse } from '../domain/learning/publication.ts'
import { editor } from './accounts.ts'
import additions from './data/additions.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }
import type { Seeder } from './seeder.ts'

/** Days before the seed on which the sample courses were published; they were written a week earlier. */
const publishedBefore = 301

/** A sample course with its groups and lessons. */
export type SampleCourse = (typeof samples.courses)[number]

/** Seeds sample courses, and attachments of the created ones. */
export async function seedLearning(seeder: Seeder): Promise<void> {
  const courseIds = new Map<string, number>()
  for (const [index, course] of samples.courses.entries()) {
    const id = await seedCourse(seeder, course, { order: index + 1, published: publishedBefore })
    if (id !== undefined) courseIds.set(course.slug, id)
  }
  const attachments = additions.attachments.flatMap((attachment) => {
    const course = courseIds.get(attachment.course)
    return course === undefined ? [] : [{ ...attachment, course }]
  })
  await seeder.addAll('attachments', attachments)
}

/**
 * Writes one course with its groups and lessons.
 *
 * @param seeder - The transaction of the part.
 * @param sample - The course.
 * @param place - Its order, and how many days before the seed it was published.
 * @returns The id of the course; undefined when it existed already and stays unchanged.
 */
export async function seedCourse(
  seeder: Seeder,
  sample: SampleCourse,
  { order, published }: { order: number; published: number },
): Promise<number | undefined> {
  const { lessongroups, ...fields } = sample
  const [writtenAt, publishedAt] = [
    seeder.calendar.before(published + 7, '09:00'),
    seeder.calendar.before(published, '09:00'),
  ]
  const publication = fields.state === 'published' ? { published_at: publishedAt } : {}
  const record = { ...fields, ...publication, author: editor, order, createdAt: writtenAt }
  const { id: course, isNew } = await seeder.add('courses', record)
  if (!isNew) return undefined
  for (const { lessons, ...group } of lessongroups) {
    const lessongroup = await seeder.insert('lessongroups', { ...group, course, createdAt: writtenAt })
    for (const lesson of lessons) {
      await seeder.insert('lessons', { ...lesson, course, lessongroup, createdAt: writtenAt })
    }
  }
  if (fields.state === 'published') {
    const [record] = await seeder.trx.query(sql<{ document: number }>`
      select document_id as document from courses_texts where id = ${course}`)
    if (record) await publishCourse(seeder.trx, record.document)
  }
  return course
}

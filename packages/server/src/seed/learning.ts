/** Sample courses with their groups and lessons, and what there is to read besides. */
import { editor } from './accounts.ts'
import additions from './data/additions.json' with { type: 'json' }
import samples from './data/samples.json' with { type: 'json' }
import type { Seeder } from './seeder.ts'

/** Written before they were published: nothing has changed since. */
const writtenAt = '2026-01-15T09:00:00+05:00'
const publishedAt = '2026-01-22T04:00:00.000Z'

type Course = (typeof samples.courses)[number]

/** Courses, and attachments of those made now. */
export async function seedLearning(seeder: Seeder): Promise<void> {
  const made = new Map<string, number>()
  for (const [index, course] of samples.courses.entries()) {
    const id = await seedCourse(seeder, course, index + 1)
    if (id !== undefined) made.set(course.slug, id)
  }
  const attachments = additions.attachments.flatMap((attachment) => {
    const course = made.get(attachment.course)
    return course === undefined ? [] : [{ ...attachment, course }]
  })
  await seeder.addAll('attachments', attachments)
}

/** One course with everything in it; undefined when it was there already, with whatever it holds. */
async function seedCourse(seeder: Seeder, sample: Course, order: number): Promise<number | undefined> {
  const { lessongroups, ...fields } = sample
  const parts = lessongroups.length + lessongroups.flatMap(({ lessons }) => lessons).length
  const published = fields.state === 'published' ? { published_at: publishedAt, published_parts: parts } : {}
  const record = { ...fields, ...published, author: editor, order, createdAt: writtenAt }
  const { id: course, isNew } = await seeder.add('courses', record)
  if (!isNew) return undefined
  for (const { lessons, ...group } of lessongroups) {
    const lessongroup = await seeder.insert('lessongroups', { ...group, course, createdAt: writtenAt })
    for (const lesson of lessons) {
      await seeder.insert('lessons', { ...lesson, course, lessongroup, createdAt: writtenAt })
    }
  }
  return course
}

import { describe, expect, it } from 'vitest'
import { buildRecord, publishCourses } from '../../testing/factories.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const namesById: Record<number, string> = {}
const resourceApp = startResourceApp(async ({ database }) => {
  // Builds hidden courses in the reverse order of their titles, with a published one among them.
  for (const [title, state] of [
    ['C', 'draft'],
    ['B', 'published'],
    ['A', 'draft'],
  ]) {
    const course = await buildRecord(database, 'courses', { title, state, order: 100 - (title ?? '').charCodeAt(0) })
    namesById[await buildRecord(database, 'attachments', { name: `Of ${title}`, course })] = title ?? ''
  }
  await publishCourses(database)
})

const order = async (sort: string, role: 'admin' | 'authenticated') => {
  const { body } = await resourceApp.ask('GET', `/attachments?sort=${sort}`, undefined, role)
  return (body as { data: { id: number }[] }).data.map(({ id }) => namesById[id]).join('')
}

describe('a sort through a link', () => {
  it.each([
    ['course.title', 'ABC', 'BCA'],
    ['course.title:desc', 'CBA', 'CAB'],
    ['course.order', 'CBA', 'BCA'],
    ['course.order:desc', 'ABC', 'CAB'],
  ])(
    'sorts records linked to rows that the caller may not see like records without a link: by %s',
    async (sort, ofAdmin, ofFarmer) => {
      expect([await order(sort, 'admin'), await order(sort, 'authenticated')]).toEqual([ofAdmin, ofFarmer])
    },
  )

  it('sorts by the link itself records linked to rows that the caller may not see like those without', async () => {
    expect([await order('course:desc', 'admin'), await order('course:desc', 'authenticated')]).toEqual(['ABC', 'CAB'])
  })
})

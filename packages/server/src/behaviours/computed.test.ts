import { type Field, resources, type Resource } from '@dala/model'
import { sql } from '../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { buildRecord, buildDistrict, buildUser, nextNumber, buildTranslation } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'
import { computedSql } from './computed.ts'

const resourceApp = startResourceApp()
interface One {
  data: { id: number; attributes: Record<string, unknown> }
}
const attributes = async (path: string) => (await resourceApp.read<One>(path)).data.attributes
const putRecord = async (path: string, data: object) => {
  const { status, body } = await resourceApp.ask('PUT', path, { data })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

const computedFields = Object.values<Resource>(resources).flatMap((resource) =>
  Object.entries<Field>(resource.fields)
    .filter(([, field]) => field.computed)
    .map(([name, field]) => [resource.name, name, resource, field.kind] as const),
)

describe('computed fields', () => {
  it.each(computedFields)(
    'computes the field %s.%s in lists, conditions and sorts',
    async (name, field, resource, kind) => {
      expect(() => computedSql({ resource, document: 'd', text: 't' }, field)).not.toThrow()
      const parameters = kind === 'json' ? '' : `&filters[${field}][$notNull]=true&sort=${field}`
      const url = `/${resource.wire}?fields=${field}${parameters}`
      expect([name, (await resourceApp.ask('GET', url)).status]).toEqual([name, 200])
    },
  )
  it('has no SQL for fields that are not computed', () => {
    expect(() => computedSql({ resource: resources.news, document: 'd', text: 't' }, 'title')).toThrow(
      'Nothing works out',
    )
  })
})

describe('a course', () => {
  const course = async () => {
    const id = await buildRecord(resourceApp.database, 'courses', { title: 'C' })
    const lesson = (draft: object) =>
      buildRecord(resourceApp.database, 'lessons', {
        title: `L ${nextNumber()}`,
        course: id,
        content: '<p>x</p>',
        ...draft,
      })
    return { id, lesson }
  }
  it('sums the duration of a course over its visible lessons', async () => {
    const { id, lesson } = await course()
    expect(await attributes(`/courses/${id}`)).toMatchObject({ duration_minutes: 0, changed_since_publish: false })
    const hiddenGroup = await buildRecord(resourceApp.database, 'lessongroups', {
      title: 'G',
      course: id,
      state: 'hidden',
    })
    await lesson({ duration_minutes: 20 })
    await lesson({ duration_minutes: 5 })
    await lesson({ duration_minutes: 7, state: 'hidden' })
    await lesson({ duration_minutes: 9, lessongroup: hiddenGroup })
    expect(await attributes(`/courses/${id}`)).toMatchObject({ duration_minutes: 25 })
  })
  it.each([
    ['its own text', async (id: number) => putRecord(`/courses/${id}`, { title: 'Other' })],
    [
      'a lesson',
      async (_id: number, firstLessonId: number) => putRecord(`/lessons/${firstLessonId}`, { title: 'Other' }),
    ],
    ['one more lesson', async (id: number) => buildRecord(resourceApp.database, 'lessons', { title: 'N', course: id })],
    [
      'one lesson less',
      async (_id: number, firstLessonId: number) => resourceApp.ask('DELETE', `/lessons/${firstLessonId}?locale=all`),
    ],
    ['a group', async (id: number) => buildRecord(resourceApp.database, 'lessongroups', { title: 'G', course: id })],
    [
      'a language of a lesson',
      async (_id: number, firstLessonId: number) =>
        buildTranslation(resourceApp.database, 'lessons', firstLessonId, 'ru', { title: 'У' }),
    ],
  ])('shows for a published course that %s changed since it was published', async (_what, change) => {
    const { id, lesson } = await course()
    const firstLesson = await lesson({})
    await lesson({})
    await putRecord(`/courses/${id}`, { state: 'published' })
    expect((await attributes(`/courses/${id}`)).changed_since_publish).toBe(false)
    await change(id, firstLesson)
    expect((await attributes(`/courses/${id}`)).changed_since_publish).toBe(true)
    await putRecord(`/courses/${id}`, { state: 'draft' })
    expect((await attributes(`/courses/${id}`)).changed_since_publish).toBe(false)
    await resourceApp.ask('PUT', `/courses/${id}`, { data: { state: 'published' } })
    expect((await attributes(`/courses/${id}`)).changed_since_publish).toBe(false)
  })
})

describe('a price date', () => {
  it('counts the cells of a price date, and expects those of the published day before', async () => {
    const unit = await buildRecord(resourceApp.database, 'units', { name: { en: 'kg' }, factor: 1 })
    const [product, otherProduct] = [
      await buildRecord(resourceApp.database, 'products', { name: 'P', unit }),
      await buildRecord(resourceApp.database, 'products', { name: 'Q', unit }),
    ]
    const district = await buildDistrict(resourceApp.database)
    const [earlierDay, day, laterDay] = await Promise.all(
      ['2026-02-01', '2026-02-02', '2026-02-03'].map((date) =>
        buildRecord(resourceApp.database, 'pricedates', { date }),
      ),
    )
    const cell = (pricedate: number | undefined, draft: object) =>
      buildRecord(resourceApp.database, 'pricelists', { pricedate, product, district, unit, price: 10, ...draft })
    await cell(earlierDay, {})
    await cell(earlierDay, { product: otherProduct })
    await cell(day, { state: 'check' })
    await cell(day, { market_type: 'wholesale', origin: 'carried' })
    await cell(day, { product: otherProduct, market_type: 'wholesale', price: null })
    const readCoverage = async (id: number | undefined) => (await attributes(`/pricedates/${id}`)).coverage
    expect(await readCoverage(laterDay)).toEqual({ expected: 0, filled: 0, carried: 0, flagged: 0 })
    expect(await readCoverage(day)).toEqual({ expected: 3, filled: 1, carried: 1, flagged: 1 })
    await resourceApp.database.query(sql`update pricedates set state = 'published' where id = ${earlierDay}`)
    expect(await readCoverage(day)).toEqual({ expected: 4, filled: 1, carried: 1, flagged: 1 })
  })
})

describe('a report', () => {
  it("shows the time of a report's change under both names", async () => {
    const id = await buildRecord(resourceApp.database, 'statistics', { key: 'overview', title: { en: 'O' } })
    const shownStatistics = await attributes(`/statistics/${id}`)
    expect(shownStatistics.updated_at).toBe(shownStatistics.updatedAt)
  })
})

describe('a consultation', () => {
  const timestampOf = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  it.each([
    ['new', {}],
    ['assigned', { consultant: true }],
    ['answered', { answer: '<p>A</p>', answered_at: timestampOf(1) }],
    ['finished', { answer: '<p>A</p>', answered_at: timestampOf(1), finished_at: timestampOf(2) }],
    ['finished', { finished_at: timestampOf(2), reopened_at: timestampOf(3) }],
    ['reopened', { consultant: true, reopened_at: timestampOf(3) }],
    ['reopened', { answer: '<p>A</p>', answered_at: timestampOf(1), reopened_at: timestampOf(3) }],
    ['answered', { answer: '<p>A</p>', answered_at: timestampOf(4), reopened_at: timestampOf(3) }],
  ])('shows the status %s for a consultation with %j', async (status, draft) => {
    const consultant = 'consultant' in draft ? await buildUser(resourceApp.database, 'authenticated') : null
    const id = await buildRecord(resourceApp.database, 'consultations', { question: 'Q', ...draft, consultant })
    expect((await attributes(`/consultations/${id}`)).status).toBe(status)
    const listedStatistics = await resourceApp.read<{ data: { id: number }[] }>(
      `/consultations?filters[status]=${status}&pagination[pageSize]=100`,
    )
    expect(listedStatistics.data.map((row) => row.id)).toContain(id)
  })
})

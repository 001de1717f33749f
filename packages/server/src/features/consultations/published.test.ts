import { describe, expect, it } from 'vitest'
import { buildRecord } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import type { PublishedAnswer } from '@dala/model'

const people: Record<string, TestPerson> = {}
const resourceApp = startResourceApp(async (app) => {
  people.asker = await buildPerson(app, 'authenticated')
  people.stranger = await buildPerson(app, 'authenticated')
  people.consultant = await buildConsultant(app)
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
const answeredAt = '2026-01-02T00:00:00.000Z'
const ask = (draft: object = {}) =>
  buildRecord(resourceApp.database, 'consultations', {
    question: 'How often is cotton watered? Call +998 90 123 45 67',
    answer: '<p>Every ten days. Write to help@example.org.</p>',
    answered_at: answeredAt,
    user: person('asker').id,
    consultant: person('consultant').id,
    language: 'uz',
    is_public: true,
    ...draft,
  })
interface Page {
  data: PublishedAnswer[]
  meta: { pagination: { total: number } }
}
const readPublishedAnswers = async (query = '') => {
  const { status, body } = await person('stranger').ask('GET', `/consultations/public${query}`)
  expect(status).toBe(200)
  return body as Page
}

describe('GET /api/consultations/public', () => {
  it('shows published answers to every user, without data about the customer', async () => {
    const id = await ask()
    const { data } = await readPublishedAnswers('?pagination[pageSize]=100')
    const foundAnswer = data.find((publishedAnswer) => publishedAnswer.id === id)
    expect(foundAnswer).toMatchObject({ language: 'uz', category: null, region: null, answered_at: answeredAt })
    expect(foundAnswer?.question).toBe('How often is cotton watered? Call •••')
    expect(foundAnswer?.answer).toBe('<p>Every ten days. Write to •••.</p>')
    expect(Object.keys(foundAnswer ?? {})).not.toContain('user')
  })

  it.each([
    ['is not published', { is_public: false }],
    ['has no answer', { answer: null, answered_at: null }],
    ['was asked about again', { reopened_at: '2026-01-03T00:00:00.000Z' }],
  ])('leaves out of the published answers a consultation that %s', async (_name, draft) => {
    const id = await ask(draft)
    const { data } = await readPublishedAnswers('?pagination[pageSize]=100')
    expect(data.map((publishedAnswer) => publishedAnswer.id)).not.toContain(id)
  })

  it('publishes and hides an answer as the consultant sets it', async () => {
    const id = await ask({ is_public: false })
    const setPublished = (is_public: boolean) =>
      person('consultant').ask('PUT', `/consultations/${id}`, { data: { is_public } })
    expect((await setPublished(true)).status).toBe(200)
    expect(
      (await readPublishedAnswers('?pagination[pageSize]=100')).data.map((publishedAnswer) => publishedAnswer.id),
    ).toContain(id)
    expect((await setPublished(false)).status).toBe(200)
    expect(
      (await readPublishedAnswers('?pagination[pageSize]=100')).data.map((publishedAnswer) => publishedAnswer.id),
    ).not.toContain(id)
  })

  it('filters published answers by category, region and language', async () => {
    const category = await buildRecord(resourceApp.database, 'consultationcategories', { name: 'Water' })
    const region = await buildRecord(resourceApp.database, 'regions', { name: 'Xorazm' })
    const id = await ask({ category, region, language: 'kaa' })
    const { data, meta } = await readPublishedAnswers(`?category=${category}&region=${region}&language=kaa`)
    expect(data).toMatchObject([
      { id, category: { id: category, name: 'Water' }, region: { id: region, name: 'Xorazm' }, language: 'kaa' },
    ])
    expect(meta.pagination.total).toBe(1)
    expect((await readPublishedAnswers(`?category=${category}&language=ru`)).data).toEqual([])
  })

  it.each(['?language=xx', '?category=x', '?region=0'])('refuses the query %s for published answers', async (query) => {
    expect((await person('stranger').ask('GET', `/consultations/public${query}`)).status).toBe(400)
  })

  it('requires a session for published answers', async () => {
    expect((await resourceApp.app.inject({ method: 'GET', url: '/api/consultations/public' })).statusCode).toBe(401)
  })
})

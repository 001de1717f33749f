import type { SimilarAnswer } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildRecord } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'

const people: Record<string, TestPerson> = {}
const resourceApp = startResourceApp(async (app) => {
  people.admin = await buildPerson(app, 'admin')
  people.asker = await buildPerson(app, 'authenticated', { name: 'Aygul' })
  people.consultant = await buildConsultant(app)
  people.colleague = await buildConsultant(app)
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
beforeEach(() => resourceApp.database.query(sql`delete from consultations`))

const text = 'How often is cotton watered in July'
const answeredFields = { answer: '<p>Every ten days, Aygul.</p>', answered_at: '2026-01-02T00:00:00.000Z' }
const ask = (draft: object = {}) =>
  buildRecord(resourceApp.database, 'consultations', { question: text, user: person('asker').id, ...draft })
const readSimilarQuestions = async (callerName: string, id: number) => {
  const { status, body } = await person(callerName).ask('GET', `/consultations/${id}/similar`)
  expect(status).toBe(200)
  return (body as { results: SimilarAnswer[] }).results
}
const idsOf = (similarAnswers: readonly SimilarAnswer[]) => similarAnswers.map(({ id }) => id)

describe('GET /api/consultations/:id/similar', () => {
  it('finds similar answered questions, those of the same category first, at most five', async () => {
    const category = await buildRecord(resourceApp.database, 'consultationcategories', { name: 'Water' })
    const id = await ask({ category })
    const exactQuestion = await ask(answeredFields)
    const nearQuestion = await ask({
      ...answeredFields,
      category,
      question: 'How often is cotton watered in a dry August?',
    })
    const otherQuestion = { ...answeredFields, category, question: 'Kolorado qo‘ng‘izi bilan kurash' }
    await ask(otherQuestion)
    expect(idsOf(await readSimilarQuestions('admin', id))).toEqual([nearQuestion, exactQuestion])
    for (let count = 0; count < 5; count += 1) await ask({ ...answeredFields, category })
    expect(await readSimilarQuestions('admin', id)).toHaveLength(5)
  })

  it('masks the customer of a similar question, whose answer may be sent to somebody else', async () => {
    const id = await ask()
    await ask({ ...answeredFields, question: `${text}? Aygul, +998 90 123 45 67` })
    expect(await readSimilarQuestions('admin', id)).toMatchObject([
      { question: `${text}? •••, •••`, answer: '<p>Every ten days, •••.</p>', category: null, is_public: false },
    ])
  })

  it.each([
    ['has no answer', {}],
    ['was asked about again', { ...answeredFields, reopened_at: '2026-01-03T00:00:00.000Z' }],
    ['has a question of other words', { ...answeredFields, question: 'Buzoqni qachon emlash kerak?' }],
  ])('leaves out a consultation that %s', async (_name, draft) => {
    const id = await ask()
    await ask(draft)
    expect(await readSimilarQuestions('admin', id)).toEqual([])
  })

  it('shows a consultant their own answers and published ones, never others', async () => {
    const id = await ask()
    await ask({ ...answeredFields, consultant: person('colleague').id })
    const ownQuestion = await ask({ ...answeredFields, consultant: person('consultant').id })
    const publishedQuestion = await ask({ ...answeredFields, consultant: person('colleague').id, is_public: true })
    expect(idsOf(await readSimilarQuestions('consultant', id)).toSorted((a, b) => a - b)).toEqual([
      ownQuestion,
      publishedQuestion,
    ])
    expect(await readSimilarQuestions('admin', id)).toHaveLength(3)
  })

  it.each([
    ['asker', 403],
    ['colleague', 404],
    ['consultant', 200],
  ])('responds to %s who asks for questions similar to an assigned one with %i', async (callerName, expected) => {
    const id = await ask({ consultant: person('consultant').id })
    expect((await person(callerName).ask('GET', `/consultations/${id}/similar`)).status).toBe(expected)
  })

  it('finds similar questions in one statement', async () => {
    const id = await ask()
    await ask(answeredFields)
    const statements = await statementsOf(resourceApp.database, () => readSimilarQuestions('admin', id))
    expect(statements.filter((sentStatement) => sentStatement.includes('similarity'))).toHaveLength(1)
  })
})

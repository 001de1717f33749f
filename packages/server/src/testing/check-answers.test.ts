import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { registerErrors } from '../http/errors.ts'
import { checkAnswers } from './check-answers.ts'
import { wrongAnswers } from './wrong-answers.ts'

const recordTimes = { createdAt: '2026-03-01T10:00:00.000Z', updatedAt: '2026-03-01T10:00:00.000Z', version: 1 }
const role = { id: 1, name: 'Owner', description: null, type: 'owner', nb_users: 1, ...recordTimes }

/** Returns the findings of the answer check about one answer of a route. */
async function findWrongAnswers(
  status: number,
  body: unknown,
  url = '/api/users-permissions/roles',
): Promise<string[]> {
  const app = fastify()
  registerErrors(app)
  checkAnswers(app)
  app.get(url, (_request, reply) => reply.status(status).send(body))
  await app.inject({ url: url.replace(':id', '1') })
  return wrongAnswers.splice(0)
}

describe('checkAnswers', () => {
  test.each<[what: string, status: number, body: unknown, said: RegExp]>([
    ['a column that leaked', 200, { roles: [{ ...role, password: 'x' }] }, /additional properties: password/],
    ['a value of another type', 200, { roles: [{ ...role, name: 7 }] }, /roles\/0\/name must be string/],
    ['a moment in another form', 200, { roles: [{ ...role, createdAt: '2026-03-01' }] }, /createdAt must match/],
    ['a status of its own', 202, { roles: [] }, /answered 202, which its description does not know/],
    ['an error of another shape', 403, { message: 'no' }, /must have required property 'error'/],
  ])('reports %s', async (_what, status, body, message) => {
    expect(await findWrongAnswers(status, body)).toEqual([expect.stringMatching(message)])
  })

  test('reports an error code that the description of the route does not contain', async () => {
    const error = { status: 404, name: 'NotFoundError', message: 'x', code: 'record.stale', details: {} }
    expect(await findWrongAnswers(404, { data: null, error }, '/api/news/:id')).toEqual([
      expect.stringMatching(/allowed values/),
    ])
  })
})

test('accepts an answer that matches its description', async () => {
  expect(await findWrongAnswers(200, { roles: [role, { id: 2 }] })).toEqual([])
})

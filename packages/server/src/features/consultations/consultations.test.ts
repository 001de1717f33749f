import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { buildRecord } from '../../testing/factories.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const people: Record<string, TestPerson> = {}
const resourceApp = startResourceApp(async (app) => {
  people.admin = await buildPerson(app, 'admin')
  people.asker = await buildPerson(app, 'authenticated')
  people.stranger = await buildPerson(app, 'authenticated')
  people.consultant = await buildConsultant(app)
  people.colleague = await buildConsultant(app)
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}

type Status = 'new' | 'assigned' | 'answered' | 'finished' | 'reopened'
const momentOfDay = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()
const recentMoment = () => new Date(Date.now() - 3_600_000).toISOString()
const stages: Readonly<Record<Status, () => object>> = {
  new: () => ({}),
  assigned: () => ({ consultant: person('consultant').id }),
  answered: () => ({ consultant: person('consultant').id, answer: '<p>A</p>', answered_at: momentOfDay(2) }),
  finished: () => ({
    consultant: person('consultant').id,
    answer: '<p>A</p>',
    answered_at: momentOfDay(2),
    finished_at: recentMoment(),
  }),
  reopened: () => ({
    consultant: person('consultant').id,
    answer: '<p>A</p>',
    answered_at: momentOfDay(2),
    reopened_at: momentOfDay(3),
  }),
}
const ask = (stage: Status, draft: object = {}) =>
  buildRecord(resourceApp.database, 'consultations', {
    question: 'Q',
    user: person('asker').id,
    ...stages[stage](),
    ...draft,
  })
interface One {
  data: { attributes: Record<string, unknown> & { consultant?: { data: { id: number } | null } } }
  meta: unknown
}
const readShownQuestion = async (id: number) =>
  (await resourceApp.read<One>(`/consultations/${id}?populate=consultant`)).data.attributes
const statuses = Object.keys(stages) as Status[]
const askerNames = ['admin', 'consultant', 'colleague', 'asker', 'stranger']

/** Whether a user sees the consultation: all consultants see free ones (contract §14). */
const maySee = (callerName: string, stage: Status) =>
  ['admin', 'asker'].includes(callerName) || (stage === 'new' ? callerName !== 'stranger' : callerName === 'consultant')

const rows = statuses.flatMap((stage) => askerNames.map((callerName) => ({ stage, who: callerName })))

describe('POST /api/consultations/:id/finish', () => {
  it.each(rows)('responds to $who who finishes a consultation in $stage', async ({ stage, who }) => {
    const id = await ask(stage)
    const isOwnQuestion = who !== 'consultant' || stage !== 'new'
    const isAllowed = ['admin', 'asker', 'consultant'].includes(who) && isOwnQuestion
    const expectedStatus = !maySee(who, stage) ? 404 : !isAllowed ? 403 : stage === 'finished' ? 422 : 200
    const { status, body } = await person(who).ask('POST', `/consultations/${id}/finish`, { data: { reason: 'Done' } })
    expect(status).toBe(expectedStatus)
    const finishedFields = { status: 'finished', finished_at: expect.any(String) as unknown, finish_reason: 'Done' }
    const answers: Record<number, object> = {
      200: { data: { attributes: finishedFields } },
      422: { error: { details: { from: 'finished', to: 'finished' } } },
    }
    expect(body).toMatchObject(answers[expectedStatus] ?? {})
  })
  it('requires a reason to finish a question without an answer, and none with an answer', async () => {
    const finishQuestion = (id: number, data?: object) =>
      person('admin').ask('POST', `/consultations/${id}/finish`, data && { data })
    for (const data of [undefined, {}, { reason: ' ' }, { reason: null }])
      expect(await finishQuestion(await ask('new'), data)).toMatchObject({
        status: 422,
        body: { error: { message: 'please give a reason', details: { errors: [{ path: ['reason'] }] } } },
      })
    expect((await finishQuestion(await ask('answered'))).status).toBe(200)
  })
  it.each([{ reason: 5 }, { reason: 'x'.repeat(256) }, { version: 'x' }])(
    'refuses to finish a consultation with the body %j with 422',
    async (data) => {
      const { status } = await person('admin').ask('POST', `/consultations/${await ask('new')}/finish`, { data })
      expect(status).toBe(422)
    },
  )
  it('returns 409 with the present record for a stale version, and 404 for an unknown consultation', async () => {
    const finishQuestion = (id: number, data: object) =>
      person('admin').ask('POST', `/consultations/${id}/finish`, { data })
    const staleAnswer = await finishQuestion(await ask('answered'), { version: 7 })
    expect([staleAnswer.status, staleAnswer.body]).toMatchObject([
      409,
      { error: { details: { current: { version: 1 } } } },
    ])
    expect((await finishQuestion(2_000_000_000, {})).status).toBe(404)
  })
})

describe('POST /api/consultations/:id/reopen', () => {
  it.each(rows)('responds to $who who reopens a consultation in $stage', async ({ stage, who }) => {
    const id = await ask(stage)
    const isAllowed = ['admin', 'asker'].includes(who)
    const expectedStatus = !maySee(who, stage) ? 404 : !isAllowed ? 403 : stage === 'finished' ? 200 : 422
    const { status, body } = await person(who).ask('POST', `/consultations/${id}/reopen`, {
      data: { reason: 'Not yet' },
    })
    expect(status).toBe(expectedStatus)
    const reopenedBody = { data: { attributes: { status: 'reopened', finished_at: null } } }
    expect(body).toMatchObject(expectedStatus === 200 ? reopenedBody : {})
  })
  it('allows to reopen a consultation for 14 days, without limit for staff, and requires a reason', async () => {
    const oldFinish = new Date(Date.now() - 15 * 86_400_000).toISOString()
    const reopenQuestion = async (callerName: string, draft: object, data: object) =>
      (await person(callerName).ask('POST', `/consultations/${await ask('finished', draft)}/reopen`, { data })).status
    expect(await reopenQuestion('asker', { finished_at: oldFinish }, { reason: 'R' })).toBe(422)
    expect(await reopenQuestion('admin', { finished_at: oldFinish }, { reason: 'R' })).toBe(200)
    expect(await reopenQuestion('asker', {}, {})).toBe(422)
  })
  it('stores the reason for reopening a consultation', async () => {
    const id = await ask('finished')
    await person('asker').ask('POST', `/consultations/${id}/reopen`, { data: { reason: 'Still ill' } })
    const storedSteps = await resourceApp.database.query(sql`
      select action, note, user_id from consultation_steps where consultation_id = ${id}`)
    expect(storedSteps).toEqual([
      { action: 'finish', note: null, user_id: null },
      { action: 'reopen', note: 'Still ill', user_id: person('asker').id },
    ])
  })
})

describe('POST /api/consultations/:id/assign', () => {
  const assignQuestionTo = (callerName: string, id: number, data: object) =>
    person(callerName).ask('POST', `/consultations/${id}/assign`, { data: { note: 'You know maize', ...data } })
  it.each(rows)('responds to $who who assigns a consultation in $stage to a colleague', async ({ stage, who }) => {
    const id = await ask(stage)
    const isFree = stage === 'new'
    const statusByPerson: Record<string, number> = {
      stranger: 404,
      asker: 403,
      consultant: 403,
      admin: stage === 'finished' ? 422 : 200,
      colleague: isFree ? 200 : 409,
    }
    const consultantBefore = (await readShownQuestion(id)).consultant?.data?.id
    const { status, body } = await assignQuestionTo(who, id, { to: person('colleague').id })
    expect(status).toBe(statusByPerson[who])
    const owner = { error: { details: { owner: { id: person('consultant').id, avatar: null } } } }
    expect(body).toMatchObject(status === 409 ? owner : {})
    expect((await readShownQuestion(id)).consultant?.data?.id).toBe(
      status === 200 ? person('colleague').id : consultantBefore,
    )
  })
  it('lets staff unassign a consultation, but not consultants', async () => {
    const id = await ask('assigned')
    expect((await assignQuestionTo('consultant', id, { to: null })).status).toBe(403)
    expect((await assignQuestionTo('admin', id, { to: null })).status).toBe(200)
    expect((await readShownQuestion(id)).status).toBe('new')
  })
  it('requires a note for a colleague and for the queue, but not for taking a consultation', async () => {
    const id = await ask('assigned')
    for (const assigneeId of [person('colleague').id, null])
      expect(await assignQuestionTo('admin', id, { to: assigneeId, note: null })).toMatchObject({
        status: 422,
        body: { error: { code: 'state.reason', details: { errors: [{ path: ['note'] }] } } },
      })
    const freeQuestion = await ask('new')
    expect((await assignQuestionTo('colleague', freeQuestion, { to: person('colleague').id, note: null })).status).toBe(
      200,
    )
  })
  it('returns the present owner of a consultation when `from` differs', async () => {
    const id = await ask('assigned')
    const [staleOwnerId, colleagueId] = [person('colleague').id, person('colleague').id]
    expect(await assignQuestionTo('admin', id, { from: staleOwnerId, to: colleagueId })).toMatchObject({
      status: 409,
      body: { error: { code: 'desk.taken' } },
    })
    expect((await assignQuestionTo('admin', id, { from: person('consultant').id, to: colleagueId })).status).toBe(200)
    const [step] = await resourceApp.database.query(sql`
      select from_user_id, to_user_id, note from consultation_steps where consultation_id = ${id}`)
    expect(step).toEqual({ from_user_id: person('consultant').id, to_user_id: colleagueId, note: 'You know maize' })
  })
  it('gives a consultation to one of two concurrent takers and names that taker to the other', async () => {
    for (let roundNumber = 0; roundNumber < 5; roundNumber += 1) {
      const id = await ask('new')
      const answers = await Promise.all(
        ['consultant', 'colleague'].map((callerName) =>
          assignQuestionTo(callerName, id, { to: person(callerName).id, from: null }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      const owner = (await readShownQuestion(id)).consultant?.data?.id
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
        error: { details: { owner: { id: owner } } },
      })
    }
  })
  it.each([[{}], [{ to: 'abc' }], [{ to: 2_000_000_000 }], [{ to: { id: 'x' } }]])(
    'refuses to assign a consultation with the body %j with 422',
    async (data) => {
      expect((await assignQuestionTo('admin', await ask('new'), data)).status).toBe(422)
    },
  )
  it('refuses to assign a user who does not answer customers, in an edit too', async () => {
    const [id, strangerId] = [await ask('new'), person('stranger').id]
    expect(await assignQuestionTo('admin', id, { to: strangerId })).toMatchObject({
      status: 422,
      body: { error: { code: 'desk.no-consultant' } },
    })
    const edit = (consultant: number) => person('admin').ask('PUT', `/consultations/${id}`, { data: { consultant } })
    expect((await edit(strangerId)).status).toBe(422)
    expect((await edit(person('admin').id)).status).toBe(200)
  })
})

describe('POST /api/consultations/:id/no-reply', () => {
  const endWait = (callerName: string, id: number, data: object = {}) =>
    person(callerName).ask('POST', `/consultations/${id}/no-reply`, { data })
  it.each(rows)('responds to $who who ends the wait of a consultation in $stage', async ({ stage, who }) => {
    const isAllowed = who === 'admin' || (who === 'consultant' && stage !== 'new')
    expect((await endWait(who, await ask(stage))).status).toBe(!maySee(who, stage) ? 404 : isAllowed ? 200 : 403)
  })
  it('ends the wait without a reply, and stores the step with the reason', async () => {
    const id = await ask('assigned')
    expect((await readShownQuestion(id)).waiting_since).not.toBeNull()
    expect((await endWait('consultant', id, { reason: 'Answered by phone' })).status).toBe(200)
    const endedWait = { status: 'assigned', waiting_since: null, warn_at: null, due_at: null, overdue: false }
    expect(await readShownQuestion(id)).toMatchObject(endedWait)
    const count = async (table: string) =>
      (await resourceApp.database.query(sql`select 1 from ${sql.table(table)} where consultation_id = ${id}`)).length
    expect([await count('consultation_replies'), await count('desk_waits_ended')]).toEqual([0, 1])
    const { body } = await person('consultant').ask('GET', `/consultations/${id}/steps`)
    expect(body).toMatchObject({ results: [{ action: 'no_reply', note: 'Answered by phone' }] })
  })
  it('counts no reply time for an answer after the end of a wait, and changes nothing twice', async () => {
    const id = await ask('assigned')
    await endWait('consultant', id)
    await endWait('admin', id)
    await person('consultant').ask('PUT', `/consultations/${id}`, { data: { answer: '<p>A</p>' } })
    expect((await readShownQuestion(id)).status).toBe('answered')
    const storedSteps = await resourceApp.database.query(sql`
      select 1 from consultation_replies where consultation_id = ${id} union all
      select 1 from consultation_steps where consultation_id = ${id} and action = 'no_reply'`)
    expect(storedSteps).toHaveLength(1)
  })
  it('waits again when the consultation is reopened, by the target of its category', async () => {
    const targets = { first_reply_minutes: 40, next_reply_minutes: 90 }
    const category = await buildRecord(resourceApp.database, 'consultationcategories', { name: 'C', ...targets })
    const id = await ask('assigned', { category })
    await person('consultant').ask('PUT', `/consultations/${id}`, { data: { answer: '<p>A</p>' } })
    await person('consultant').ask('POST', `/consultations/${id}/finish`)
    await person('asker').ask('POST', `/consultations/${id}/reopen`, { data: { reason: 'Still ill' } })
    const { waiting_since, due_at } = await readShownQuestion(id)
    expect((Date.parse(String(due_at)) - Date.parse(String(waiting_since))) / 60_000).toBe(90)
  })
})

describe('GET /api/consultations/:id/steps', () => {
  interface Steps {
    results: { action: string; note: string | null; user: object; from: object | null; to: object | null }[]
  }
  it('lists the steps of a consultation with their notes and people, newest first', async () => {
    const id = await ask('assigned')
    const [consultantId, colleagueId] = [person('consultant').id, person('colleague').id]
    const post = (name: string, data: object) => person('admin').ask('POST', `/consultations/${id}/${name}`, { data })
    await post('assign', { to: colleagueId, note: 'You know maize' })
    await post('finish', { reason: 'By phone' })
    await post('reopen', { reason: 'Still ill' })
    const { status, body } = await person('colleague').ask('GET', `/consultations/${id}/steps`)
    expect(status).toBe(200)
    expect((body as Steps).results).toMatchObject([
      { action: 'reopen', note: 'Still ill', user: { id: person('admin').id } },
      { action: 'finish', note: 'By phone' },
      { action: 'assign', note: 'You know maize', from: { id: consultantId }, to: { id: colleagueId } },
    ])
  })
  it('lists no steps of a consultation without steps', async () => {
    const { body } = await person('admin').ask('GET', `/consultations/${await ask('new')}/steps`)
    expect(body).toEqual({ results: [] })
  })
  it.each([
    ['admin', 200, 200],
    ['consultant', 200, 200],
    ['colleague', 404, 200],
    ['asker', 403, 403],
    ['stranger', 404, 404],
  ])(
    'responds to %s who reads the steps of an assigned consultation with %i, of a free one with %i',
    async (callerName, assignedStatus, freeStatus) => {
      for (const [stage, expected] of [
        ['assigned', assignedStatus],
        ['new', freeStatus],
      ] as const) {
        const { status } = await person(callerName).ask('GET', `/consultations/${await ask(stage)}/steps`)
        expect(status).toBe(expected)
      }
    },
  )
  it('refuses the steps of a consultation that a consultant has asked themselves, but not to staff', async () => {
    const statusFor = async (callerName: string) => {
      const id = await ask('new', { user: person(callerName).id })
      return (await person(callerName).ask('GET', `/consultations/${id}/steps`)).status
    }
    expect([await statusFor('colleague'), await statusFor('admin')]).toEqual([403, 200])
  })
})

describe('an answer of a consultation', () => {
  const answer = (callerName: string, id: number, data: object) =>
    person(callerName).ask('PUT', `/consultations/${id}`, { data })
  it.each(rows)('stores or refuses an answer of $who to a consultation in $stage', async ({ stage, who }) => {
    const id = await ask(stage)
    const questionBefore = await readShownQuestion(id)
    const { status } = await answer(who, id, { answer: '<p>New</p>' })
    const isOwnQuestion = who === 'admin' || (who === 'consultant' && stage !== 'new')
    // The customer may rate the consultation: their body is read, and the answer in it is ignored.
    const expectedStatus = isOwnQuestion ? (stage === 'finished' ? 422 : 200) : who === 'asker' ? 200 : 404
    expect(status).toBe(expectedStatus)
    const questionAfter = await readShownQuestion(id)
    const isAnswered = isOwnQuestion && stage !== 'finished'
    expect(questionAfter).toMatchObject(isAnswered ? { answer: '<p>New</p>', status: 'answered' } : questionBefore)
    // The time of a consultation's answer is that of the first answer, or of the first answer after a
    // reopening.
    const isRecent = Date.parse(String(questionAfter.answered_at)) > Date.now() - 60_000
    expect([isRecent, questionAfter.answered_at === questionBefore.answered_at]).toEqual(
      isAnswered && stage !== 'answered' ? [true, false] : [false, true],
    )
  })
  it('refuses an empty answer of a consultation and its removal', async () => {
    const id = await ask('assigned')
    expect((await answer('consultant', id, { answer: '<p> </p>' })).status).toBe(200)
    expect(await readShownQuestion(id)).toMatchObject({ status: 'assigned', answered_at: null })
    await answer('consultant', id, { answer: '<p>A</p>' })
    for (const emptyText of ['', null, '<p>&nbsp;</p>'])
      expect(await answer('consultant', id, { answer: emptyText })).toMatchObject({
        status: 422,
        body: { error: { details: { from: 'answered', to: 'assigned' } } },
      })
    expect((await answer('consultant', id, { answer: '<p><img src="https://example.org/a.png"></p>' })).status).toBe(
      200,
    )
  })
  it('keeps earlier answers of a consultation, and returns the present answer for a stale version', async () => {
    const id = await ask('answered')
    await answer('consultant', id, { answer: '<p>B</p>', version: 1 })
    expect(await answer('consultant', id, { answer: '<p>C</p>', version: 1 })).toMatchObject({
      status: 409,
      body: { error: { details: { current: { answer: '<p>B</p>', version: 2 } } } },
    })
    const [revision] = await resourceApp.database.query(sql<{ changes: object }>`
      select changes from revisions where resource = 'consultations' and document_id = ${id} and operation = 'update'`)
    expect(revision?.changes).toEqual({ answer: { before: '<p>A</p>', after: '<p>B</p>' } })
  })
  it('lets only the server set the times of a consultation', async () => {
    const id = await ask('new')
    await answer('admin', id, {
      finished_at: momentOfDay(1),
      answered_at: momentOfDay(1),
      reopened_at: momentOfDay(1),
      status: 'finished',
    })
    expect(await readShownQuestion(id)).toMatchObject({
      status: 'new',
      finished_at: null,
      answered_at: null,
      reopened_at: null,
    })
  })
})

describe('POST /api/consultations', () => {
  const createQuestion = (callerName: string, data: object) =>
    person(callerName).ask('POST', '/consultations?populate=user,consultant', { data: { question: 'Q', ...data } })
  it('creates a consultation in the caller’s own name, without an answer of the caller', async () => {
    const { status, body } = await createQuestion('asker', {
      user: person('stranger').id,
      consultant: person('consultant').id,
      answer: '<p>Mine</p>',
      finished_at: momentOfDay(1),
    })
    expect([status, body]).toMatchObject([
      200,
      {
        data: {
          attributes: {
            user: { data: { id: person('asker').id } },
            consultant: { data: null },
            answer: null,
            status: 'new',
            finished_at: null,
          },
        },
      },
    ])
  })
  it('links a consultation only to a room of the caller', async () => {
    const room = (ownerName: string) =>
      buildRecord(resourceApp.database, 'chatrooms', {
        sender: person(ownerName).id,
        receiver: person('consultant').id,
      })
    const [ownRoom, foreignRoom] = [await room('asker'), await room('stranger')]
    expect((await createQuestion('asker', { chatroom: ownRoom })).status).toBe(200)
    const [foreignAnswer, missingAnswer] = [
      await createQuestion('asker', { chatroom: foreignRoom }),
      await createQuestion('asker', { chatroom: 2_000_000_000 }),
    ]
    expect([foreignAnswer.status, foreignAnswer.body]).toEqual([400, missingAnswer.body])
    expect((await createQuestion('admin', { chatroom: foreignRoom })).status).toBe(200)
  })
})

describe('the counts of the list', () => {
  it('counts consultations as each filter shows them, within the caller’s rows', async () => {
    await resourceApp.database.query(sql`delete from consultations`)
    for (const stage of statuses) await ask(stage)
    await buildRecord(resourceApp.database, 'consultations', {
      question: 'Q',
      user: person('stranger').id,
      finished_at: momentOfDay(2),
    })
    const counts = async (callerName: string) => {
      const { body } = await person(callerName).ask('GET', '/consultations?filters[question]=Z')
      return (body as { meta: { counts: object } }).meta.counts
    }
    expect(await counts('admin')).toEqual({
      all: 6,
      finished: 2,
      unfinished: 4,
      replayed: 3,
      unreplayed: 3,
      mine: 0,
      free: 1,
      overdue: 1,
    })
    expect(await counts('asker')).toEqual({
      all: 5,
      finished: 1,
      unfinished: 4,
      replayed: 3,
      unreplayed: 2,
      mine: 0,
      free: 1,
      overdue: 1,
    })
    expect(await counts('stranger')).toEqual({
      all: 1,
      finished: 1,
      unfinished: 0,
      replayed: 0,
      unreplayed: 1,
      mine: 0,
      free: 0,
      overdue: 0,
    })
    expect(await counts('colleague')).toEqual({
      all: 2,
      finished: 1,
      unfinished: 1,
      replayed: 0,
      unreplayed: 2,
      mine: 0,
      free: 1,
      overdue: 0,
    })
    await ask('finished')
    expect(await counts('admin')).toMatchObject({ all: 7, finished: 3 })
    const total = async (filter: string) =>
      (await resourceApp.read<{ meta: { pagination: { total: number } } }>(`/consultations?${filter}`)).meta.pagination
        .total
    expect(await total('filters[finished_at][$notNull]=true')).toBe(3)
    expect(await total('filters[answered_at][$null]=true')).toBe(3)
  })
})

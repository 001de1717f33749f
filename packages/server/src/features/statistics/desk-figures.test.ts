/** The figures of the desk through the routes: who has the credit, and what later changes leave alone. */
import type { ReportAnswer } from '@dala/model'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { completeDeskFacts } from '../../domain/conversations/complete-facts.ts'
import reports from '../../seed/data/statistics.json' with { type: 'json' }
import { startDesk } from '../../testing/desk.ts'
import { buildRecord } from '../../testing/factories.ts'

const testDesk = startDesk({ WORKING_HOURS: '1-7 00:00-24:00' })
beforeAll(async () => {
  for (const report of reports.statistics) await buildRecord(testDesk.app.database, 'statistics', report)
})
beforeEach(async () => {
  await testDesk.app.database.query(sql`delete from consultations`)
  await testDesk.app.database.query(sql`delete from chatrooms`)
})

const readReport = (key: string, query = '') =>
  testDesk.read<ReportAnswer>('owner', `/statistics/${key}?period=days7&${query}`)
const valueOf = ({ data }: ReportAnswer, key: string) => data.metrics.find((metric) => metric.key === key)?.value
const rowOf = ({ data }: ReportAnswer, metric: string, id: number | string, dim = 'consultant') =>
  data.breakdowns
    .find((breakdown) => breakdown.metric === metric && breakdown.dim === dim)
    ?.rows.find((row) => row.id === id)?.value
const consultant = () => testDesk.person('consultant').id
const colleague = () => testDesk.person('colleague').id

/** Asks a question as the customer. */
async function ask(draft: object = {}): Promise<number> {
  const { status, body } = await testDesk.ask('customer', 'POST', '/consultations', { question: 'How?', ...draft })
  expect(status).toBe(200)
  return (body.data as { id: number }).id
}
const putQuestion = async (callerName: 'admin' | 'consultant' | 'colleague', id: number, data: object) =>
  expect((await testDesk.ask(callerName, 'PUT', `/consultations/${id}`, data)).status).toBe(200)
const step = async (id: number, name: string, data: object = {}) =>
  expect((await testDesk.ask('admin', 'POST', `/consultations/${id}/${name}`, data)).status).toBe(200)
/** Moves everything of the desk into the past. */
const age = async (minutes: number) => {
  const backInterval = sql`make_interval(mins => ${minutes}::int)`
  for (const [table, columns] of Object.entries({
    consultations: ['created_at', 'answered_at', 'finished_at', 'reopened_at', 'waiting_since', 'warn_at', 'due_at'],
    consultation_replies: ['asked_at', 'due_at', 'replied_at'],
    consultation_steps: ['created_at'],
    chatrooms: ['created_at', 'waiting_since', 'warn_at', 'due_at'],
    chatmessages: ['created_at'],
    room_changes: ['created_at'],
    room_steps: ['created_at'],
    room_replies: ['asked_at', 'due_at', 'replied_at'],
    desk_waits_ended: ['asked_at', 'due_at', 'ended_at'],
  }))
    await testDesk.app.database.query(sql`
      update ${sql.table(table)} set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(column)} - ${backInterval}`))}`)
}
const stepsOf = (id: number) =>
  testDesk.app.database.query(sql<Record<string, unknown>>`
    select action, from_user_id as "from", to_user_id as "to", turn from consultation_steps where consultation_id = ${id} order by id`)
/** Returns the credited figures of each consultant. */
const credits = async () => {
  const answer = await readReport('consultants')
  const keys = ['answered', 'reply_median', 'within_target', 'handovers_out', 'handovers_in']
  return [consultant(), colleague()].map((id) => keys.map((key) => rowOf(answer, key, id) ?? null))
}

describe('the credit of a reply', () => {
  it('gives figures to a consultant who works by chat only', async () => {
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await age(10)
    await testDesk.sendMessage('consultant', room)
    await testDesk.ask('customer', 'POST', `/chatrooms/${room}/rating`, { episode: 1, score: 4 })
    const answer = await readReport('consultants')
    expect(['answered', 'open_now', 'reply_median'].map((key) => rowOf(answer, key, consultant()))).toEqual([
      1,
      1,
      expect.closeTo(10, 0),
    ])
    expect([rowOf(answer, 'answered', 'chat', 'desk'), valueOf(answer, 'answered')]).toEqual([1, 1])
    const consultantAnswer = await testDesk.read<ReportAnswer>('consultant', '/statistics/consultants?period=days7')
    expect(valueOf(consultantAnswer, 'answered')).toBe(1)
    const colleagueAnswer = await testDesk.read<ReportAnswer>('colleague', '/statistics/consultants?period=days7')
    expect([valueOf(colleagueAnswer, 'answered'), rowOf(colleagueAnswer, 'answered', 'chat', 'desk') ?? 0]).toEqual([
      0, 0,
    ])
  })
  it('leaves past credit alone when a case is reassigned, reopened, edited, or when the person leaves', async () => {
    const leavingId = await buildRecord(testDesk.app.database, 'users', {
      username: `leaving-${Date.now()}`,
      email: `leaving-${Date.now()}@example.org`,
      password: 'Harvest-2026',
      is_consultant: true,
      role: await roleOf('authenticated'),
    })
    const id = await ask()
    const room = await testDesk.room()
    await step(id, 'assign', { to: consultant(), note: 'n' })
    await age(45)
    await putQuestion('consultant', id, { answer: '<p>Answer</p>' })
    await testDesk.sendMessage('customer', room)
    await testDesk.sendMessage('consultant', room)
    const otherId = await ask()
    await testDesk.app.database.query(sql`
      insert into consultation_replies (consultation_id, turn, consultant_id, asked_at, due_at, replied_at, wall_seconds, working_seconds,
          target_minutes, first, breached)
      values (${otherId}, 1, ${leavingId}, now() - interval '9 minutes', now() + interval '21 minutes', now(), 540, 540, 30, true, false)`)
    const formerCredits = await credits()
    expect(formerCredits[0]).toEqual([2, expect.any(Number), 0, null, null])

    await step(id, 'assign', { to: colleague(), note: 'n' })
    await putQuestion('admin', id, { consultant: consultant() })
    await putQuestion('admin', id, { consultant: colleague() })
    await testDesk.ask('consultant', 'POST', `/chatrooms/${room}/assign`, { to: colleague(), note: 'Yours' })
    await putQuestion('colleague', id, { answer: '<p>Better answer</p>' })
    const laterCredits = await credits()
    expect(laterCredits.map((figures) => figures.slice(0, 3))).toEqual(
      formerCredits.map((figures) => figures.slice(0, 3)),
    )
    expect(laterCredits.map((figures) => figures.slice(3))).toEqual([
      [3, 1],
      [1, 3],
    ])
    expect((await testDesk.ask('owner', 'DELETE', `/users/${leavingId}`)).status).toBe(200)
    const answer = await readReport('consultants')
    expect(rowOf(answer, 'answered', leavingId)).toBe(1)
  })
  it('credits the person who wrote an answer for another consultant', async () => {
    const id = await ask()
    await step(id, 'assign', { to: consultant(), note: 'n' })
    await putQuestion('admin', id, { answer: '<p>From the admin</p>' })
    const answer = await readReport('consultants')
    expect([
      rowOf(answer, 'answered', testDesk.person('admin').id),
      rowOf(answer, 'answered', consultant()) ?? 0,
    ]).toEqual([1, 0])
  })
  it('counts each answer after a reopening, and keeps the first one with its own time', async () => {
    const id = await ask()
    await step(id, 'assign', { to: consultant(), note: 'n' })
    await age(20)
    await putQuestion('consultant', id, { answer: '<p>First</p>' })
    await step(id, 'finish')
    await age(3 * 1_440)
    await step(id, 'reopen', { reason: 'Still ill' })
    await age(60)
    await putQuestion('consultant', id, { answer: '<p>Second</p>' })
    const answer = await readReport('consultations')
    expect(
      ['answered', 'reply_median', 'next_median', 'reopened', 'within_target'].map((key) => valueOf(answer, key)),
    ).toEqual([2, expect.closeTo(20, 0), expect.closeTo(60, 0), 1, 100])
  })
})

const roleOf = async (type: string) => {
  const [role] = await testDesk.app.database.query(sql<{ id: number }>`select id from roles where type = ${type}`)
  return role?.id
}

describe('past days', () => {
  const line = ({ data }: ReportAnswer, key: string) =>
    data.series.find((metricSeries) => metricSeries.key === key)?.points.map(({ value }) => value)
  it('leaves finished cases and the backlog of past days alone when a case is reopened', async () => {
    const id = await ask()
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await age(1_440)
    await step(id, 'finish', { reason: 'Done' })
    await testDesk.ask('admin', 'POST', `/chatrooms/${room}/state`, { state: 'closed' })
    await age(2 * 1_440)
    const readPast = async () => {
      const answer = await readReport('consultations', 'interval=day')
      return [line(answer, 'backlog')?.slice(0, -1), valueOf(answer, 'finished')]
    }
    const formerCounts = await readPast()
    expect(formerCounts).toEqual([[0, 0, 0, 2, 0, 0], 2])
    await step(id, 'reopen', { reason: 'Again' })
    await testDesk.sendMessage('customer', room)
    expect(await readPast()).toEqual(formerCounts)
    const answer = await readReport('consultations', 'interval=day')
    expect(['asked', 'reopened', 'backlog'].map((key) => valueOf(answer, key))).toEqual([3, 1, 2])
    expect(rowOf(answer, 'backlog', 'chat', 'desk')).toBe(1)
  })
  it('counts a wait that was closed late without a reply as not replied in time', async () => {
    const id = await ask()
    const room = await testDesk.room()
    await testDesk.sendMessage('customer', room)
    await age(40)
    await step(id, 'finish', { reason: 'Done' })
    await testDesk.ask('admin', 'POST', `/chatrooms/${room}/state`, { state: 'closed' })
    const answer = await readReport('consultations')
    expect(answer.data.metrics.find(({ key }) => key === 'within_target')).toMatchObject({ value: 0, n: 2 })
  })
})

describe('a case that another one repeats', () => {
  it('counts a chat that became a question once, and its answer without a time of zero', async () => {
    const room = await testDesk.room()
    const question = await testDesk.sendMessage('customer', room, 'Which seeds?')
    await age(15)
    const answer = await testDesk.sendMessage('consultant', room, 'These')
    const { status } = await testDesk.ask('admin', 'POST', `/chatrooms/${room}/convert`, {
      to: 'consultation',
      message_ids: [question, answer],
    })
    expect(status).toBe(200)
    const report = await readReport('consultations')
    expect(['asked', 'answered', 'backlog', 'reply_median'].map((key) => valueOf(report, key))).toEqual([
      1,
      1,
      1,
      expect.closeTo(15, 0),
    ])
  })
})

describe('steps of a consultation', () => {
  it('stores one step for each change of the consultant, wherever it comes from', async () => {
    const id = await ask()
    await step(id, 'assign', { to: consultant(), note: 'Yours' })
    await putQuestion('admin', id, { consultant: colleague() })
    const job = await testDesk.ask('admin', 'POST', '/bulk', {
      resource: 'consultations',
      action: { kind: 'set', values: { consultant: consultant() } },
      selection: { ids: [id] },
    })
    expect(job.status).toBe(200)
    const undo = await testDesk.ask('admin', 'POST', `/bulk/${(job.body.data as { id: number }).id}/undo`, {})
    expect(undo.status).toBe(200)
    await step(id, 'finish', { reason: 'Done' })
    expect(await stepsOf(id)).toEqual([
      { action: 'assign', from: null, to: consultant(), turn: 1 },
      { action: 'assign', from: consultant(), to: colleague(), turn: 1 },
      { action: 'assign', from: colleague(), to: consultant(), turn: 1 },
      { action: 'assign', from: consultant(), to: colleague(), turn: 1 },
      { action: 'finish', from: colleague(), to: colleague(), turn: 1 },
    ])
  })
})

describe('questions made public', () => {
  const countMadePublic = async (callerName: 'owner' | 'consultant' | 'colleague' = 'owner') => {
    const { data } = await testDesk.read<ReportAnswer>(callerName, '/statistics/consultations?period=days7')
    return data.metrics.find(({ key }) => key === 'made_public')?.value
  }
  it('counts a question once for whoever made it public, also after it is hidden again', async () => {
    const [id, otherId] = [await ask(), await ask()]
    await step(id, 'assign', { to: consultant(), note: 'n' })
    await putQuestion('consultant', id, { answer: '<p>Answer</p>', is_public: true })
    await putQuestion('admin', otherId, { answer: '<p>Answer</p>', is_public: true })
    for (const is_public of [false, true, false]) await putQuestion('admin', id, { is_public })
    expect([await countMadePublic(), await countMadePublic('consultant'), await countMadePublic('colleague')]).toEqual([
      2, 1, 0,
    ])
    const records = '/statistics/consultations/records?period=days7&metric=made_public'
    expect((await testDesk.read<{ count: number }>('owner', records)).count).toBe(2)
  })
  it('counts a question that is entered as a public one, and a frequent question from a chat by its channel', async () => {
    const publicQuestion = await testDesk.ask('admin', 'POST', '/consultations', {
      question: 'How?',
      answer: '<p>So</p>',
      is_public: true,
    })
    expect(publicQuestion.status).toBe(200)
    const room = await testDesk.room()
    const messages = [
      await testDesk.sendMessage('customer', room, 'When?'),
      await testDesk.sendMessage('consultant', room),
    ]
    const conversion = await testDesk.ask('admin', 'POST', `/chatrooms/${room}/convert`, {
      to: 'faq',
      message_ids: messages,
      locale: 'en',
    })
    expect(conversion.status).toBe(200)
    const answer = await readReport('consultations')
    expect(['consultation', 'chat'].map((code) => rowOf(answer, 'made_public', code, 'desk'))).toEqual([1, 1])
  })
  it('takes back a question that an undo hides', async () => {
    const id = await ask()
    const job = await testDesk.ask('admin', 'POST', '/bulk', {
      resource: 'consultations',
      action: { kind: 'set', values: { is_public: true } },
      selection: { ids: [id] },
    })
    expect([job.status, await countMadePublic()]).toEqual([200, 1])
    await testDesk.ask('admin', 'POST', `/bulk/${(job.body.data as { id: number }).id}/undo`, {})
    expect(await countMadePublic()).toBe(0)
  })
})

describe('hours online', () => {
  const online = async (callerName: 'owner' | 'consultant' | 'colleague', query: string) => {
    const { data } = await testDesk.read<ReportAnswer>(callerName, `/statistics/consultants?${query}`)
    const onlineMetric = data.metrics.find(({ key }) => key === 'online_hours')
    const rows = data.breakdowns.find(({ metric }) => metric === 'online_hours')?.rows
    return [onlineMetric?.value, onlineMetric?.n, rows?.length]
  }
  it('divides the hours of a night between its days in the report zone, for the own figures and for all', async () => {
    await testDesk.app.database.query(sql`
      insert into online_hours (user_id, hour, minutes) values
        (${consultant()}, '2025-03-10T18:00:00Z', repeat('1', 60)::bit(60)),
        (${consultant()}, '2025-03-10T19:00:00Z', repeat('10', 30)::bit(60)),
        (${colleague()}, '2025-03-10T18:00:00Z', repeat('1000', 15)::bit(60))`)
    const [night, bothDays] = ['from=2025-03-10&to=2025-03-10', 'from=2025-03-10&to=2025-03-11']
    expect(await online('owner', night)).toEqual([1.25, 2, 2])
    expect(await online('owner', bothDays)).toEqual([1.75, 3, 2])
    expect(await online('consultant', bothDays)).toEqual([1.5, 2, 1])
    const records = `/statistics/consultants/records?${bothDays}&metric=online_hours&dim=consultant&dim_id=${consultant()}`
    expect(await testDesk.read('owner', records)).toMatchObject({ count: 2, data: [{ value: 0.5 }, { value: 1 }] })
    const colleagueRecords = await testDesk.read<{ data: { person: { id: number } }[] }>(
      'colleague',
      `/statistics/consultants/records?${bothDays}&metric=online_hours`,
    )
    expect(colleagueRecords.data.map(({ person }) => person.id)).toEqual([colleague()])
  })
})

describe('the wait of a consultation', () => {
  it('shows the wait of a question in working time, and ends it with an answer', async () => {
    const category = await buildRecord(testDesk.app.database, 'consultationcategories', {
      name: 'C',
      first_reply_minutes: 50,
    })
    const id = await ask({ category })
    const wait = async () => {
      const { data } = await testDesk.read<{ data: { attributes: Record<string, string | boolean | null> } }>(
        'admin',
        `/consultations/${id}`,
      )
      const { waiting_since: waitingSince, warn_at, due_at, overdue } = data.attributes
      const minutes = [warn_at, due_at].map((timestamp) =>
        timestamp === null ? null : (Date.parse(String(timestamp)) - Date.parse(String(waitingSince))) / 60_000,
      )
      return [...minutes, overdue]
    }
    expect(await wait()).toEqual([35, 50, false])
    await age(50)
    expect(await wait()).toEqual([35, 50, true])
    await putQuestion('admin', id, { answer: '<p>A</p>' })
    expect(await wait()).toEqual([null, null, false])
  })
})

describe('facts of an earlier version', () => {
  it('completes the facts of cases of an earlier version from the log and the history', async () => {
    const id = await ask()
    await step(id, 'assign', { to: consultant(), note: 'n' })
    await age(45)
    await putQuestion('consultant', id, { answer: '<p>First</p>' })
    await step(id, 'finish')
    await step(id, 'reopen', { reason: 'Again' })
    await putQuestion('admin', id, { answer: '<p>Second</p>' })
    const room = await testDesk.room()
    for (const sender of ['customer', 'consultant', 'customer'] as const) await testDesk.sendMessage(sender, room)
    await testDesk.ask('admin', 'POST', `/chatrooms/${room}/state`, { state: 'closed' })
    await testDesk.sendMessage('customer', room)
    const readFacts = async () => {
      const tables = ['consultation_replies', 'consultation_steps', 'room_steps', 'room_replies']
      const rows = await Promise.all(
        tables.map((table) =>
          testDesk.app.database.query(sql<Record<string, unknown>>`select * from ${sql.table(table)} order by id`),
        ),
      )
      // The times of an answer and of its transaction differ by the length of the transaction.
      return rows.map((list) =>
        list.map(
          ({
            id: _id,
            created_at: _at,
            asked_at: _asked,
            due_at: _due,
            replied_at: _replied,
            wall_seconds,
            working_seconds,
            ...row
          }) => ({
            ...row,
            ...(wall_seconds !== undefined && {
              minutes: Math.round(Number(wall_seconds) / 60),
              working: Math.round(Number(working_seconds) / 60),
            }),
          }),
        ),
      )
    }
    const formerFacts = await readFacts()
    const { database } = testDesk.app
    await database.query(sql`update consultations set turn = null, waiting_since = null, due_at = null, warn_at = null`)
    await database.query(sql`update consultation_steps set turn = null`)
    for (const table of ['consultation_replies', 'room_steps', 'room_replies', 'desk_waits_ended'])
      await database.query(sql`delete from ${sql.table(table)}`)
    await completeDeskFacts(database)
    expect(await readFacts()).toEqual(formerFacts)
  })
})

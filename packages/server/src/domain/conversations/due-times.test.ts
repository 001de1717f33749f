/** The due times of waiting chats and questions follow changes of the working hours and of the targets. */
import type { OrganisationState } from '@dala/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { readSettings } from '../../settings.ts'
import { testDatabaseWith } from '../../testing/databases.ts'
import { startDesk } from '../../testing/desk.ts'
import { waitUntil } from '../../testing/eventually.ts'
import { buildRecord } from '../../testing/factories.ts'
import { OrganisationSettings } from '../operations/organisation.ts'
import { DueTimes } from './due-times.ts'

// The environment of tests sets the hours, which is left out here.
const testDesk = startDesk({ WORKING_HOURS: '' })
const always = '1-7 00:00-24:00'
/** Five minutes a week, so that a target of half an hour lasts more than a month. */
const hardlyEver = '1 00:00-00:05'

const change = async (values: object) => {
  const { data } = await testDesk.read<{ data: OrganisationState }>('owner', '/organisation')
  const body = { version: data.version, values }
  expect((await testDesk.ask('owner', 'PUT', '/organisation', body)).status).toBe(200)
}
const follow = () => new DueTimes(testDesk.app.database).follow()
/** Follows a change until its times are settled, and returns the numbers of changed cases. */
const followTwice = async () => [await follow(), await follow()]

interface Wait {
  minutes: number
  warningMinutes: number
}
async function waitOf(table: 'chatrooms' | 'consultations', id: number): Promise<Wait> {
  const [row] = await testDesk.app.database.query(sql<Record<'asked' | 'warn' | 'due', string>>`
    select waiting_since as asked, warn_at as warn, due_at as due from ${sql.table(table)} where id = ${id}`)
  const minutesTo = (end: string | undefined) => (Date.parse(String(end)) - Date.parse(String(row?.asked))) / 60_000
  return { minutes: minutesTo(row?.due), warningMinutes: minutesTo(row?.warn) }
}
async function askQuestion(draft: object = {}): Promise<number> {
  const { status, body } = await testDesk.ask('customer', 'POST', '/consultations', { question: 'How?', ...draft })
  expect(status).toBe(200)
  return (body.data as { id: number }).id
}
async function askInRoom(): Promise<number> {
  const room = await testDesk.room()
  await testDesk.sendMessage('customer', room)
  return room
}

/** Gives a category another target of the first reply, as an owner does. */
async function changeTarget(category: number, minutes: number): Promise<void> {
  const { body } = await testDesk.ask('owner', 'GET', `/consultationcategories/${category}`)
  const { version } = (body.data as { attributes: { version: number } }).attributes
  const data = { version, first_reply_minutes: minutes }
  expect((await testDesk.ask('owner', 'PUT', `/consultationcategories/${category}`, data)).status).toBe(200)
}

beforeEach(async () => {
  await testDesk.app.database.query(sql`delete from consultations`)
  await testDesk.app.database.query(sql`delete from chatrooms`)
  await change({ working_hours: always, first_reply_minutes: null, next_reply_minutes: null })
  await followTwice()
})

describe('the due time of a waiting case', () => {
  it('follows the working hours, and returns with them', async () => {
    const [room, question] = [await askInRoom(), await askQuestion()]
    expect([await waitOf('chatrooms', room), await waitOf('consultations', question)]).toEqual([
      { minutes: 30, warningMinutes: 21 },
      { minutes: 30, warningMinutes: 21 },
    ])

    await change({ working_hours: hardlyEver })
    expect(await followTwice()).toEqual([2, 0])
    for (const { minutes, warningMinutes } of [
      await waitOf('chatrooms', room),
      await waitOf('consultations', question),
    ]) {
      expect(minutes).toBeGreaterThan(5 * 7 * 1_440 - 10)
      expect(warningMinutes).toBeLessThan(minutes - 7 * 1_440)
    }

    await change({ working_hours: always })
    expect(await followTwice()).toEqual([2, 0])
    expect([await waitOf('chatrooms', room), await waitOf('consultations', question)]).toEqual([
      { minutes: 30, warningMinutes: 21 },
      { minutes: 30, warningMinutes: 21 },
    ])
  })

  it('follows the target of the first reply, unless the category has its own', async () => {
    const category = await buildRecord(testDesk.app.database, 'consultationcategories', {
      name: 'Water',
      first_reply_minutes: 600,
    })
    const [room, question, ownTarget] = [await askInRoom(), await askQuestion(), await askQuestion({ category })]
    await change({ first_reply_minutes: 60 })
    expect(await followTwice()).toEqual([2, 0])
    expect([
      (await waitOf('chatrooms', room)).minutes,
      (await waitOf('consultations', question)).minutes,
      (await waitOf('consultations', ownTarget)).minutes,
    ]).toEqual([60, 60, 600])
    expect((await waitOf('consultations', await askQuestion())).minutes).toBe(60)
  })

  it('follows the target of its category, and that of the organisation once the category is gone', async () => {
    const category = await buildRecord(testDesk.app.database, 'consultationcategories', {
      name: 'Water',
      first_reply_minutes: 600,
    })
    const [question, other] = [await askQuestion({ category }), await askQuestion()]
    const minutes = async () => [
      (await waitOf('consultations', question)).minutes,
      (await waitOf('consultations', other)).minutes,
    ]
    await followTwice()
    expect(await minutes()).toEqual([600, 30])
    await changeTarget(category, 90)
    expect(await followTwice()).toEqual([1, 0])
    expect(await minutes()).toEqual([90, 30])

    await testDesk.app.database.query(sql`update consultations set category_id = null where category_id = ${category}`)
    expect((await testDesk.ask('owner', 'DELETE', `/consultationcategories/${category}`)).status).toBe(200)
    expect(await followTwice()).toEqual([1, 0])
    expect(await minutes()).toEqual([30, 30])
  })

  it('follows the target of later replies after the first one', async () => {
    const room = await askInRoom()
    await testDesk.sendMessage('consultant', room)
    await testDesk.sendMessage('customer', room)
    expect((await waitOf('chatrooms', room)).minutes).toBe(120)
    await change({ first_reply_minutes: 45, next_reply_minutes: 90 })
    expect(await followTwice()).toEqual([1, 0])
    expect((await waitOf('chatrooms', room)).minutes).toBe(90)
  })

  it('is corrected by the second pass when another instance still had the former hours', async () => {
    const room = await askInRoom()
    await change({ working_hours: hardlyEver })
    expect(await follow()).toBe(1)
    const right = await waitOf('chatrooms', room)
    await testDesk.app.database.query(sql`update chatrooms set due_at = waiting_since + interval '30 minutes'`)
    expect([await follow(), await follow()]).toEqual([1, 0])
    expect(await waitOf('chatrooms', room)).toEqual(right)
  })

  it('is changed once by two instances', async () => {
    await askInRoom()
    await change({ working_hours: hardlyEver })
    const database = await testDatabaseWith()
    await new OrganisationSettings(database, readSettings({ NODE_ENV: 'test' })).refresh()
    const counts = await Promise.all([follow(), new DueTimes(database).follow()])
    expect(counts.toSorted((one, other) => one - other)).toEqual([0, 1])
  })

  it('follows soon after a change of a category without being asked', async () => {
    const category = await buildRecord(testDesk.app.database, 'consultationcategories', { name: 'Water' })
    const question = await askQuestion({ category })
    await followTwice()
    const dueTimes = new DueTimes(testDesk.app.database)
    const failures: unknown[] = []
    dueTimes.start((error) => failures.push(error))
    try {
      await changeTarget(category, 45)
      await waitUntil(async () => expect((await waitOf('consultations', question)).minutes).toBe(45))
    } finally {
      await dueTimes.stop()
    }
    expect(failures).toEqual([])
  })

  it('follows soon after a change without being asked', async () => {
    const room = await askInRoom()
    const dueTimes = new DueTimes(testDesk.app.database)
    const failures: unknown[] = []
    dueTimes.start((error) => failures.push(error))
    try {
      await change({ working_hours: hardlyEver })
      await waitUntil(async () => expect((await waitOf('chatrooms', room)).minutes).toBeGreaterThan(30))
    } finally {
      await dueTimes.stop()
    }
    expect(failures).toEqual([])
  })
})

it('leaves the times of given replies alone', async () => {
  const room = await askInRoom()
  await testDesk.sendMessage('consultant', room)
  const replies = () => testDesk.app.database.query(sql`select * from room_replies where room_id = ${room}`)
  const former = await replies()
  expect(former).toHaveLength(1)
  await change({ working_hours: hardlyEver, first_reply_minutes: 5 })
  expect(await followTwice()).toEqual([0, 0])
  expect(await replies()).toEqual(former)
})

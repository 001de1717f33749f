/**
 * Proof that no sent message is lost. A long room is deleted and restored, then deleted in bulk with others
 * and undone; afterwards every row of every table is as before.
 * `node scripts/proofs/restored-rooms.ts --messages 1000 --on embedded`
 */
import { rmSync } from 'node:fs'
import { buildApp } from '../../packages/server/src/app.ts'
import { engineParts } from '../../packages/server/src/behaviours/index.ts'
import { calendarOf } from '../../packages/server/src/db/calendar.ts'
import { type Database, openDatabase } from '../../packages/server/src/db/database.ts'
import { migrate } from '../../packages/server/src/db/migrate.ts'
import { WorkQueue } from '../../packages/server/src/db/work-queue.ts'
import { readSettings } from '../../packages/server/src/settings.ts'
import { build, buildRole } from '../../packages/server/src/testing/factories.ts'
import { checksums, fillRoom, lastRevisionOf, type RoomOfPeople } from '../../packages/server/src/testing/full-room.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../packages/server/src/testing/people.ts'
import { findBinaries, startCluster } from '../../packages/server/src/testing/postgres-cluster.ts'
import { wideBudgets } from '../../packages/server/src/testing/wide-budgets.ts'
import type { Place } from './random-reads.ts'
import { temporaryFolder } from '../lib/server-process.ts'
import { failedOne, passedOne, skippedOne, type Tally } from '../lib/step.ts'

/** Number of rooms that the bulk job deletes and restores with the long one. */
const otherRooms = 20

/**
 * Answer to a call of the proof, and its duration in milliseconds.
 *
 * @throws When the call is refused.
 */
async function timed<T>(who: TestPerson, method: 'DELETE' | 'POST', url: string, body?: object) {
  const began = performance.now()
  const answer = await who.ask(method, url, body)
  if (answer.status !== 200)
    throw new Error(`${method} ${url} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return { body: answer.body as T, took: performance.now() - began }
}

interface Job {
  data: { id: number; changed: number; refused: number; canUndo: boolean }
}

/** Returns the tables whose rows differ after the restore. */
const different = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((table) => before[table] !== after[table])

async function prove({ database, room, people }: RoomOfPeople, rooms: readonly number[]): Promise<boolean> {
  const last = await lastRevisionOf(database)
  const before = await checksums(database, last)
  const { admin } = people

  const removed = await timed(admin, 'DELETE', `/chatrooms/${room}`)
  const restored = await timed(admin, 'POST', `/chatrooms/${room}/restore`)
  const afterRestore = different(before, await checksums(database, last))

  const data = { resource: 'chatrooms', action: { kind: 'remove' }, selection: { ids: [room, ...rooms] } }
  const job = await timed<Job>(admin, 'POST', '/bulk', { data })
  const undo = await timed<Job>(admin, 'POST', `/bulk/${job.body.data.id}/undo`)
  const afterUndo = different(before, await checksums(database, last))

  const checks = {
    [`a restore brings back every row; different: ${afterRestore.join()}`]: afterRestore.length === 0,
    'the bulk job can be undone': job.body.data.canUndo && job.body.data.changed === rooms.length + 1,
    'the undo refuses no room': undo.body.data.changed === rooms.length + 1 && undo.body.data.refused === 0,
    [`the undo brings back every row; different: ${afterUndo.join()}`]: afterUndo.length === 0,
  }
  for (const [name, holds] of Object.entries(checks)) if (!holds) console.log(`   NOT SO: ${name}`)
  const times = [removed, restored, job, undo].map(({ took }) => `${Math.round(took)} ms`)
  console.log(
    `   ${Object.entries(before)
      .filter(([table]) => table.startsWith('chat') || table.startsWith('room_'))
      .map(([table, sum]) => `${table} ${sum.split(' ')[0]}`)
      .join(', ')}; ${Object.keys(before).length} tables compared`,
  )
  console.log(
    `   deleted in ${times[0]}, restored in ${times[1]}; in bulk with ${rooms.length} others ${times[2]} and ${times[3]}`,
  )
  return Object.values(checks).every(Boolean)
}

/** Working hours of the desk around the clock, so that waits do not depend on the day of the week. */
const hours = { WORKING_HOURS: '1-7 00:00-24:00' }

async function proveOn(database: Database, messages: number): Promise<boolean> {
  const dataDir = temporaryFolder('restored')
  await migrate(database)
  const settings = readSettings({
    DATA_DIR: dataDir,
    NODE_ENV: 'test',
    ...hours,
    ...wideBudgets,
  })
  const app = await buildApp({ settings, database, queue: new WorkQueue(database), log: { level: 'silent' } })
  try {
    await app.ready()
    await buildRole(database, 'public')
    const people = {
      customer: await buildPerson({ app, database }, 'authenticated'),
      consultant: await buildConsultant({ app, database }),
      admin: await buildPerson({ app, database }, 'admin'),
    }
    const sender = people.customer.id
    const room = await build(database, 'chatrooms', { sender, receiver: people.consultant.id })
    const rooms: number[] = []
    for (let count = 0; count < otherRooms; count += 1) {
      const otherRoom = await build(database, 'chatrooms', { sender })
      await people.customer.ask('POST', '/chatmessages', { data: { room: otherRoom, text: `Room ${count}` } })
      rooms.push(otherRoom)
    }
    const chat = { database, room, people }
    await fillRoom(chat, messages)
    return await prove(chat, rooms)
  } finally {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Fills a room, deletes it and restores it in both ways.
 *
 * @param messages - Number of messages in the room.
 * @param place - The database: the embedded one, or a PostgreSQL server of the installed binaries.
 * @returns One step passed or failed, with its figures printed; skipped without PostgreSQL.
 */
export async function restoredRooms(messages: number, place: Place): Promise<Tally> {
  if (place === 'server' && findBinaries() === undefined) {
    console.log('   PostgreSQL is not installed.')
    return skippedOne
  }
  const cluster = place === 'server' ? await startCluster() : undefined
  try {
    const database = await openDatabase(cluster ? { url: cluster.url } : { memory: true }, {
      calendar: calendarOf(readSettings(hours)),
      parts: engineParts,
    })
    try {
      return (await proveOn(database, messages)) ? passedOne : failedOne
    } finally {
      await database.close()
    }
  } finally {
    await cluster?.stop()
  }
}

if (import.meta.main) {
  const option = (name: string): string | undefined => {
    const position = process.argv.indexOf(name)
    return position >= 0 ? process.argv[position + 1] : undefined
  }
  const on = option('--on')
  const places: Place[] = on === 'embedded' || on === 'server' ? [on] : ['embedded', 'server']
  for (const place of places) {
    const { failed } = await restoredRooms(Number(option('--messages') ?? 1_000), place)
    if (failed > 0) process.exitCode = 1
  }
}

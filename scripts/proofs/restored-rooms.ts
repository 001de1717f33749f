/**
 * Proof that no sent message is lost. A long room is deleted and restored, then deleted in bulk with others
 * and undone; afterwards every row of every table is as before.
 * `node scripts/proofs/restored-rooms.ts --messages 1000 --on embedded`
 */
import { buildRecord, buildRole } from '../../packages/server/src/testing/factories.ts'
import { checksums, fillRoom, lastRevisionOf, type RoomOfPeople } from '../../packages/server/src/testing/full-room.ts'
import { buildConsultant, buildPerson, type TestPerson } from '../../packages/server/src/testing/people.ts'
import type { CountTally } from '../lib/step.ts'
import { runOnNamedPlaces, runOnPlace, optionOf, type DatabasePlace, type ProofApp } from './on-place.ts'

/** Number of rooms that the bulk job deletes and restores with the long one. */
const otherRooms = 20

/**
 * Answer to a call of the proof, and its duration in milliseconds.
 *
 * @throws When the call is refused.
 */
async function timeRequest<T>(person: TestPerson, method: 'DELETE' | 'POST', url: string, body?: object) {
  const startMoment = performance.now()
  const answer = await person.ask(method, url, body)
  if (answer.status !== 200)
    throw new Error(`${method} ${url} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return { body: answer.body as T, took: performance.now() - startMoment }
}

interface Job {
  data: { id: number; changed: number; refused: number; canUndo: boolean }
}

/** Returns the tables whose rows differ after the restore. */
const differentTables = (
  checksumsBefore: Readonly<Record<string, string>>,
  checksumsAfter: Readonly<Record<string, string>>,
) =>
  [...new Set([...Object.keys(checksumsBefore), ...Object.keys(checksumsAfter)])].filter(
    (table) => checksumsBefore[table] !== checksumsAfter[table],
  )

async function proveRestore({ database, room, people }: RoomOfPeople, rooms: readonly number[]): Promise<boolean> {
  const formerRevision = await lastRevisionOf(database)
  const checksumsBefore = await checksums(database, formerRevision)
  const { admin } = people

  const removedRoom = await timeRequest(admin, 'DELETE', `/chatrooms/${room}`)
  const restoredRoom = await timeRequest(admin, 'POST', `/chatrooms/${room}/restore`)
  const differencesAfterRestore = differentTables(checksumsBefore, await checksums(database, formerRevision))

  const data = { resource: 'chatrooms', action: { kind: 'remove' }, selection: { ids: [room, ...rooms] } }
  const job = await timeRequest<Job>(admin, 'POST', '/bulk', { data })
  const undo = await timeRequest<Job>(admin, 'POST', `/bulk/${job.body.data.id}/undo`)
  const differencesAfterUndo = differentTables(checksumsBefore, await checksums(database, formerRevision))

  const checks = {
    [`a restore brings back every row; different: ${differencesAfterRestore.join()}`]:
      differencesAfterRestore.length === 0,
    'the bulk job can be undone': job.body.data.canUndo && job.body.data.changed === rooms.length + 1,
    'the undo refuses no room': undo.body.data.changed === rooms.length + 1 && undo.body.data.refused === 0,
    [`the undo brings back every row; different: ${differencesAfterUndo.join()}`]: differencesAfterUndo.length === 0,
  }
  for (const [name, isFulfilled] of Object.entries(checks)) if (!isFulfilled) console.log(`   NOT SO: ${name}`)
  const times = [removedRoom, restoredRoom, job, undo].map(({ took }) => `${Math.round(took)} ms`)
  console.log(
    `   ${Object.entries(checksumsBefore)
      .filter(([table]) => table.startsWith('chat') || table.startsWith('room_'))
      .map(([table, sum]) => `${table} ${sum.split(' ')[0]}`)
      .join(', ')}; ${Object.keys(checksumsBefore).length} tables compared`,
  )
  console.log(
    `   deleted in ${times[0]}, restored in ${times[1]}; in bulk with ${rooms.length} others ${times[2]} and ${times[3]}`,
  )
  return Object.values(checks).every(Boolean)
}

async function runProof({ app, database }: ProofApp, messages: number): Promise<boolean> {
  await buildRole(database, 'public')
  const people = {
    customer: await buildPerson({ app, database }, 'authenticated'),
    consultant: await buildConsultant({ app, database }),
    admin: await buildPerson({ app, database }, 'admin'),
  }
  const sender = people.customer.id
  const room = await buildRecord(database, 'chatrooms', { sender, receiver: people.consultant.id })
  const rooms: number[] = []
  for (let count = 0; count < otherRooms; count += 1) {
    const otherRoom = await buildRecord(database, 'chatrooms', { sender })
    await people.customer.ask('POST', '/chatmessages', { data: { room: otherRoom, text: `Room ${count}` } })
    rooms.push(otherRoom)
  }
  const chat = { database, room, people }
  await fillRoom(chat, messages)
  return await proveRestore(chat, rooms)
}

/**
 * Fills a room, deletes and restores it alone, and then in a bulk job with other rooms.
 *
 * @param messages - Number of messages in the room.
 * @param place - The database: the embedded one, or a PostgreSQL server of the installed binaries.
 * @returns One step passed or failed, with its figures printed; skipped without PostgreSQL.
 */
export const restoredRooms = (messages: number, databaseKind: DatabasePlace): Promise<CountTally> =>
  runOnPlace(databaseKind, (app) => runProof(app, messages))

if (import.meta.main)
  await runOnNamedPlaces((databaseKind) => restoredRooms(Number(optionOf('--messages') ?? 1_000), databaseKind))

/**
 * Shows the users who have a record open in a form, with the language that they edit, until their socket
 * ends.
 */
import { type Caller, fault, isLocale, maxInteger, rankOfRole, type Resource } from '@dala/model'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { resources } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { isObject } from '../../resources/read/context.ts'
import { parseSingleQuery } from '../../resources/read/parse-query.ts'
import { readSingleRecord } from '../../resources/read/read.ts'
import type { Editor, Socket, Sockets } from '../../domain/delivery/sockets.ts'

/** Maximum number of editors shown, which is as many as one event to other instances can carry. */
const maxPeople = 20

interface EditorsParts {
  sockets: Sockets
  database: Database
  log: FastifyBaseLogger
}

interface EditingRequest {
  resource: Resource
  id: number
  locale: Editor['locale']
  /** Name of the part of a record that the user edits, as the page sent it. */
  part: string | undefined
}

/** Maximum length of the name of a record's edited part. */
const maxPartLength = 64

/**
 * Parses the payload of the socket event `editing`.
 *
 * @throws 400 for any other payload.
 */
function parseEditing(payload: unknown): EditingRequest | undefined {
  if (payload === null) return undefined
  if (!isObject(payload)) throw fault('request.data-missing')
  const resource = Object.values(resources).find(({ wire }) => wire === payload.resource)
  const { id, locale } = payload
  if (!resource || typeof id !== 'number' || !Number.isInteger(id) || id < 1 || id > maxInteger)
    throw fault('record.not-found')
  const partName = typeof payload.part === 'string' && payload.part.length <= maxPartLength ? payload.part : undefined
  return { resource, id, locale: isLocale(locale) && resource.localized ? locale : null, part: partName }
}

/**
 * Finds the document of a record that the caller may read and change: a reader without that right has no form
 * open. Presence is for colleagues; customers of the apps are neither shown here nor notified of editors.
 *
 * @throws 403 and 404.
 */
async function documentOf(database: Database, { resource, id }: EditingRequest, caller: Caller): Promise<number> {
  if (!caller.isConsultant && rankOfRole(caller.role) < rankOfRole('admin')) throw fault('access.denied')
  const [readView, updateView] = [authoriseCaller(resource, 'get', caller), authoriseCaller(resource, 'update', caller)]
  const rows = [readView.rows, updateView.rows].filter((filter) => filter !== undefined)
  const view = { ...readView, ...(rows.length > 0 && { rows: { $and: rows } }) }
  if (!(await readSingleRecord(database, parseSingleQuery({ fields: ['id'] }, resource, caller, view, id))))
    throw fault('record.not-found')
  if (!resource.localized) return id
  const [row] = await database.query(
    sql<{ document: number }>`select document_id as document from ${sql.table(textTable(resource))} where id = ${id}`,
  )
  if (!row) throw fault('record.not-found')
  return row.document
}

async function nameOf(database: Database, { id }: Caller): Promise<string> {
  const [row] = await database.query(sql<{ name: string }>`
    select coalesce(nullif(concat_ws(' ', name, surname), ''), username) as name from users where id = ${id}`)
  return row?.name ?? ''
}

/**
 * Registers the socket event `editing` with `{resource, id, locale, part?}`, or null for no record. The
 * answer lists the other editors. Afterwards the socket receives `editors` on every change, on any instance.
 * Refuses with 403 and 404 by the rules of a change (contract §14).
 */
export function registerEditors({ sockets, database, log }: EditorsParts): void {
  const { io } = sockets
  const latestTurns = new WeakMap<Socket, object>()

  const emitEditors = async (channel: string) => {
    const presentSockets = await io.in(channel).fetchSockets()
    const people = presentSockets.flatMap(({ data }) => (data.editedRecord ? [data.editedRecord.editor] : []))
    for (const socket of presentSockets) {
      const { editedRecord: openRecord, caller } = socket.data
      if (openRecord?.channel !== channel) continue
      socket.emit('editors', {
        resource: openRecord.resource,
        id: openRecord.id,
        people: listOtherEditors(people, caller),
      })
    }
    return people
  }
  const leaveRecord = (socket: Socket) => {
    const { editedRecord: openRecord } = socket.data
    delete socket.data.editedRecord
    if (!openRecord) return
    void socket.leave(openRecord.channel)
    emitEditors(openRecord.channel).catch((error: unknown) => log.warn({ err: error }, 'presence was not sent'))
  }

  sockets.onEvent('editing', async (socket, payload) => {
    const currentTurn = {}
    latestTurns.set(socket, currentTurn)
    const request = parseEditing(payload)
    if (!request) return leaveRecord(socket)
    const { caller } = socket.data
    const document = await documentOf(database, request, caller)
    const name = await nameOf(database, caller)
    // Another record was opened, or the page was closed, during the queries about the edited record.
    if (latestTurns.get(socket) !== currentTurn || !socket.connected) return { people: [] }
    const channel = `editing:${documentTable(request.resource)}:${document}`
    if (socket.data.editedRecord?.channel !== channel) leaveRecord(socket)
    socket.data.editedRecord = {
      channel,
      resource: request.resource.wire,
      id: request.id,
      editor: {
        id: caller.id,
        name,
        locale: request.locale,
        ...(request.part !== undefined && { part: request.part }),
      },
    }
    await socket.join(channel)
    return { people: listOtherEditors(await emitEditors(channel), caller) }
  })
  sockets.onParting(leaveRecord)
}

/** Returns all editors except the caller; a user with two windows in one language is listed once. */
function listOtherEditors(people: readonly Editor[], caller: Caller): Editor[] {
  const seenEditors = new Map(
    people.filter(({ id }) => id !== caller.id).map((person) => [`${person.id}/${person.locale}`, person]),
  )
  return [...seenEditors.values()].slice(0, maxPeople)
}

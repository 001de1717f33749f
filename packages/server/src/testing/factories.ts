/** Creates records for tests through the write service: a test gives only the values it is about. */
import { randomUUID } from 'node:crypto'
import type { Caller, Locale, RoleType } from '@dala/model'
import { sql } from '../db/sql.ts'
import type { Database } from '../db/database.ts'
import { publishAllCourses, publishCourse } from '../domain/learning/publication.ts'
import { resourceNamed } from '../resources/attributes.ts'
import { type AuditLine, writeAudit } from '../resources/history/audit.ts'
import { addTranslation, createEntry, type WriteContext } from '../resources/write/write.ts'

type Draft = Readonly<Record<string, unknown>>

/** The password of every account that tests build. */
export const testPassword = 'Harvest-2026'

const systemCaller: Caller = { id: 0, role: 'owner', isConsultant: false, language: 'en', sessionId: 'test' }
const contextOf = (database: Database): WriteContext => ({
  database,
  author: { caller: systemCaller, seeding: true },
  view: {},
})

let builtCount = 0
/** Returns a number with which no other record of this worker was built. */
export function nextNumber(): number {
  builtCount += 1
  return builtCount
}

/** Creates a record of any resource and returns its wire id. */
export function buildRecord(database: Database, name: string, draft: Draft, locale: Locale = 'en'): Promise<number> {
  const resource = resourceNamed(name)
  return createEntry(contextOf(database), resource, draft, resource.localized ? locale : undefined)
}

/** Adds a language to a record and returns the wire id of the new text row. */
export function buildTranslation(
  database: Database,
  name: string,
  id: number,
  locale: Locale,
  draft: Draft,
): Promise<number> {
  return addTranslation(contextOf(database), resourceNamed(name), id, { ...draft, locale })
}

/** Publishes the courses in state `published` as they are now, so that learners read them. */
export const publishCourses = (database: Database): Promise<void> => database.transaction(publishAllCourses)

/** Publishes one course, named by a text of it, as it is now if its state is `published`. */
export const publishCourseOf = (database: Database, text: number): Promise<void> =>
  database.transaction(async (trx) => {
    const courses = await trx.query(sql<{ id: number }>`
      select id from courses
       where state = 'published' and id = (select document_id from courses_texts where id = ${text}) for update`)
    for (const { id } of courses) await publishCourse(trx, id)
  })

export const buildRegion = (database: Database, draft: Draft = {}, locale?: Locale) =>
  buildRecord(database, 'regions', { name: `Region ${nextNumber()}`, ...draft }, locale)

export const buildDistrict = (database: Database, draft: Draft = {}, locale?: Locale) =>
  buildRecord(database, 'districts', { name: `District ${nextNumber()}`, ...draft }, locale)

export const buildTag = (database: Database, draft: Draft = {}, locale?: Locale) =>
  buildRecord(database, 'tags', { name: `Tag ${nextNumber()}`, ...draft }, locale)

export const buildNews = (database: Database, draft: Draft = {}, locale?: Locale) =>
  buildRecord(database, 'news', { title: `News ${nextNumber()}`, ...draft }, locale)

/** Creates the record of a picture, as the upload route stores it. */
export const buildUpload = (database: Database, draft: Draft = {}) => {
  const hash = randomUUID().replaceAll('-', '')
  return buildRecord(database, 'uploads', {
    name: 'field.png',
    hash,
    ext: '.png',
    mime: 'image/png',
    url: `/uploads/${hash}.png`,
    ...draft,
  })
}

/** Returns the wire id of a fixed role, which is created when it does not exist yet. */
export async function buildRole(database: Database, type: RoleType): Promise<number> {
  const [existingRole] = await database.query(sql<{ id: number }>`select id from roles where type = ${type}`)
  return existingRole?.id ?? buildRecord(database, 'roles', { type, name: type })
}

/** Creates an account with the e-mail `<username>@example.org`. */
export async function buildUser(database: Database, role: RoleType, draft: Draft = {}): Promise<number> {
  const username = `person-${nextNumber()}`
  const account = {
    username,
    email: `${username}@example.org`,
    password: testPassword,
    role: await buildRole(database, role),
  }
  return buildRecord(database, 'users', { ...account, ...draft })
}

/** Adds a line to the audit log, as the program does, and returns its id. */
export async function buildAuditLine(database: Database, line: Partial<AuditLine> = {}): Promise<number> {
  await writeAudit(database, {
    action: 'sign-in.failed',
    user: null,
    address: '127.0.0.1',
    requestId: `request ${nextNumber()}`,
    ...line,
  })
  const [row] = await database.query(sql<{ id: number }>`select max(id) as id from audit`)
  return row?.id ?? 0
}

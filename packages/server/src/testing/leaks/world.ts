/**
 * Test world made from the registry: every resource in every state that its access table distinguishes, every
 * field marked.
 */
import {
  type Field,
  isLink,
  isScalar,
  isToMany,
  isToOne,
  type Locale,
  locales,
  parentPairsOf,
  type Resource,
  type RoleType,
  roleTypes,
  type RowFilter,
  type AccessRule,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Database } from '../../db/database.ts'
import { documentTable, linkStorage, textTable } from '../../db/schema.ts'
import reports from '../../seed/data/statistics.json' with { type: 'json' }
import { resourceNamed, resources } from '../../resources/attributes.ts'
import { removeEntry } from '../../resources/write/remove.ts'
import { createEntry, addTranslation, updateEntry, type WriteContext } from '../../resources/write/write.ts'
import { buildAuditLine, testPassword } from '../factories.ts'
import { Markers, type Owner } from './markers.ts'

/** Accounts of the test world that send requests, and those that only own records. */
export const peopleNames = ['farmer', 'neighbour', 'consultant', 'colleague', 'admin', 'superAdmin', 'owner'] as const
export type PersonName = (typeof peopleNames)[number]

const kinds: Readonly<Record<PersonName, { role: RoleType; is_consultant: boolean }>> = {
  farmer: { role: 'authenticated', is_consultant: false },
  neighbour: { role: 'authenticated', is_consultant: false },
  consultant: { role: 'authenticated', is_consultant: true },
  colleague: { role: 'authenticated', is_consultant: true },
  admin: { role: 'admin', is_consultant: false },
  superAdmin: { role: 'super-admin', is_consultant: false },
  owner: { role: 'owner', is_consultant: false },
}

interface Person {
  id: number
  username: string
  role: RoleType
  isConsultant: boolean
}

export interface LeakWorld {
  readonly markers: Markers
  readonly people: Readonly<Record<PersonName, Person>>
  /** First wire ids of the test world's records, by resource. */
  readonly recordIds: ReadonlyMap<string, readonly number[]>
  /** First wire ids of the test world's records that will be deleted, by resource. */
  readonly leavingIds: ReadonlyMap<string, readonly number[]>
}

/**
 * Columns that the server counts in, where a test value would break the counting. They contain no text of a
 * user.
 */
const countedFields: ReadonlySet<string> = new Set([
  'chatrooms.revision',
  'chatrooms.episode',
  'chatrooms.last_message',
  'chatmessages.seq',
  'chatmessages.file_names',
])

type Draft = Record<string, unknown>
type MakeOwner = (name: string) => Owner

/**
 * Tells whether a file is for fields with limited readers; no other field shows these files (contract §10).
 */
const isLimitedFile = (position: number) => position % 3 === 2

/** Values of fields in a form that the server needs to process the record, still with markers inside. */
type Shape = (takeWord: () => string, position: number, hash: () => string, likeness: () => string) => unknown
const fieldShapes: Readonly<Record<string, Shape>> = {
  'uploads.hash': (_word, _position, hash) => hash(),
  'uploads.url': (_word, _position, hash) => `/uploads/${hash()}.png`,
  'uploads.previewUrl': (makeWord) => `/uploads/${makeWord()}.png`,
  'uploads.likeness': (_word, _position, _hash, likeness) => likeness(),
  'uploads.private': (_word, position) => isLimitedFile(position),
  'uploads.ext': () => '.png',
  'uploads.mime': () => 'image/png',
  'uploads.provider': () => 'local',
  'uploads.focal': () => ({ x: 0.5, y: 0.5 }),
  'uploads.formats': (makeWord) => {
    const hash = makeWord()
    const copy = { ext: '.png', mime: 'image/png', width: 100, height: 100, size: 1, path: null }
    return { thumbnail: { name: makeWord(), hash, url: `/uploads/${hash}.png`, ...copy } }
  },
  'statistics.key': (_word, position) => reports.statistics[position]?.key,
  // A report's group and a post's currency are codes that statements and the panel look up.
  'pricelists.currency': () => 'UZS',
  'tradinposts.currency': () => 'UZS',
}

/** Returns every row filter of a resource: those of its access table, and its `baseFilter`. */
function filtersOf({ access, baseFilter }: Resource): RowFilter[] {
  const rules: (AccessRule | undefined)[] = [access.read, access.write, access.create, access.update, access.remove]
  const grants = rules.flatMap((rule) => (typeof rule === 'object' ? Object.values(rule) : []))
  const rows = grants.flatMap((grant) => (typeof grant === 'object' && grant.rows ? [grant.rows] : []))
  return baseFilter ? [...rows, baseFilter] : rows
}

/** Returns the fields that row filters of a resource use, with the texts they compare them to. */
function scopedFields(resource: Resource): Map<string, Set<string>> {
  const foundOperators = new Map<string, Set<string>>()
  const literals = (value: unknown): string[] =>
    typeof value === 'string'
      ? value.startsWith('$')
        ? []
        : [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(literals)
        : []
  const visitFilter = (filter: RowFilter): void => {
    for (const [key, value] of Object.entries(filter)) {
      if (key.startsWith('$')) {
        for (const filterPart of [value].flat())
          if (typeof filterPart === 'object') visitFilter(filterPart as RowFilter)
      } else if (key in resource.fields) {
        const knownOperators = foundOperators.get(key) ?? new Set()
        for (const text of literals(value)) knownOperators.add(text)
        foundOperators.set(key, knownOperators)
      }
    }
  }
  for (const filter of filtersOf(resource)) visitFilter(filter)
  return foundOperators
}

/** Lists the resources in an order in which most links find a target: required records come first. */
function resourcesInOrder(): Resource[] {
  const visitedNames = new Set<string>()
  const orderedResources: Resource[] = []
  const visit = (resource: Resource, path: readonly string[]): void => {
    if (visitedNames.has(resource.name) || path.includes(resource.name)) return
    const links = Object.values<Field>(resource.fields).filter(
      (field) => isLink(field) && (isToOne(field) || field.required),
    )
    for (const isRequired of [true, false])
      for (const field of links)
        if (isLink(field) && (field.required === true) === isRequired && (isRequired || path.length < 3))
          visit(resourceNamed(field.target), [...path, resource.name])
    if (visitedNames.has(resource.name)) return
    visitedNames.add(resource.name)
    orderedResources.push(resource)
  }
  for (const name of ['roles', 'uploads']) visit({ ...resourceNamed(name), fields: {} }, [])
  for (const resource of Object.values(resources)) visit(resource, [])
  return orderedResources.map(({ name }) => resourceNamed(name))
}

const greatestDivisor = (dividend: number, divisor: number): number =>
  divisor === 0 ? dividend : greatestDivisor(divisor, dividend % divisor)

/** Returns the n-th combination of several choices, spread evenly over all of them. */
function pickCombination(choices: readonly (readonly unknown[])[], position: number): unknown[] {
  const product = choices.reduce((partialProduct, { length }) => partialProduct * length, 1)
  let step = Math.max(1, Math.floor(product * 0.618))
  while (greatestDivisor(step, product) !== 1) step += 1
  let remainingPosition = (position * step) % product
  return choices.map((choice) => {
    const chosenValue = choice[remainingPosition % choice.length]
    remainingPosition = Math.floor(remainingPosition / choice.length)
    return chosenValue
  })
}

/**
 * Builds the test world; `most` limits the records of one resource, three times as many where its states are
 * many.
 */
class Builder {
  readonly markers = new Markers()
  readonly recordIds = new Map<string, number[]>()
  readonly leaving = new Map<string, number[]>()
  readonly people: Partial<Record<PersonName, Person>> = {}
  readonly #database: Database
  readonly #most: number
  readonly #later: { resource: Resource; id: number; fields: string[]; position: number }[] = []
  /** Names of stored files by the draft of the file's record. */
  readonly #hashes = new WeakMap<Draft, string>()
  #messages = 0
  #pictures = 0
  #mentions = 0
  /** Ids of chat messages by their room. */
  readonly #inRoom = new Map<number, number[]>()

  constructor(database: Database, maxRecords: number) {
    this.#database = database
    this.#most = maxRecords
  }

  get #context(): WriteContext {
    const caller = { id: 0, role: 'owner', isConsultant: false, language: 'en', sessionId: 'test' } as const
    return { database: this.#database, author: { caller, seeding: true }, view: {} }
  }

  async run(): Promise<LeakWorld> {
    await this.#spreadIds()
    for (const [position, type] of roleTypes.entries())
      await this.#make(resourceNamed('roles'), position, { type, two_step: false })
    const roles = this.recordIds.get('roles') ?? []
    for (const [position, name] of peopleNames.entries()) {
      const { role, is_consultant } = kinds[name]
      const account = { role: roles[roleTypes.indexOf(role)], is_consultant, active: true, blocked: false }
      const username = this.markers.word({ resource: 'users', record: 0, field: 'username' })
      const id = await this.#make(resourceNamed('users'), position, { ...account, removed_at: null, username })
      for (const owner of this.markers.all.get(username) ?? []) (owner as { record: number }).record = id ?? 0
      this.people[name] = { id: id ?? 0, username, role, isConsultant: is_consultant }
    }
    for (const resource of resourcesInOrder()) {
      if (resource.storedAs !== undefined || resource.name === 'roles' || resource.appendOnly) continue
      const count = this.#countOf(resource)
      for (let position = 0; position < count; position += 1) await this.#make(resource, position)
    }
    await this.#fillLater()
    for (let index = 0; index < 3; index += 1) {
      const owner: Owner = { resource: 'audit', record: 0, field: 'request_id' }
      owner.record = await buildAuditLine(this.#database, { requestId: this.markers.word(owner) })
      this.#note('audit', owner.record)
    }
    for (const resource of Object.values(resources)) {
      if (resource.noTrash || resource.fixedRows || resource.single || resource.storedAs || resource.appendOnly)
        continue
      if (resource.name === 'uploads' || resource.name === 'users' || resource.name === 'tradingposttypes') continue
      for (let index = 0; index < 3; index += 1) {
        const id = await this.#make(resource, this.#countOf(resource) + index, {}, true)
        if (id !== undefined) this.leaving.set(resource.name, [...(this.leaving.get(resource.name) ?? []), id])
      }
    }
    return {
      markers: this.markers,
      people: this.people as LeakWorld['people'],
      recordIds: this.recordIds,
      leavingIds: this.leaving,
    }
  }

  /**
   * Starts the ids of each table at a different number: an id then identifies its table, and is a marker as
   * well.
   */
  async #spreadIds(): Promise<void> {
    const tables = Object.values(resources)
      .filter(({ storedAs }) => storedAs === undefined)
      .flatMap((resource) => [documentTable(resource), ...(resource.localized ? [textTable(resource)] : [])])
    for (const [index, table] of tables.entries())
      await this.#database.query(
        sql`select setval(pg_get_serial_sequence(${table}::text, 'id'), ${1_000_000_000 + index * 1_000_000}::bigint)`,
      )
  }

  #note(name: string, id: number): void {
    this.recordIds.set(name, [...(this.recordIds.get(name) ?? []), id])
  }

  #choicesOf(resource: Resource): [string, readonly unknown[]][] {
    return [...scopedFields(resource)].flatMap(([name, texts]): [string, readonly unknown[]][] => {
      const field = resource.fields[name]
      if (!field || ('computed' in field && field.computed)) return []
      if (isToOne(field)) {
        const people = peopleNames.slice(0, 5).flatMap((person) => this.people[person]?.id ?? [])
        const ids = field.target === 'users' ? people : (this.recordIds.get(field.target) ?? [])
        return [[name, field.required ? ids : [...ids, null]]]
      }
      if (field.kind === 'bool') return [[name, [true, false]]]
      if (field.kind === 'choice') return [[name, field.values]]
      if (field.kind === 'dateTime') return [[name, [null, null, null, undefined]]]
      return texts.size > 0 && !fieldShapes[`${resource.name}.${name}`] ? [[name, [...texts, undefined]]] : []
    })
  }

  #countOf(resource: Resource): number {
    if (resource.single) return 1
    if (resource.name === 'statistics') return reports.statistics.length
    if (resource.name === 'uploads') return 26 * this.#most
    const product = this.#choicesOf(resource).reduce((partialProduct, [, { length }]) => partialProduct * length, 1)
    return Math.min(Math.max(product, 4), product > 100 ? 3 * this.#most : this.#most)
  }

  /**
   * Creates one record of the test world in some languages.
   *
   * @returns Its first wire id; undefined where it would be a duplicate.
   */
  async #make(
    resource: Resource,
    position: number,
    preset: Draft = {},
    isUnlisted = false,
  ): Promise<number | undefined> {
    const owners: Owner[] = []
    const makeOwnRecord: MakeOwner = (field) => {
      const owner = { resource: resource.name, record: 0, field }
      owners.push(owner)
      return owner
    }
    const laterFields: string[] = []
    const choices = this.#choicesOf(resource)
    const chosenValues = pickCombination(
      choices.map(([, options]) => options),
      position,
    )
    const fixedDraft: Draft = Object.fromEntries(choices.map(([name], index) => [name, chosenValues[index]]))
    const draft: Draft = {}
    for (const [index, [name, field]] of Object.entries<Field>(resource.fields).entries()) {
      const value = preset[name] ?? fixedDraft[name]
      if (name in preset || value !== undefined) draft[name] = value
      else if (isLink(field)) this.#link(resource, name, field, position + index, draft, laterFields)
      else if (isScalar(field)) this.#scalar(resource, name, field, position, makeOwnRecord, draft)
    }
    for (const { child, parent } of parentPairsOf(resource)) if (draft[child]) delete draft[parent]
    if (resource.name === 'chatmessages') this.#finishMessage(draft, position)
    const id = await this.#create(resource, draft)
    if (id === undefined) return undefined
    if (resource.name === 'chatmessages')
      this.#inRoom.set(Number(draft.room), [...(this.#inRoom.get(Number(draft.room)) ?? []), id])
    if (resource.localized) {
      const languages: readonly Locale[] = position % 3 === 0 ? locales : position % 3 === 1 ? ['ru', 'en'] : ['en']
      for (const locale of languages.filter((listedLocale) => listedLocale !== 'en')) {
        const texts: Draft = { locale }
        for (const [name, field] of Object.entries<Field>(resource.fields))
          if (isScalar(field) && field.localized) this.#scalar(resource, name, field, position, makeOwnRecord, texts)
        await addTranslation(this.#context, resource, id, texts)
      }
    }
    for (const owner of owners) owner.record = id
    if (!isUnlisted) this.#note(resource.name, id)
    if (laterFields.length > 0 || position % 3 === 0) this.#later.push({ resource, id, fields: laterFields, position })
    return id
  }

  #link(
    resource: Resource,
    name: string,
    field: Field,
    recordPosition: number,
    draft: Draft,
    laterLinks: string[],
  ): void {
    if (!isLink(field)) return
    const storage = linkStorage(resource, name, field, { ...resources })
    if (storage.in === 'mirror' || (isToMany(field) && field.readOnly)) return
    const ids = this.recordIds.get(field.target) ?? []
    // The first record of a resource in the test world is not part of another record.
    if (ids.length === 0) return void (field.target === resource.name || laterLinks.push(name))
    // Files of the test world are shared by as few records as possible: one that is visible somewhere proves
    // nothing.
    const isFile = field.target === 'uploads'
    const turnNumber = isFile ? (this.#pictures += 1) : recordPosition
    const isLimited = field.readableBy !== undefined
    const pool = isFile
      ? ids.filter((_, fileIndex) => !this.#isForTexts(fileIndex) && isLimitedFile(fileIndex) === isLimited)
      : ids
    if (pool.length === 0) return
    const pickId = (index: number) => pool[index % pool.length]
    if (`${resource.name}.${name}` === 'chatmessages.reply_to') return
    if (isToMany(field)) draft[name] = [...new Set([pickId(turnNumber), pickId(turnNumber * 3 + 1)])]
    else if (field.required || ('parent' in field && field.parent) || turnNumber % 5 !== 4)
      draft[name] = pickId(turnNumber)
  }

  #scalar(resource: Resource, name: string, field: Field, position: number, ownerOf: MakeOwner, draft: Draft): void {
    if (!isScalar(field) || field.computed || ('from' in field && field.from)) return
    const key = `${resource.name}.${name}`
    if (countedFields.has(key)) return
    const owner = ownerOf(name)
    const form = fieldShapes[key]
    if (form)
      draft[name] = form(
        () => this.markers.word(owner),
        position,
        () => this.#hashOf(draft, owner),
        () => this.markers.likeness(owner),
      )
    else if (field.kind === 'bool') draft[name] = (position + name.length) % 2 === 0
    else if (field.kind === 'choice') draft[name] = field.values[position % field.values.length]
    else if (field.kind === 'password') draft[name] = testPassword
    else if (field.kind === 'time') draft[name] = '06:30'
    else if (field.kind === 'int' && field.max !== undefined && field.max < 1_000)
      draft[name] = Math.min(field.max, (field.min ?? 0) + 1)
    else draft[name] = this.markers.valueOf(field, owner) ?? (field.kind === 'decimal' ? 0.5 : undefined)
    if (field.kind === 'rich' && position % 2 === 0) {
      const picture = this.#urlForText()
      if (picture !== undefined) draft[name] = `${String(draft[name])}<p><img src="${picture}"></p>`
    }
  }

  /** Returns the stored name of a file, a marker of each field that shows it. */
  #hashOf(draft: Draft, owner: Owner): string {
    const knownHash = this.#hashes.get(draft)
    const hash = knownHash === undefined ? this.markers.hash(owner) : this.markers.own(knownHash, owner)
    this.#hashes.set(draft, hash)
    return hash
  }

  /** Tells whether no record links to a file: it is visible only through a text that names it. */
  #isForTexts(position: number): boolean {
    return position >= 4 * this.#most && !isLimitedFile(position)
  }

  /** Returns the next file for a text, so that few texts name the same file. */
  #urlForText(): string | undefined {
    const files = (this.recordIds.get('uploads') ?? []).filter((_, position) => this.#isForTexts(position))
    const file = files[this.#mentions % Math.max(files.length, 1)]
    this.#mentions += 1
    for (const [marker, owners] of this.markers.all)
      if (owners.some(({ resource, field, record }) => resource === 'uploads' && field === 'url' && record === file))
        return `/uploads/${marker}.png`
    return undefined
  }

  /** Gives a chat message a number that is unique in its room, and a message of the room to reply to. */
  #finishMessage(draft: Draft, position: number): void {
    this.#messages += 1
    draft.seq = this.#messages
    // A chat message replies only to messages of its own room (chat §4).
    const room = Number(draft.room)
    const earlierIds = this.#inRoom.get(room) ?? []
    draft.reply_to = earlierIds[position % Math.max(earlierIds.length, 1)] ?? null
  }

  async #create(resource: Resource, draft: Draft): Promise<number | undefined> {
    try {
      return await createEntry(this.#context, resource, draft, resource.localized ? 'en' : undefined)
    } catch (error) {
      const message = JSON.stringify(error, Object.getOwnPropertyNames(error))
      // A unique choice with few values, or a unique pair: one record of each is enough.
      if (message.includes('validation.unique')) return undefined
      throw new Error(`${resource.name} could not be made of ${JSON.stringify(draft)}: ${message}`, { cause: error })
    }
  }

  /**
   * Sets links of the test world that had no target yet, and changes the title of every third record, for its
   * history.
   */
  async #fillLater(): Promise<void> {
    for (const { resource, id, fields, position } of this.#later) {
      const draft: Draft = {}
      for (const [index, name] of fields.entries()) {
        const field = resource.fields[name]
        if (field) this.#link(resource, name, field, position + index, draft, [])
      }
      for (const { child, parent } of parentPairsOf(resource)) if (draft[child]) delete draft[parent]
      const title = resource.fields[resource.title]
      if (position % 3 === 0 && title && (title.kind === 'text' || title.kind === 'longText') && !title.computed)
        if (resource.name !== 'users')
          draft[resource.title] = this.markers.word({ resource: resource.name, record: id, field: resource.title })
      if (Object.keys(draft).length > 0) await updateEntry(this.#context, resource, id, draft)
    }
  }
}

/**
 * Fills an emptied database with the test world.
 *
 * @param maxRecords - Maximum records of a resource; three times as many where its access table uses several
 *   fields.
 */
export function buildLeakWorld(database: Database, maxRecords: number): Promise<LeakWorld> {
  return new Builder(database, maxRecords).run()
}

/**
 * Deletes the records of the test world that were made for deletion, every second one in one language only.
 */
export async function removeLeavingRecords(database: Database, { leavingIds }: LeakWorld): Promise<void> {
  const caller = { id: 0, role: 'owner', isConsultant: false, language: 'en', sessionId: 'test' } as const
  for (const [name, ids] of leavingIds) {
    const resource = resourceNamed(name)
    for (const id of ids)
      await removeEntry({ database, author: { caller, seeding: true }, view: {} }, resource, id, true)
  }
}

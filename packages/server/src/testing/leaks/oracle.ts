/**
 * Derives from the declarations alone what a caller may see of a world. Access tables, row filters, cards and
 * hidden fields are evaluated in plain TypeScript over the rows of the tables, without the server's compiler.
 */
import {
  decideAccess,
  type Field,
  isLink,
  isToMany,
  isToOne,
  rankOfRole,
  type Resource,
  type RoleType,
  rolesBelow,
  rolesAtMost,
  type RowFilter,
  type RowFilterValue,
} from '@dala/model'
import type { Database } from '../../db/database.ts'
import { documentTable, linkStorage, textTable } from '../../db/schema.ts'
import { resourceNamed, resources } from '../../resources/attributes.ts'
import { type Markers, markersIn, type Owner } from './markers.ts'

type Row = Readonly<Record<string, unknown>>

/** A document of the test world with its values, and the documents that its links point at. */
export interface KnownDocument {
  readonly table: string
  readonly id: number
  /** Wire ids of the document, one for each language. */
  readonly wireIds: readonly number[]
  readonly values: Row
  readonly texts: readonly Row[]
  readonly links: Map<string, KnownDocument[]>
}

/** Documents of the test world by table and id. */
export type KnownDocuments = ReadonlyMap<string, ReadonlyMap<number, KnownDocument>>

const storedResources = (): Resource[] => Object.values(resources).filter(({ storedAs }) => storedAs === undefined)

async function rowsOf(database: Database, table: string): Promise<Row[]> {
  const rows = await database.rows({ sql: `select to_jsonb(t)::text from ${table} as t order by 1`, parameters: [] })
  return rows.map(([text]) => JSON.parse(String(text)) as Row)
}

/** Reads all tables of the test world. */
export async function readKnownDocuments(database: Database): Promise<KnownDocuments> {
  const knownDocuments = new Map<string, Map<number, KnownDocument>>()
  for (const resource of storedResources()) {
    const table = documentTable(resource)
    const texts = resource.localized ? await rowsOf(database, textTable(resource)) : []
    const documents = new Map<number, KnownDocument>()
    for (const values of await rowsOf(database, table)) {
      const id = Number(values.id)
      const documentTexts = texts.filter((text) => text.document_id === id)
      const wireIds = resource.localized ? documentTexts.map((text) => Number(text.id)) : [id]
      documents.set(id, { table, id, wireIds, values, texts: documentTexts, links: new Map() })
    }
    knownDocuments.set(table, documents)
  }
  for (const resource of storedResources()) await connectDocuments(database, resource, knownDocuments)
  return knownDocuments
}

async function connectDocuments(database: Database, resource: Resource, knownByTable: KnownDocuments): Promise<void> {
  const documents = knownByTable.get(documentTable(resource))
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (!isLink(field)) continue
    const storage = linkStorage(resource, name, field, { ...resources })
    const targets = knownByTable.get(field.target)
    const pairs = storage.in === 'table' ? await rowsOf(database, storage.table) : []
    for (const document of documents?.values() ?? []) {
      const foundDocuments =
        storage.in === 'column'
          ? [targets?.get(Number(document.values[storage.column]))]
          : storage.in === 'mirror'
            ? [...(targets?.values() ?? [])].filter(({ values }) => values[storage.column] === document.id)
            : pairs
                .filter((pair) => pair[storage.ownColumn] === document.id)
                .map((pair) => targets?.get(Number(pair[storage.otherColumn])))
      document.links.set(
        name,
        foundDocuments.filter((foundDocument) => foundDocument !== undefined),
      )
    }
  }
}

/** Properties of a caller that access tables use. */
export interface Viewer {
  readonly id: number
  readonly role: RoleType
  readonly isConsultant: boolean
}

/** SQL's third truth value: a comparison with a missing value is unknown. */
type TruthValue = boolean | undefined
const conjunctionOf = (truths: readonly TruthValue[]): TruthValue =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true
const negate = (truth: TruthValue): TruthValue => (truth === undefined ? undefined : !truth)
const disjunctionOf = (truths: readonly TruthValue[]): TruthValue => negate(conjunctionOf(truths.map(negate)))

const joiningOperators: ReadonlySet<string> = new Set(['$and', '$or', '$not'])
const isFilter = (value: RowFilterValue): value is RowFilter => typeof value === 'object' && !Array.isArray(value)

/**
 * A viewer of the test world, and the documents that visible records show through a picture or inside a text.
 */
interface Scope extends Viewer {
  readonly isShown: (document: KnownDocument) => boolean
}

function fillViewer(value: unknown, viewer: Viewer): unknown {
  if (value === '$caller.id') return viewer.id
  if (value === '$caller.rolesBelow') return rolesBelow(viewer.role)
  if (value === '$caller.rolesUpTo') return rolesAtMost(viewer.role)
  return value
}

function compareValues(operator: string, value: unknown, comparedValue: unknown): TruthValue {
  const isMissing = value === null || value === undefined
  if (operator === '$null') return isMissing === (comparedValue === true)
  if (operator === '$notNull') return isMissing !== (comparedValue === true)
  if (isMissing) return undefined
  const list = [comparedValue].flat()
  if (operator === '$eq' || operator === '$in') return list.includes(value)
  if (operator === '$ne' || operator === '$notIn') return !list.includes(value)
  throw new Error(`The oracle knows no operator ${operator}: teach it what row filters mean by it`)
}

/** Tells whether a row filter includes a document. */
function passesFilter(filter: RowFilter, resource: Resource, document: KnownDocument, viewer: Scope): TruthValue {
  const partResult = ([key, value]: [string, RowFilterValue]): TruthValue => {
    if (key === '$shown') return viewer.isShown(document) === value
    const innerFilters = [value].flat() as RowFilter[]
    if (key === '$and')
      return conjunctionOf(innerFilters.map((innerFilter) => passesFilter(innerFilter, resource, document, viewer)))
    if (key === '$or')
      return disjunctionOf(innerFilters.map((innerFilter) => passesFilter(innerFilter, resource, document, viewer)))
    if (key === '$not')
      return negate(
        conjunctionOf(innerFilters.map((innerFilter) => passesFilter(innerFilter, resource, document, viewer))),
      )
    const field: Field | undefined = resource.fields[key]
    const operators =
      isFilter(value) && Object.keys(value).every((name) => name.startsWith('$') && !joiningOperators.has(name))
    if (field && isLink(field)) {
      const targets = document.links.get(key) ?? []
      if (isFilter(value) && !operators) {
        const foundTruths = targets.map((target) => passesFilter(value, resourceNamed(field.target), target, viewer))
        return isToMany(field) ? foundTruths.includes(true) : foundTruths[0]
      }
      const ids = targets.map(({ id }) => id)
      return isToOne(field)
        ? passesTest(value, ids[0] ?? null, viewer)
        : ids.some((id) => passesTest(value, id, viewer))
    }
    if (!field && key !== 'id') throw new Error(`The oracle does not know ${resource.name}.${key}`)
    return passesTest(value, document.values[key] ?? null, viewer)
  }
  return conjunctionOf(Object.entries(filter).map(partResult))
}

function passesTest(value: RowFilterValue, storedValue: unknown, viewer: Viewer): TruthValue {
  if (!isFilter(value)) return compareValues('$eq', storedValue, fillViewer(value, viewer))
  return conjunctionOf(
    Object.entries(value).map(([operator, comparedValue]) =>
      compareValues(operator, storedValue, fillViewer(comparedValue, viewer)),
    ),
  )
}

/**
 * Fields that a viewer may see; `undefined` stands for every field that is neither private nor for a stronger
 * role.
 */
type VisibleNames = readonly string[] | undefined

/** A file is visible to its owner, the staff and readers of a record that shows it (contract §10). */
const filesInSight: RowFilter = { $or: [{ owner: '$caller.id' }, { $shown: true }] }

interface ReadingScope {
  rows: RowFilter | undefined
  onlyNames: VisibleNames
}

/** Returns the records and fields that a viewer may read through the resource's own routes. */
function readingOf(resource: Resource, viewer: Viewer): ReadingScope | undefined {
  const grant = decideAccess(resource.access, 'get', viewer)
  if (grant === false) return undefined
  const { rows, card } = grant === true ? {} : grant
  if (resource.name === 'uploads' && rankOfRole(viewer.role) < rankOfRole('admin'))
    return { rows: filesInSight, onlyNames: undefined }
  return { rows, onlyNames: card ? resource.card : undefined }
}

/** Returns the fields of a linked record that a viewer may read (contract §4, read rights). */
function relatedReadingOf(resource: Resource, viewer: Viewer): ReadingScope | undefined {
  if (resource.name === 'uploads')
    return {
      rows: undefined,
      onlyNames: rankOfRole(viewer.role) < rankOfRole('admin') ? fileCard(resource) : undefined,
    }
  const grant = decideAccess(resource.access, 'get', viewer)
  if (grant === true) return { rows: undefined, onlyNames: undefined }
  if (resource.card) return { rows: undefined, onlyNames: resource.card }
  return grant === false ? undefined : { rows: grant.rows, onlyNames: undefined }
}

/** Readers of a picture see neither who uploaded it nor the original it was cropped from. */
const fileCard = (resource: Resource): VisibleNames =>
  resource.card ?? Object.keys(resource.fields).filter((name) => !isLink(resource.fields[name] as Field))

const keyOf = ({ table, id }: Pick<KnownDocument, 'table' | 'id'>) => `${table} ${id}`

/** The visible values of one viewer in a test world. */
export class VisibleRecords {
  readonly #known: KnownDocuments
  readonly #viewer: Viewer
  readonly #scope: Scope
  readonly #seen = new Map<string, Set<string>>()
  readonly #markers: Markers
  /** Ids of visible records that answers show as numbers. */
  readonly #ids = new Set<string>()
  readonly #byUrl: ReadonlyMap<string, KnownDocument>
  /** Documents that the routes of each resource show to the viewer. */
  readonly #listed = new Map<Resource, ReadonlySet<KnownDocument>>()

  constructor(knownByTable: KnownDocuments, viewer: Viewer, markers: Markers) {
    this.#known = knownByTable
    this.#viewer = viewer
    this.#scope = { ...viewer, isShown: (document) => this.#seen.has(keyOf(document)) }
    this.#markers = markers
    this.#byUrl = new Map(
      [...(knownByTable.get('uploads')?.values() ?? [])].flatMap((file) =>
        [...markersIn(String(file.values.url), markers.all)].map((marker) => [marker, file] as const),
      ),
    )
    if (viewer.role === 'public') return
    // Visibility of files in the test world follows from all other records.
    const files = resourceNamed('uploads')
    for (const resource of Object.values(resources)) if (resource !== files) this.#direct(resource)
    const ownDocument = knownByTable.get('users')?.get(viewer.id)
    // Users see their whole own account through `GET /users/me` (contract §14).
    if (ownDocument) this.#see(resourceNamed('users'), ownDocument, undefined)
    this.#direct(files)
  }

  /** Tells whether the resource's own routes show a document to the viewer. */
  lists(resource: Resource, document: KnownDocument): boolean {
    const listedDocuments = this.#listed.get(resource) ?? new Set(this.rowsOf(resource))
    this.#listed.set(resource, listedDocuments)
    return listedDocuments.has(document)
  }

  /** Returns the documents of a resource that its own routes show to the viewer. */
  rowsOf(resource: Resource): KnownDocument[] {
    const readingScope = this.#viewer.role === 'public' ? undefined : readingOf(resource, this.#viewer)
    if (!readingScope) return []
    const filters = [resource.baseFilter, readingScope.rows].filter((filter) => filter !== undefined)
    return [...(this.#known.get(documentTable(resource))?.values() ?? [])].filter((document) =>
      filters.every((filter) => passesFilter(filter, resource, document, this.#scope) === true),
    )
  }

  #direct(resource: Resource): void {
    const readingScope = readingOf(resource, this.#viewer)
    if (!readingScope) return
    for (const document of this.rowsOf(resource)) this.#see(resource, document, readingScope.onlyNames)
  }

  /** Tells whether the viewer may see a field of a resource at all. */
  #isShown({ fields }: Resource, name: string, visibleNames: VisibleNames): boolean {
    const field: Field | undefined = fields[name]
    if (!field || field.private || (visibleNames && !visibleNames.includes(name))) return false
    return field.readableBy === undefined || rankOfRole(this.#viewer.role) >= rankOfRole(field.readableBy)
  }

  #see(resource: Resource, document: KnownDocument, visibleNames: VisibleNames): void {
    const seenNames = this.#seen.get(keyOf(document)) ?? new Set<string>()
    this.#seen.set(keyOf(document), seenNames)
    seenNames.add('id')
    for (const [name, field] of Object.entries<Field>(resource.fields)) {
      if (seenNames.has(name) || !this.#isShown(resource, name, visibleNames)) continue
      seenNames.add(name)
      // A line of the audit log names its record by number (contract §14, audit).
      if (resource.name === 'audit' && name === 'entry') this.#ids.add(String(document.values[name]))
      if (isLink(field)) for (const target of document.links.get(name) ?? []) this.#follow(field.target, target)
      else if (field.kind === 'rich' || field.kind === 'json') this.#seeFiles(name, document)
    }
  }

  /** A rich text or a structure shows the pictures inside it. */
  #seeFiles(name: string, { values, texts }: KnownDocument): void {
    const text = JSON.stringify([values[name], ...texts.map((languageTexts) => languageTexts[name])])
    for (const marker of markersIn(text, this.#byUrl)) {
      const file = this.#byUrl.get(marker)
      if (file) this.#follow('uploads', file)
    }
  }

  #follow(target: string, document: KnownDocument): void {
    const resource = resourceNamed(target)
    const readingScope = relatedReadingOf(resource, this.#viewer)
    if (!readingScope) return
    const filters = [resource.card ? undefined : resource.baseFilter, readingScope.rows].filter(
      (rowFilter) => rowFilter !== undefined,
    )
    if (filters.every((filter) => passesFilter(filter, resource, document, this.#scope) === true))
      this.#see(resource, document, readingScope.onlyNames)
  }

  /** Tells whether a field of a document is visible to the viewer through any route. */
  sees({ table, id }: Pick<KnownDocument, 'table' | 'id'>, field: string): boolean {
    return this.#seen.get(keyOf({ table, id }))?.has(field) === true
  }

  /** Returns every marker that the viewer may see. */
  markers(find: (owner: Owner) => KnownDocument | undefined): Set<string> {
    const shownIds = new Set(this.#ids)
    for (const [marker, owners] of this.#markers.all)
      for (const owner of owners) {
        const document = find(owner)
        if (document && this.sees(document, owner.field)) shownIds.add(marker)
      }
    return shownIds
  }
}

/** Finds documents by the wire ids in owners of markers. */
export function finderOf(
  knownDocuments: KnownDocuments,
): (owner: Pick<Owner, 'resource' | 'record'>) => KnownDocument | undefined {
  const documentsByWire = new Map<string, KnownDocument>()
  for (const documents of knownDocuments.values())
    for (const document of documents.values())
      for (const id of document.wireIds) documentsByWire.set(`${document.table} ${id}`, document)
  return ({ resource, record }) => documentsByWire.get(`${documentTable(resourceNamed(resource))} ${record}`)
}

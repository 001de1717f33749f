/**
 * Private files: files in a field with limited readers (`readableBy`). A file is either private or shown by
 * records, never both, because it has one address (contract §10).
 */
import { type Field, isLink, type Issue, type Resource, storedExtensions, validationFault } from '@dala/model'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { documentTable } from '../../db/schema.ts'
import { fileResource, fileTable } from '../attributes.ts'
import type { WriteFindings } from './examine.ts'
import type { ResolvedLink } from './links.ts'
import { mentionTable } from '../mentions.ts'
import { showingLinks } from '../read/shown-by.ts'

type Sql = Template<unknown>
type Values = Readonly<Record<string, unknown>>

const files = sql.table(fileTable)
/** File addresses and stored names contain the hash of the file. */
const hashInText = new RegExp(`[0-9a-f]{32}(?=[.](?:${storedExtensions.join('|')}))`, 'g')

const isOfFiles = (field: Field | undefined): boolean =>
  field !== undefined && isLink(field) && field.target === fileResource.name

/**
 * Tells whether a field makes its files private.
 *
 * @param resource - The holder.
 * @param name - The field.
 * @returns True for a link to files with limited readers.
 */
function makesFilesPrivate(resource: Resource, name: string): boolean {
  const field: Field | undefined = resource.fields[name]
  return isOfFiles(field) && field?.readableBy !== undefined
}

/**
 * Adds the privacy of linked files to the columns that a write loads.
 *
 * @param resource - The resource that is written.
 * @param targetColumns - Columns of targets by link.
 * @returns The same with `private` for each link to files.
 */
export function applyPrivacy(
  resource: Resource,
  targetColumns: Readonly<Record<string, readonly string[]>>,
): Record<string, readonly string[]> {
  const links = Object.entries<Field>(resource.fields).filter(([, field]) => isOfFiles(field))
  return {
    ...targetColumns,
    ...Object.fromEntries(links.map(([name]) => [name, [...(targetColumns[name] ?? []), 'private']])),
  }
}

/** A file that a body links to, with the properties of the field and of the file. */
interface LinkedFile {
  field: string
  file: number
  /** Whether the field that links to the file has limited readers. */
  makesPrivate: boolean
  /** Whether the linked file is already private. */
  isPrivate: boolean
  /** Whether the record linked to the file before the write. */
  wasLinked: boolean
}

/** Returns the documents of a link before a write. */
function linkedDocumentsBefore(
  { attribute }: ResolvedLink,
  { lists }: WriteFindings,
  formerValues: Values,
): readonly number[] {
  const { name, place } = attribute
  const value = formerValues[name]
  return place.in === 'column' ? (typeof value === 'number' ? [value] : []) : (lists.get(name) ?? [])
}

/**
 * Returns the files that a body links to, in any field. A link between two files shows neither and does not
 * count.
 *
 * @param resource - The resource that is written.
 * @param links - The links of the body.
 * @param findings - What the write knows of their targets.
 * @param formerValues - The stored values, by field.
 * @returns One element for each file and field.
 */
export function linkedFiles(
  resource: Resource,
  links: ReadonlyMap<string, ResolvedLink>,
  findings: WriteFindings,
  formerValues: Values,
): LinkedFile[] {
  if (documentTable(resource) === fileTable) return []
  return [...links].flatMap(([field, link]): LinkedFile[] => {
    if (documentTable(link.attribute.target) !== fileTable) return []
    const documentsBefore = linkedDocumentsBefore(link, findings, formerValues)
    const newDocuments = 'set' in link.change ? link.change.set : link.change.connect
    return newDocuments.map((file) => ({
      field,
      file,
      makesPrivate: makesFilesPrivate(resource, field),
      isPrivate: findings.targetValues.get(field)?.get(file)?.private === true,
      wasLinked: documentsBefore.includes(file),
    }))
  })
}

const privateIssue = (field: string): Issue => ({ path: [field], code: 'validation.filePrivate', params: { field } })
const shownIssue = (field: string): Issue => ({ path: [field], code: 'validation.fileShown', params: { field } })

/**
 * Refuses bodies that are invalid by themselves: a private file in a field that everybody reads, or one file
 * in both kinds of field.
 *
 * @param fileLinks - The files of the body.
 * @returns One issue for each field.
 */
export function privateIssues(fileLinks: readonly LinkedFile[]): Issue[] {
  const publiclyLinked = new Set(fileLinks.filter(({ makesPrivate }) => !makesPrivate).map(({ file }) => file))
  const refusedIssues = fileLinks.flatMap(({ field, file, makesPrivate, isPrivate }): Issue[] => {
    if (!makesPrivate) return isPrivate ? [privateIssue(field)] : []
    return publiclyLinked.has(file) ? [shownIssue(field)] : []
  })
  return refusedIssues.filter(
    ({ path }, index) => refusedIssues.findIndex((otherIssue) => otherIssue.path[0] === path[0]) === index,
  )
}

/** Hashes of the files whose addresses are in the values, by field. A file's own record is left out. */
function hashesIn(resource: Resource, values: Values): Map<string, string[]> {
  const namedFields = new Map<string, string[]>()
  if (documentTable(resource) === fileTable) return namedFields
  for (const [field, value] of Object.entries(values)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
    const hashes = text.match(hashInText)
    if (hashes) namedFields.set(field, hashes)
  }
  return namedFields
}

/**
 * Refuses texts and structures that contain addresses of
 * private files. The files are locked against becoming private.
 *
 * @param trx - The transaction of the write.
 * @param resource - The resource that is written.
 * @param values - The values as they are stored.
 * @returns One issue for each field; no statement runs without an address.
 */
export async function namedIssues(trx: Transaction, resource: Resource, values: Values): Promise<Issue[]> {
  const namedHashes = hashesIn(resource, values)
  if (namedHashes.size === 0) return []
  const hashes = [...new Set([...namedHashes.values()].flat())].toSorted()
  const rows = await trx.rows(
    compileTemplate(sql`select named.hash from unnest(${hashes}::text[]) as named(hash)
      left join upload_addresses former on former.hash = named.hash
      join ${files} u on (u.hash = named.hash or u.id = former.file_id) and u.private order by u.id for share of u`),
  )
  const foundHashes = new Set(rows.map(([hash]) => String(hash)))
  return [...namedHashes]
    .filter(([, fieldHashes]) => fieldHashes.some((hash) => foundHashes.has(hash)))
    .map(([field]) => privateIssue(field))
}

/**
 * SQL of the condition that a field which everybody reads links
 * to the file, or that a text of another record names it.
 */
function openlyShownSql(file: Sql): Sql {
  const parts = showingLinks(fileResource).flatMap(({ resource, field, storage }) => {
    if (makesFilesPrivate(resource, field)) return []
    const { table, column } =
      storage.in === 'column'
        ? { table: documentTable(resource), column: storage.column }
        : { table: storage.table, column: storage.otherColumn }
    return [sql`exists (select 1 from ${sql.table(table)} as held where ${sql.ref(`held.${column}`)} = ${file})`]
  })
  const mentionedSql = sql`exists (select 1 from ${sql.table(mentionTable)} as named
    where named.file_id = ${file} and named.resource <> ${sql.lit(fileTable)})`
  return sql`(${sql.join([...parts, mentionedSql], sql` or `)})`
}

/**
 * Makes files private, and the originals that they were cut from where nothing shows these.
 *
 * @param trx - The transaction of the write.
 * @param ids - Files that a field with limited readers has from now on.
 * @returns The files that are shown somewhere and therefore stay public.
 */
async function hideFiles(trx: Transaction, ids: readonly number[]): Promise<Set<number>> {
  const rows = await trx.rows(
    compileTemplate(sql`with recursive above(id) as (
        select unnest(${[...ids]}::int[]) union select original_id from ${files} join above using (id) where original_id is not null
      ), hidden as (
        update ${files} set private = true where id in (select id from above) and not private
          and not ${openlyShownSql(sql.ref(`${fileTable}.id`))} returning id)
      select id from ${files} where id = any(${[...ids]}::int[]) and not private and id not in (select id from hidden)`),
  )
  trx.changed(fileTable)
  return new Set(rows.map(([id]) => Number(id)))
}

/**
 * Makes the files private that a body puts into a field with limited readers.
 *
 * @param trx - The transaction of the write.
 * @param fileLinks - The files of the body.
 * @throws 400 `validation.fileShown` for a file that is shown to everybody: it must be uploaded again.
 */
export async function makeFilesPrivate(trx: Transaction, fileLinks: readonly LinkedFile[]): Promise<void> {
  const openFiles = fileLinks.filter(
    ({ makesPrivate, isPrivate, wasLinked }) => makesPrivate && !isPrivate && !wasLinked,
  )
  if (openFiles.length === 0) return
  const shownFiles = await hideFiles(trx, [...new Set(openFiles.map(({ file }) => file))])
  const fields = new Set(openFiles.filter(({ file }) => shownFiles.has(file)).map(({ field }) => field))
  if (fields.size > 0) throw validationFault([...fields].map(shownIssue))
}

/**
 * Makes the files of a restored record private that are in fields with limited readers.
 *
 * @param trx - The transaction of the restore.
 * @param resource - The resource of the record.
 * @param targets - The documents of its links, by field.
 */
export async function makeRestoredPrivate(
  trx: Transaction,
  resource: Resource,
  targets: Readonly<Record<string, readonly number[]>>,
): Promise<void> {
  const ids = Object.entries(targets).flatMap(([field, targetIds]) =>
    makesFilesPrivate(resource, field) ? targetIds : [],
  )
  if (ids.length > 0) await hideFiles(trx, ids)
}

/**
 * Returns the privacy of a new cut: a cut of a private file is private from the start.
 *
 * @param resource - The resource that is written.
 * @param toOne - Its to-one links as documents, by field.
 * @param findings - What the write knows of their targets.
 * @returns The column to write as well; nothing for other records.
 */
export function privacyOfCut(resource: Resource, toOne: Values, { targetValues }: WriteFindings): { private?: true } {
  const { original } = toOne
  const isCut = documentTable(resource) === fileTable && typeof original === 'number'
  return isCut && targetValues.get('original')?.get(original)?.private === true ? { private: true } : {}
}

/**
 * Returns the targets that a restored link may have.
 *
 * @param resource - The holder.
 * @param name - The link.
 * @param target - The target's resource.
 * @returns SQL of its documents. Fields that everybody reads leave out files that have become private.
 */
export function existingTargets(resource: Resource, name: string, target: Resource): Sql {
  const table = sql.table(documentTable(target))
  const isOpen =
    documentTable(target) === fileTable && documentTable(resource) !== fileTable && !makesFilesPrivate(resource, name)
  return isOpen ? sql`(select id from ${table} where not private)` : table
}

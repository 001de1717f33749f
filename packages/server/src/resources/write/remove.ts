/**
 * Deletes records: checks the links to them, deletes their parts with them, and stores what a restore needs.
 */
import { randomUUID } from 'node:crypto'
import { fault, type Field, hasTrash, isLink, type Locale, locales, type Resource } from '@dala/model'
import { compileTemplate, sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { documentTable, inboundLinks, type InboundLink, textTable } from '../../db/schema.ts'
import { linkOf, resources } from '../attributes.ts'
import { lastChanges, privateValues } from './changes.ts'
import { lockEntry, type StoredEntry } from './examine.ts'
import type { Change, Revision } from '../history/history.ts'
import { holdersSql, lastOfListSql, isHolderRequired, ruleOf } from './inbound.ts'
import { lockTargetsFirst } from './lock-order.ts'
import { forgetMentionsSql } from '../mentions.ts'
import { storeRemovedRows } from './removed-rows.ts'
import { removeRows } from './store.ts'
import { runInTransaction, type WriteContext } from './write.ts'

/**
 * Deletes an entry; with the last language, or with `allLanguages`, the document and its parts.
 *
 * @param context - The author and their rights.
 * @param resource - The resource of the entry.
 * @param id - The wire id.
 * @param allLanguages - Whether all languages are deleted.
 * @param otherRemovedResource - Resource of records that are deleted too, although their link would only be emptied;
 *   a restore brings them back with the entry.
 * @throws 404 outside the caller's rows; 409 with resource and count while a restricting link points here.
 */
export async function removeEntry(
  context: WriteContext,
  resource: Resource,
  id: number,
  allLanguages: boolean,
  otherRemovedResource?: string,
): Promise<void> {
  await runInTransaction(context, resource, async (trx) => {
    const [, lockedEntry] = await Promise.all([
      lockTargetsFirst(trx, resource, { ids: [id] }),
      lockEntry(trx, resource, id, context),
    ])
    if (!lockedEntry) throw fault('record.not-found')
    await removeStoredEntry(trx, context, resource, lockedEntry, {
      allLanguages,
      removal: randomUUID(),
      otherRemovedResource,
    })
  })
}

interface Removal {
  allLanguages: boolean
  removal: string
  otherRemovedResource?: string | undefined
}

async function removeStoredEntry(
  trx: Transaction,
  context: WriteContext,
  resource: Resource,
  storedEntry: StoredEntry,
  { allLanguages, removal, otherRemovedResource }: Removal,
): Promise<void> {
  const linksAround = await loadLinksAround(trx, resource, storedEntry)
  const leavingTexts = allLanguages
    ? [...linksAround.family]
    : storedEntry.locale
      ? [[storedEntry.locale, storedEntry.entry] as const]
      : []
  const isGone = !storedEntry.locale || leavingTexts.length === linksAround.family.size
  const now = new Date().toISOString()
  await trx.parts.behaviourOf(resource)?.settleValues({
    operation: 'remove',
    caller: context.author.caller,
    isTrusted: context.isTrusted === true,
    draft: {},
    valuesBefore: storedEntry.values,
    document: storedEntry.document,
    values: {},
    lists: {},
    leaveListUnchanged: () => {},
    target: () => undefined,
    locale: storedEntry.locale,
    now,
    trx,
  })
  if (isGone) {
    refuseWhenHeld(linksAround.inbound)
    await refuseWhenLastOfList(trx, linksAround.inbound)
    await removeParts(trx, context, linksAround.inbound, { removal, otherRemovedResource })
    if (hasTrash(resource)) await storeRemovedRows(trx, { removal, resource, document: storedEntry.document })
  }
  const revisions: Revision[] = isGone ? [sharedRevision(resource, storedEntry, linksAround)] : []
  for (const [locale, entry] of leavingTexts) {
    const text =
      entry === storedEntry.entry ? storedEntry : await lockEntry(trx, resource, entry, { ...context, view: {} })
    if (text) revisions.push(textRevision(resource, locale, text))
  }
  const remainingLocale = locales.find(
    (locale) => linksAround.family.has(locale) && !leavingTexts.some(([leavingLocale]) => leavingLocale === locale),
  )
  const holders = isGone ? linksAround.inbound.filter(({ link }) => link.resource.storedAs === undefined) : []
  await removeRows(trx, {
    resource,
    document: storedEntry.document,
    entries: isGone ? 'all' : leavingTexts.map(([, entry]) => entry),
    nextSourceLocale: !isGone && storedEntry.locale === storedEntry.sourceLocale ? remainingLocale : undefined,
    holders: holdersByTable(holders),
    trace: {
      author: context.author,
      resource,
      operation: 'remove',
      revisions: resource.noTrash ? revisions.map(({ kept: _kept, ...revision }) => revision) : revisions,
      removal,
    },
    entry: storedEntry.entry,
  })
  for (const { link } of holders) trx.changed(documentTable(link.resource))
}

interface InboundUses {
  link: InboundLink
  ids: readonly number[]
}
interface LinksAround {
  family: ReadonlyMap<Locale, number>
  /** Documents that the deleted record's own links point at, by field. */
  ownLinks: ReadonlyMap<string, readonly number[]>
  /** Records that link to the deleted document. */
  inbound: readonly InboundUses[]
  /**
   * Positions of the deleted record's links in the lists of both sides: `[document, position,
   * inverse_position]` by key of the change.
   */
  places: Readonly<Record<string, readonly Place[]>>
}

type Place = readonly [document: number, position: number, inverse: number]

const keyOfInbound = ({ resource, field }: InboundLink) => `${resource.name}.${field}`

/** Loads all links from and to a document in one statement. */
async function loadLinksAround(
  trx: Transaction,
  resource: Resource,
  { document, values }: StoredEntry,
): Promise<LinksAround> {
  const columns: Template<unknown>[] = [
    resource.localized
      ? sql`(select json_agg(json_build_array(locale, id) order by locale) from ${sql.table(textTable(resource))} where document_id = ${document})`
      : sql`null`,
  ]
  const ownLinks = new Map<string, readonly number[]>()
  const lists: string[] = []
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (!isLink(field)) continue
    const { place } = linkOf(resource, name)
    const target = values[name]
    if (place.in === 'column' && typeof target === 'number') ownLinks.set(name, [target])
    if (place.in !== 'table') continue
    lists.push(name)
    columns.push(
      sql`(select json_agg(json_build_array(${sql.ref(place.otherColumn)}, position, inverse_position) order by ${sql.ref(place.position)}, ${sql.ref(place.otherColumn)}) from ${sql.table(place.table)} where ${sql.ref(place.ownColumn)} = ${document})`,
    )
  }
  const links = inboundLinks(resource, resources)
  for (const link of links) {
    const { storage } = link
    columns.push(
      storage.in === 'column'
        ? sql`(select json_agg(id order by id) from (${holdersSql(link, sql`${document}`)}) as held)`
        : sql`(select json_agg(json_build_array(${sql.ref(storage.ownColumn)}, position, inverse_position) order by ${sql.ref(storage.ownColumn)}) from ${sql.table(storage.table)} where ${sql.ref(storage.otherColumn)} = ${document})`,
    )
  }
  const [row = []] = await trx.rows(compileTemplate(sql`select ${sql.join(columns)}`))
  const listAtIndex = <T>(index: number): T[] => (Array.isArray(row[index]) ? (row[index] as T[]) : [])
  const listPositions: Record<string, readonly Place[]> = {}
  /**
   * Returns the documents of a deleted record's list; their positions are stored under the key of its change.
   */
  const documentsOfList = (index: number, key: string) => {
    const foundPlaces = listAtIndex<Place>(index)
    if (foundPlaces.length > 0) listPositions[key] = foundPlaces
    return foundPlaces.map(([id]) => id)
  }
  for (const [index, name] of lists.entries()) ownLinks.set(name, documentsOfList(1 + index, name))
  return {
    family: new Map(listAtIndex<[Locale, number]>(0)),
    ownLinks,
    inbound: links.flatMap((link, index) => {
      const listIndex = 1 + lists.length + index
      const ids =
        link.storage.in === 'table' ? documentsOfList(listIndex, keyOfInbound(link)) : listAtIndex<number>(listIndex)
      return ids.length > 0 ? [{ link, ids }] : []
    }),
    places: listPositions,
  }
}

/** Throws 409 while a restricting link points at the document (contract §4). */
function refuseWhenHeld(inbound: readonly InboundUses[]): void {
  const restrictingLink = inbound.find(({ link }) => ruleOf(link) === 'restrict')
  if (restrictingLink) throw inUseFault(restrictingLink.link, restrictingLink.ids.length)
}

function inUseFault({ resource: { wire } }: InboundLink, count: number) {
  return fault('record.in-use', { params: { count, resource: wire }, details: { resource: wire, count } })
}

/**
 * Throws 409 when a list that must not be empty would become empty: a company's only direction (contract §4).
 */
async function refuseWhenLastOfList(trx: Transaction, inbound: readonly InboundUses[]): Promise<void> {
  for (const { link, ids } of inbound) {
    const { storage } = link
    if (!isHolderRequired(link) || storage.in !== 'table') continue
    // The second of two concurrent deletes of a list's last targets waits here and counts again.
    const holders = sql.table(documentTable(link.resource))
    await trx.rows(compileTemplate(sql`select id from ${holders} where id = any(${ids}::int[]) order by id for update`))
    const listEndSql = lastOfListSql(storage, sql`select unnest(${ids}::int[])`)
    const [row] = await trx.rows(compileTemplate(sql`select count(*)::int from (${listEndSql}) as holders`))
    const count = Number(row?.[0])
    if (count > 0) throw inUseFault(link, count)
  }
}

/** Deletes the parts of a record with the record, each with its own trace. */
async function removeParts(
  trx: Transaction,
  context: WriteContext,
  inbound: readonly InboundUses[],
  { removal, otherRemovedResource }: Pick<Removal, 'removal' | 'otherRemovedResource'>,
): Promise<void> {
  for (const { link, ids } of inbound) {
    if (ruleOf(link) !== 'cascade' && link.resource.name !== otherRemovedResource) continue
    trx.changed(documentTable(link.resource))
    if (link.resource.noTrash) {
      // File mentions of parts that are restored with the whole are stored with their rows.
      if (link.resource.restoredWith === link.field) continue
      const forgetSql = forgetMentionsSql(link.resource, { documents: sql`select unnest(${[...ids]}::int[])` })
      if (forgetSql) await trx.rows(compileTemplate(forgetSql))
      continue
    }
    for (const id of ids) {
      const partEntry = await lockEntry(trx, link.resource, id, { ...context, view: {} }, 'document')
      if (partEntry) await removeStoredEntry(trx, context, link.resource, partEntry, { allLanguages: true, removal })
    }
  }
}

/**
 * Makes the last revision of what all languages of a deleted record share: values, links in both directions,
 * and additional values for a restore.
 */
function sharedRevision(
  resource: Resource,
  removedEntry: StoredEntry,
  { ownLinks, inbound, places }: LinksAround,
): Revision {
  const links: Record<string, Change> = {}
  for (const [name, ids] of ownLinks) if (ids.length > 0) links[name] = { before: ids, after: null }
  for (const { link, ids } of inbound) links[keyOfInbound(link)] = { before: ids, after: null }
  return {
    changes: { ...lastChanges(resource, removedEntry.values, false), ...links },
    kept: {
      ...(removedEntry.locale
        ? { sourceLocale: removedEntry.sourceLocale, sourceChanges: removedEntry.sourceChanges }
        : { entry: removedEntry.entry, version: removedEntry.version, createdAt: removedEntry.createdAt }),
      ...(isWhole(resource) && { updatedAt: removedEntry.updatedAt }),
      ...(hasTrash(resource) && privateValues(resource, removedEntry.values, false)),
      ...(Object.keys(places).length > 0 && { places }),
    },
  }
}

/**
 * Whether other tables' rows are restored with the record as they were; then it keeps its own version too.
 */
const isWhole = (resource: Resource): boolean =>
  !resource.localized &&
  inboundLinks(resource, resources).some(({ resource: linkedResource, field }) => linkedResource.restoredWith === field)

function textRevision(resource: Resource, locale: Locale, text: StoredEntry): Revision {
  return {
    locale,
    changes: lastChanges(resource, text.values, true),
    kept: {
      entry: text.entry,
      version: text.version,
      createdAt: text.createdAt,
      seenChanges: text.seenChanges,
      ...(hasTrash(resource) && privateValues(resource, text.values, true)),
    },
  }
}

/** The holders whose version increases because one of their links is emptied: resource → documents. */
function holdersByTable(inbound: readonly InboundUses[]): Map<Resource, number[]> {
  const holders = new Map<Resource, number[]>()
  for (const { link, ids } of inbound) {
    if (ruleOf(link) === 'cascade') continue
    holders.set(link.resource, [...new Set([...(holders.get(link.resource) ?? []), ...ids])])
  }
  return holders
}

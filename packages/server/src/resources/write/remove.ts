/**
 * Deletes records: checks the links to them, deletes their parts with them, and stores what a restore needs.
 */
import { randomUUID } from 'node:crypto'
import { fault, type Field, hasTrash, isLink, type Locale, locales, type Resource } from '@dala/model'
import { compile, sql, type Template } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { documentTable, inboundLinks, type InboundLink, textTable } from '../../db/schema.ts'
import { linkOf, resources } from '../attributes.ts'
import { lastChanges, privateValues } from './changes.ts'
import { lockEntry, type StoredEntry } from './examine.ts'
import type { Change, Revision } from '../history/history.ts'
import { holdersSql, lastOfListSql, mustHold, ruleOf } from './inbound.ts'
import { lockTargetsFirst } from './lock-order.ts'
import { forgetMentionsSql } from '../mentions.ts'
import { storeRemovedRows } from './removed-rows.ts'
import { removeRows } from './store.ts'
import { inTransaction, type WriteContext } from './write.ts'

/**
 * Deletes an entry; with the last language, or with `allLanguages`, the document and its parts.
 *
 * @param context - The author and their rights.
 * @param resource - The resource of the entry.
 * @param id - The wire id.
 * @param allLanguages - Whether all languages are deleted.
 * @param alsoRemoved - Resource of records that are deleted too, although their link would only be emptied;
 *   a restore brings them back with the entry.
 * @throws 404 outside the caller's rows; 409 with resource and count while a restricting link points here.
 */
export async function removeEntry(
  context: WriteContext,
  resource: Resource,
  id: number,
  allLanguages: boolean,
  alsoRemoved?: string,
): Promise<void> {
  await inTransaction(context, resource, async (trx) => {
    const [, stored] = await Promise.all([
      lockTargetsFirst(trx, resource, { ids: [id] }),
      lockEntry(trx, resource, id, context),
    ])
    if (!stored) throw fault('record.not-found')
    await removeStored(trx, context, resource, stored, { allLanguages, removal: randomUUID(), alsoRemoved })
  })
}

interface Removal {
  allLanguages: boolean
  removal: string
  alsoRemoved?: string | undefined
}

async function removeStored(
  trx: Transaction,
  context: WriteContext,
  resource: Resource,
  stored: StoredEntry,
  { allLanguages, removal, alsoRemoved }: Removal,
): Promise<void> {
  const around = await loadLinksAround(trx, resource, stored)
  const leaving = allLanguages ? [...around.family] : stored.locale ? [[stored.locale, stored.entry] as const] : []
  const gone = !stored.locale || leaving.length === around.family.size
  const now = new Date().toISOString()
  await trx.parts.behaviourOf(resource)?.settle({
    operation: 'remove',
    caller: context.author.caller,
    trusted: context.trusted === true,
    draft: {},
    before: stored.values,
    document: stored.document,
    values: {},
    lists: {},
    leaveUnchanged: () => {},
    target: () => undefined,
    locale: stored.locale,
    now,
    trx,
  })
  if (gone) {
    refuseWhenHeld(around.inbound)
    await refuseWhenLastOfList(trx, around.inbound)
    await removeParts(trx, context, around.inbound, { removal, alsoRemoved })
    if (hasTrash(resource)) await storeRemovedRows(trx, { removal, resource, document: stored.document })
  }
  const revisions: Revision[] = gone ? [sharedRevision(resource, stored, around)] : []
  for (const [locale, entry] of leaving) {
    const text = entry === stored.entry ? stored : await lockEntry(trx, resource, entry, { ...context, view: {} })
    if (text) revisions.push(textRevision(resource, locale, text))
  }
  const left = locales.find((locale) => around.family.has(locale) && !leaving.some(([gone]) => gone === locale))
  const holders = gone ? around.inbound.filter(({ link }) => link.resource.storedAs === undefined) : []
  await removeRows(trx, {
    resource,
    document: stored.document,
    entries: gone ? 'all' : leaving.map(([, entry]) => entry),
    nextSource: !gone && stored.locale === stored.sourceLocale ? left : undefined,
    holders: holdersByTable(holders),
    trace: {
      author: context.author,
      resource,
      operation: 'remove',
      revisions: resource.noTrash ? revisions.map(({ kept: _kept, ...revision }) => revision) : revisions,
      removal,
    },
    entry: stored.entry,
  })
  for (const { link } of holders) trx.changed(documentTable(link.resource))
}

interface Inbound {
  link: InboundLink
  ids: readonly number[]
}
interface LinksAround {
  family: ReadonlyMap<Locale, number>
  /** Documents that the deleted record's own links point at, by field. */
  ownLinks: ReadonlyMap<string, readonly number[]>
  /** Records that link to the deleted document. */
  inbound: readonly Inbound[]
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
  const [row = []] = await trx.rows(compile(sql`select ${sql.join(columns)}`))
  const listAt = <T>(index: number): T[] => (Array.isArray(row[index]) ? (row[index] as T[]) : [])
  const places: Record<string, readonly Place[]> = {}
  /**
   * Returns the documents of a deleted record's list; their positions are stored under the key of its change.
   */
  const documentsOfList = (index: number, key: string) => {
    const found = listAt<Place>(index)
    if (found.length > 0) places[key] = found
    return found.map(([id]) => id)
  }
  for (const [index, name] of lists.entries()) ownLinks.set(name, documentsOfList(1 + index, name))
  return {
    family: new Map(listAt<[Locale, number]>(0)),
    ownLinks,
    inbound: links.flatMap((link, index) => {
      const at = 1 + lists.length + index
      const ids = link.storage.in === 'table' ? documentsOfList(at, keyOfInbound(link)) : listAt<number>(at)
      return ids.length > 0 ? [{ link, ids }] : []
    }),
    places,
  }
}

/** Throws 409 while a restricting link points at the document (contract §4). */
function refuseWhenHeld(inbound: readonly Inbound[]): void {
  const restricting = inbound.find(({ link }) => ruleOf(link) === 'restrict')
  if (restricting) throw inUse(restricting.link, restricting.ids.length)
}

function inUse({ resource: { wire } }: InboundLink, count: number) {
  return fault('record.in-use', { params: { count, resource: wire }, details: { resource: wire, count } })
}

/**
 * Throws 409 when a list that must not be empty would become empty: a company's only direction (contract §4).
 */
async function refuseWhenLastOfList(trx: Transaction, inbound: readonly Inbound[]): Promise<void> {
  for (const { link, ids } of inbound) {
    const { storage } = link
    if (!mustHold(link) || storage.in !== 'table') continue
    // The second of two concurrent deletes of a list's last targets waits here and counts again.
    const holders = sql.table(documentTable(link.resource))
    await trx.rows(compile(sql`select id from ${holders} where id = any(${ids}::int[]) order by id for update`))
    const last = lastOfListSql(storage, sql`select unnest(${ids}::int[])`)
    const [row] = await trx.rows(compile(sql`select count(*)::int from (${last}) as holders`))
    const count = Number(row?.[0])
    if (count > 0) throw inUse(link, count)
  }
}

/** Deletes the parts of a record with the record, each with its own trace. */
async function removeParts(
  trx: Transaction,
  context: WriteContext,
  inbound: readonly Inbound[],
  { removal, alsoRemoved }: Pick<Removal, 'removal' | 'alsoRemoved'>,
): Promise<void> {
  for (const { link, ids } of inbound) {
    if (ruleOf(link) !== 'cascade' && link.resource.name !== alsoRemoved) continue
    trx.changed(documentTable(link.resource))
    if (link.resource.noTrash) {
      // File mentions of parts that are restored with the whole are stored with their rows.
      if (link.resource.restoredWith === link.field) continue
      const forget = forgetMentionsSql(link.resource, { documents: sql`select unnest(${[...ids]}::int[])` })
      if (forget) await trx.rows(compile(forget))
      continue
    }
    for (const id of ids) {
      const part = await lockEntry(trx, link.resource, id, { ...context, view: {} }, 'document')
      if (part) await removeStored(trx, context, link.resource, part, { allLanguages: true, removal })
    }
  }
}

/**
 * Makes the last revision of what all languages of a deleted record share: values, links in both directions,
 * and additional values for a restore.
 */
function sharedRevision(resource: Resource, stored: StoredEntry, { ownLinks, inbound, places }: LinksAround): Revision {
  const links: Record<string, Change> = {}
  for (const [name, ids] of ownLinks) if (ids.length > 0) links[name] = { before: ids, after: null }
  for (const { link, ids } of inbound) links[keyOfInbound(link)] = { before: ids, after: null }
  return {
    changes: { ...lastChanges(resource, stored.values, false), ...links },
    kept: {
      ...(stored.locale
        ? { sourceLocale: stored.sourceLocale, sourceChanges: stored.sourceChanges }
        : { entry: stored.entry, version: stored.version, createdAt: stored.createdAt }),
      ...(isWhole(resource) && { updatedAt: stored.updatedAt }),
      ...(hasTrash(resource) && privateValues(resource, stored.values, false)),
      ...(Object.keys(places).length > 0 && { places }),
    },
  }
}

/**
 * Whether other tables' rows are restored with the record as they were; then it keeps its own version too.
 */
const isWhole = (resource: Resource): boolean =>
  !resource.localized &&
  inboundLinks(resource, resources).some(({ resource: part, field }) => part.restoredWith === field)

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
function holdersByTable(inbound: readonly Inbound[]): Map<Resource, number[]> {
  const holders = new Map<Resource, number[]>()
  for (const { link, ids } of inbound) {
    if (ruleOf(link) === 'cascade') continue
    holders.set(link.resource, [...new Set([...(holders.get(link.resource) ?? []), ...ids])])
  }
  return holders
}

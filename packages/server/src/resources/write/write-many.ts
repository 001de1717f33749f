/**
 * Writes many documents of a resource without languages:
 * one lock, one look-up and one statement for each portion.
 */
import { Fault, fault, type LinkChange, type LinkTarget, type Resource } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import { firstChanges, shownChanges, valuesOf } from './changes.ts'
import { loadWriteContext, type WriteFindings, lockEntries, type StoredEntry } from './examine.ts'
import { linkColumns } from './links.ts'
import { linkLockedFirst, lockTargetsFirst } from './lock-order.ts'
import { movesMentions } from '../mentions.ts'
import { withPrivacy } from './private-files.ts'
import { changeDocuments, type DocumentChange, insertDocument, insertDocuments, type NewRow } from './store.ts'
import {
  type CheckedDraft,
  checkDraft,
  type Draft,
  targetColumnsOf,
  familyChanges,
  isStale,
  unchangedTargets,
  readerOf,
  seededTimes,
  applyRules,
  type SettledChange,
  inTransaction,
  writeChange,
  type WriteContext,
} from './write.ts'

/** Maximum number of rows that one statement of many writes stores. */
const portion = 500

/** One write of many: a new document, or a change of the document that `id` names. */
export interface OneWrite {
  id?: number | undefined
  draft: Draft
}

/** Outcome of one write in a batch of writes. */
export type Outcome = { id: number } | { refusal: Fault }

/** One of many writes that is not refused so far, by its index among the writes. */
interface Pending {
  place: number
  draft: Draft
  checked: CheckedDraft
  /** Locked document that one write of a batch changes. */
  stored: StoredEntry | undefined
}

interface Settled extends Pending {
  change: SettledChange
}

/**
 * Creates many documents of a resource without languages, from bodies without lists. The database alone
 * checks unique values.
 *
 * @param context - The program itself, which seeds, or the server.
 * @param resource - The resource of the documents.
 * @param drafts - Their bodies.
 * @returns The wire ids, in the order of the bodies.
 * @throws The first refusal; nothing is written then.
 */
export async function createMany(
  context: WriteContext,
  resource: Resource,
  drafts: readonly Draft[],
): Promise<readonly number[]> {
  return inTransaction(context, resource, async (trx) => {
    const writes = drafts.map((draft) => ({ draft }))
    const outcomes = await writeMany({ ...context, trx }, resource, writes)
    return outcomes.map((outcome) => {
      if ('refusal' in outcome) throw outcome.refusal
      return outcome.id
    })
  })
}

/**
 * Creates and changes many documents of a resource without languages, from bodies without lists. Each write
 * is accepted or refused by itself; accepted ones are written in portions. The database alone checks unique
 * values, and its refusal refuses all writes.
 *
 * @param context - The author, and the open transaction.
 * @param resource - The resource of the documents.
 * @param writes - The writes; no document twice.
 * @returns The outcome of each, in their order. The refusal
 *   of a stale version does not contain the present record.
 */
export async function writeMany(
  context: WriteContext & { trx: Transaction },
  resource: Resource,
  writes: readonly OneWrite[],
): Promise<readonly Outcome[]> {
  const { trx } = context
  const outcomes: Outcome[] = writes.map(({ id = 0 }) => ({ id }))
  const created = writes.some(({ id }) => id === undefined)
  const ids = writes.flatMap(({ id }) => id ?? [])
  /** Runs a step for each of many writes; a refusal ends only the refused one. */
  async function each<A extends { place: number }, B>(
    items: readonly A[],
    work: (item: A) => Promise<B>,
  ): Promise<B[]> {
    const passed: B[] = []
    for (const item of items) {
      try {
        passed.push(await work(item))
      } catch (error) {
        if (!(error instanceof Fault) || error.status >= 500) throw error
        outcomes[item.place] = { refusal: error }
      }
    }
    return passed
  }
  const work = async () => {
    const numbered = writes.map((write, place) => ({ ...write, place }))
    const checkedWrites = await each(numbered, async (write) => ({
      ...write,
      checked: await checkDraft(context, resource, write.draft, write.id === undefined ? 'create' : 'update'),
    }))
    const links = checkedWrites.map(({ checked }) => checked.validated.links)
    const [, locked] = await Promise.all([
      lockTargetsFirst(trx, resource, { ids, links }),
      lockEntries(trx, resource, ids, context),
    ])
    const pending = await each(checkedWrites, async ({ id, draft, place, checked }): Promise<Pending> => {
      const stored = id === undefined ? undefined : locked.get(id)
      if (id !== undefined && !stored) throw fault('record.not-found')
      if (stored && isStale(draft.version, stored.version)) throw fault('record.stale')
      return { place, draft, checked, stored }
    })
    const findings = await examineAll(context, resource, pending)
    const settled = await each(pending, async (write): Promise<Settled> => {
      const { checked, stored } = write
      const target = stored ? ({ operation: 'update', stored } as const) : ({ operation: 'create' } as const)
      const change = await applyRules(trx, context, resource, checked, { ...target, locale: undefined }, findings)
      if (change.lists.length > 0) throw new Error(`${resource.name} has lists, which are not written together`)
      return { ...write, change }
    })
    for (const [place, id] of await insertAll(context, resource, settled)) outcomes[place] = { id }
    await changeAll(context, resource, settled)
  }
  await inTransaction(context, resource, work, created ? 'rows' : 'values')
  return outcomes
}

/** Loads in one statement what the bodies of all writes need. */
function examineAll(
  context: WriteContext & { trx: Transaction },
  resource: Resource,
  writes: readonly Pending[],
): Promise<WriteFindings> {
  const { parts } = context.trx
  const targetColumns = targetColumnsOf(parts, resource)
  const documents = writes.flatMap(({ stored }) => stored?.document ?? [])
  const anyOf = sql`any(${documents}::int[])`
  return loadWriteContext(context.trx, {
    resource,
    links: linksOfAll(writes),
    targetColumns: withPrivacy(resource, targetColumns),
    unchangedTargets: documents.length > 0 ? unchangedTargets(resource, targetColumns, {}, anyOf) : {},
    unique: {},
    slugs: [],
    document: undefined,
    locale: undefined,
    family: false,
    ids: false,
    reader: readerOf(context),
    checkedLinks: context.checkedLinks,
    lockedLink: linkLockedFirst(parts, resource),
  })
}

/** Returns the targets of links in the bodies of many writes, by field. */
function linksOfAll(writes: readonly Pending[]): Record<string, LinkChange> {
  const all = new Map<string, Set<LinkTarget>>()
  for (const { checked } of writes) {
    for (const [name, change] of Object.entries(checked.validated.links)) {
      const targets = all.get(name) ?? new Set()
      all.set(name, targets)
      for (const target of 'set' in change ? change.set : [...change.connect, ...change.disconnect]) targets.add(target)
    }
  }
  return Object.fromEntries([...all].map(([name, targets]) => [name, { set: [...targets] }]))
}

/** Groups the rows of many writes with the same key into portions of limited size. */
function portionsOf<T>(rows: readonly T[], keyOf: (row: T) => string): T[][] {
  const groups = Map.groupBy(rows, keyOf)
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / portion) }, (_, index) =>
      group.slice(index * portion, (index + 1) * portion),
    ),
  )
}

const namesOf = (values: object): string => Object.keys(values).toSorted().join()

/**
 * Inserts the new documents of a batch of writes in one statement.
 *
 * @returns Their ids by the indexes of their writes.
 */
async function insertAll(
  { trx, author }: WriteContext & { trx: Transaction },
  resource: Resource,
  settled: readonly Settled[],
): Promise<Map<number, number>> {
  const ids = new Map<number, number>()
  const batch: { place: number; row: NewRow }[] = []
  for (const { place, draft, stored, change } of settled) {
    if (stored) continue
    const { scalars: shared, toOne } = change
    const columns = { ...linkColumns(resource, toOne), ...seededTimes(author, draft) }
    const changes = { ...firstChanges(resource, shared), ...firstChanges(resource, toOne) }
    if (movesMentions(changes)) {
      // Files that a document names are counted in the statement of the document.
      const trace = { author, resource, operation: 'create', revisions: [{ changes }] } as const
      ids.set(place, (await insertDocument(trx, { resource, shared, columns, lists: [], trace })).document)
    } else batch.push({ place, row: { shared, columns, changes } })
  }
  for (const group of portionsOf(batch, ({ row }) => `${namesOf(row.shared)}/${namesOf(row.columns)}`)) {
    const rows = group.map(({ row }) => row)
    const createdIds = await insertDocuments(trx, { resource, rows, author })
    for (const [index, { place }] of group.entries()) ids.set(place, createdIds[index] ?? 0)
  }
  return ids
}

/** Changes the documents of many writes; without changes no statement runs. */
async function changeAll(
  { trx, author }: WriteContext & { trx: Transaction },
  resource: Resource,
  settled: readonly Settled[],
): Promise<void> {
  const batch: DocumentChange[] = []
  for (const { stored, change } of settled) {
    if (!stored) continue
    const { changes } = familyChanges(resource, change.scalars, change, stored.values)
    if (movesMentions(changes)) await writeChange(trx, author, resource, stored, change)
    else if (Object.keys(changes).length > 0) {
      const { document, version } = stored
      batch.push({ document, version, values: valuesOf(changes), changes: shownChanges(resource, changes) })
    }
  }
  for (const rows of portionsOf(batch, ({ values }) => namesOf(values))) {
    const count = await changeDocuments(trx, { resource, rows, author })
    if (count < rows.length) throw new Error(`${resource.name}: locked documents have changed`)
  }
}

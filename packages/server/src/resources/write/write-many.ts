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
import { applyPrivacy } from './private-files.ts'
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
  runInTransaction,
  writeChange,
  type WriteContext,
} from './write.ts'

/** Maximum number of rows that one statement of many writes stores. */
const portion = 500

/** One write of many: a new document, or a change of the document that `id` names. */
export interface SingleWrite {
  id?: number | undefined
  draft: Draft
}

/** Outcome of one write in a batch of writes. */
export type Outcome = { id: number } | { refusal: Fault }

/** One of many writes that is not refused so far, by its index among the writes. */
interface PendingWrite {
  place: number
  draft: Draft
  checkedDraft: CheckedDraft
  /** Locked document that one write of a batch changes. */
  storedEntry: StoredEntry | undefined
}

interface SettledWrite extends PendingWrite {
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
export async function createEntries(
  context: WriteContext,
  resource: Resource,
  drafts: readonly Draft[],
): Promise<readonly number[]> {
  return runInTransaction(context, resource, async (trx) => {
    const draftWrites = drafts.map((draft) => ({ draft }))
    const outcomes = await writeEntries({ ...context, trx }, resource, draftWrites)
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
 * @param plannedWrites - The writes; no document twice.
 * @returns The outcome of each, in their order. The refusal
 *   of a stale version does not contain the present record.
 */
export async function writeEntries(
  context: WriteContext & { trx: Transaction },
  resource: Resource,
  plannedWrites: readonly SingleWrite[],
): Promise<readonly Outcome[]> {
  const { trx } = context
  const outcomes: Outcome[] = plannedWrites.map(({ id = 0 }) => ({ id }))
  const hasCreated = plannedWrites.some(({ id }) => id === undefined)
  const ids = plannedWrites.flatMap(({ id }) => id ?? [])
  /** Runs a step for each of many writes; a refusal ends only the refused one. */
  async function mapWrites<A extends { place: number }, B>(
    items: readonly A[],
    runWork: (item: A) => Promise<B>,
  ): Promise<B[]> {
    const passedWrites: B[] = []
    for (const item of items) {
      try {
        passedWrites.push(await runWork(item))
      } catch (error) {
        if (!(error instanceof Fault) || error.status >= 500) throw error
        outcomes[item.place] = { refusal: error }
      }
    }
    return passedWrites
  }
  const runStep = async () => {
    const numberedWrites = plannedWrites.map((write, position) => ({ ...write, place: position }))
    const checkedWrites = await mapWrites(numberedWrites, async (write) => ({
      ...write,
      checked: await checkDraft(context, resource, write.draft, write.id === undefined ? 'create' : 'update'),
    }))
    const links = checkedWrites.map(({ checked }) => checked.validatedRecord.links)
    const [, lockedEntries] = await Promise.all([
      lockTargetsFirst(trx, resource, { ids, links }),
      lockEntries(trx, resource, ids, context),
    ])
    const pendingWrites = await mapWrites(
      checkedWrites,
      async ({ id, draft, place, checked: checkedDraft }): Promise<PendingWrite> => {
        const storedEntry = id === undefined ? undefined : lockedEntries.get(id)
        if (id !== undefined && !storedEntry) throw fault('record.not-found')
        if (storedEntry && isStale(draft.version, storedEntry.version)) throw fault('record.stale')
        return { place, draft, checkedDraft, storedEntry }
      },
    )
    const findings = await examineWrites(context, resource, pendingWrites)
    const settledWrites = await mapWrites(pendingWrites, async (write): Promise<SettledWrite> => {
      const { checkedDraft, storedEntry } = write
      const target = storedEntry ? ({ operation: 'update', storedEntry } as const) : ({ operation: 'create' } as const)
      const change = await applyRules(trx, context, resource, checkedDraft, { ...target, locale: undefined }, findings)
      if (change.lists.length > 0) throw new Error(`${resource.name} has lists, which are not written together`)
      return { ...write, change }
    })
    for (const [position, id] of await insertEntries(context, resource, settledWrites)) outcomes[position] = { id }
    await changeEntries(context, resource, settledWrites)
  }
  await runInTransaction(context, resource, runStep, hasCreated ? 'rows' : 'values')
  return outcomes
}

/** Loads in one statement what the bodies of all writes need. */
function examineWrites(
  context: WriteContext & { trx: Transaction },
  resource: Resource,
  pendingWrites: readonly PendingWrite[],
): Promise<WriteFindings> {
  const { parts } = context.trx
  const targetColumns = targetColumnsOf(parts, resource)
  const documents = pendingWrites.flatMap(({ storedEntry }) => storedEntry?.document ?? [])
  const anyOf = sql`any(${documents}::int[])`
  return loadWriteContext(context.trx, {
    resource,
    links: linksOfAll(pendingWrites),
    targetColumns: applyPrivacy(resource, targetColumns),
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
function linksOfAll(writes: readonly PendingWrite[]): Record<string, LinkChange> {
  const targetsByField = new Map<string, Set<LinkTarget>>()
  for (const { checkedDraft } of writes) {
    for (const [name, change] of Object.entries(checkedDraft.validatedRecord.links)) {
      const targets = targetsByField.get(name) ?? new Set()
      targetsByField.set(name, targets)
      for (const target of 'set' in change ? change.set : [...change.connect, ...change.disconnect]) targets.add(target)
    }
  }
  return Object.fromEntries([...targetsByField].map(([name, targets]) => [name, { set: [...targets] }]))
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
async function insertEntries(
  { trx, author }: WriteContext & { trx: Transaction },
  resource: Resource,
  settledWrites: readonly SettledWrite[],
): Promise<Map<number, number>> {
  const ids = new Map<number, number>()
  const batch: { place: number; row: NewRow }[] = []
  for (const { place, draft, storedEntry, change } of settledWrites) {
    if (storedEntry) continue
    const { scalars: sharedValues, toOneColumns } = change
    const columns = { ...linkColumns(resource, toOneColumns), ...seededTimes(author, draft) }
    const changes = { ...firstChanges(resource, sharedValues), ...firstChanges(resource, toOneColumns) }
    if (movesMentions(changes)) {
      // Files that a document names are counted in the statement of the document.
      const trace = { author, resource, operation: 'create', revisions: [{ changes }] } as const
      ids.set(place, (await insertDocument(trx, { resource, sharedValues, columns, lists: [], trace })).document)
    } else batch.push({ place, row: { sharedValues, columns, changes } })
  }
  for (const group of portionsOf(batch, ({ row }) => `${namesOf(row.sharedValues)}/${namesOf(row.columns)}`)) {
    const rows = group.map(({ row }) => row)
    const createdIds = await insertDocuments(trx, { resource, rows, author })
    for (const [index, { place }] of group.entries()) ids.set(place, createdIds[index] ?? 0)
  }
  return ids
}

/** Changes the documents of many writes; without changes no statement runs. */
async function changeEntries(
  { trx, author }: WriteContext & { trx: Transaction },
  resource: Resource,
  settledWrites: readonly SettledWrite[],
): Promise<void> {
  const batch: DocumentChange[] = []
  for (const { storedEntry, change } of settledWrites) {
    if (!storedEntry) continue
    const { changes } = familyChanges(resource, change.scalars, change, storedEntry.values)
    if (movesMentions(changes)) await writeChange(trx, author, resource, storedEntry, change)
    else if (Object.keys(changes).length > 0) {
      const { document, version } = storedEntry
      batch.push({ document, version, values: valuesOf(changes), changes: shownChanges(resource, changes) })
    }
  }
  for (const rows of portionsOf(batch, ({ values }) => namesOf(values))) {
    const count = await changeDocuments(trx, { resource, rows, author })
    if (count < rows.length) throw new Error(`${resource.name}: locked documents have changed`)
  }
}

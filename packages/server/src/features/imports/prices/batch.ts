/**
 * Writes many prices at a time: new and changed ones with one statement per batch, with the errors of the
 * write path.
 */
import { basePrice, Fault, fault, type PriceFlag, resources } from '@dala/model'
import { sql } from '../../../db/sql.ts'
import type { Transaction } from '../../../db/database.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { authorise } from '../../../resources/authorise.ts'
import { differences, lastChanges } from '../../../resources/write/changes.ts'
import { lockEntry } from '../../../resources/write/examine.ts'
import { removeEntry } from '../../../resources/write/remove.ts'
import { changeDocuments, removeDocuments } from '../../../resources/write/store.ts'
import { createEntry, updateEntry, type WriteContext } from '../../../resources/write/write.ts'
import { createMany } from '../../../resources/write/write-many.ts'
import type { RowUndo, WritingRow, WrittenRow } from '../import-store.ts'
import { judgeByDay } from './judgement.ts'
import { figures } from './rules.ts'
import { loadStates, readPresentVersions, type StoredState } from '../records.ts'

const [prices, days] = [resourceNamed(resources.pricelists.name), resourceNamed(resources.pricedates.name)]

type BatchContext = WriteContext & { trx: Transaction }

const changed = (count: number) => fault('import.changed', { params: { count }, details: { count } })

type StoredStates = ReadonlyMap<number, StoredState>
type FindPriceState = (row: WritingRow) => { state: string; flag: PriceFlag | null }

/** Locks the days of the rows and creates missing ones, so that new prices of a day wait for each other. */
async function lockDays(
  context: BatchContext,
  neededDays: readonly string[],
  createdDays: number[],
): Promise<Map<string, { id: number; state: unknown }>> {
  const { trx, author } = context
  const existingDays = await trx.query(
    sql<{
      id: number
      date: string
    }>`select id, date::text as date from pricedates where date = any(${[...neededDays]}::date[]) order by date`,
  )
  const ids = new Map(existingDays.map(({ id, date }) => [date, id]))
  const locked = new Map<string, { id: number; state: unknown }>()
  for (const day of [...neededDays].toSorted()) {
    const view = authorise(days, ids.has(day) ? 'update' : 'create', author.caller)
    const id = ids.get(day) ?? (await createEntry({ ...context, view }, days, { date: day }, undefined))
    if (!ids.has(day)) createdDays.push(id)
    const stored = await lockEntry(trx, days, id, { author, view: {} })
    if (!stored) throw changed(1)
    locked.set(day, { id, state: stored.values.state })
  }
  return locked
}

interface UnitRow {
  id: number
  factor: number | null
}

async function factorsOf(trx: Transaction): Promise<Map<number, number | null>> {
  const rows = await trx.query(sql<UnitRow>`select id, factor::float8 as factor from units`)
  return new Map(rows.map(({ id, factor }) => [id, factor]))
}

/**
 * Writes imported rows of prices.
 *
 * @param context - The author and the transaction of the import.
 * @param rows - The rows.
 * @param day - The day of rows that name none.
 * @param madeDays - Receives the price dates that are created.
 * @throws 409 for rows that differ from the preview.
 */
export async function writePrices(
  context: BatchContext,
  rows: readonly WritingRow[],
  day: string | undefined,
  madeDays: number[],
): Promise<WrittenRow[]> {
  const { trx } = context
  const states = await loadStates(
    trx,
    prices,
    rows.flatMap(({ document }) => document ?? []),
  )
  const dates = new Map(
    (
      await trx.query(
        sql<{
          id: number
          date: string
        }>`select id, date::text as date from pricedates where id = any(${dayIds(rows, states)}::int[])`,
      )
    ).map(({ id, date }) => [id, date]),
  )
  const dayOf = ({ draft, document }: WritingRow): string | undefined => {
    const named = draft.shared.pricedate
    if (typeof named === 'string') return named
    if (typeof named === 'number') return dates.get(named)
    const stored = document === null ? undefined : states.get(document)?.shared.pricedate
    return typeof stored === 'number' ? dates.get(stored) : day
  }
  const neededDays = [...new Set(rows.flatMap((row) => dayOf(row) ?? []))]
  const locked = await lockDays(context, neededDays, madeDays)
  const factors = await factorsOf(trx)
  const judged = await judgeRows(trx, rows, { states, dayOf })
  const isWaiting = (row: WritingRow) => {
    const day = locked.get(dayOf(row) ?? '')
    return day?.state === 'published' && judged.get(row.row)?.severity === 'confirm' && !hasReason(row, states)
  }
  const stateOf: FindPriceState = (row) => {
    const flag = judged.get(row.row)
    // A confirmation without a reason is enough for prices that are only worth a check.
    const isSettled =
      hasReason(row, states) ||
      locked.get(dayOf(row) ?? '')?.state === 'published' ||
      (row.isConfirmed && flag?.severity === 'look')
    return flag ? { state: isSettled ? 'confirmed' : 'check', flag } : { state: 'ok', flag: null }
  }
  const creating = rows.filter(({ action }) => action === 'create')
  const updating = rows.filter(({ action }) => action === 'update')
  const written: { row: number; document: number; undo: RowUndo }[] = []
  const drafts = creating.map((row) => newPrice(row, locked.get(dayOf(row) ?? '')?.id, { factors, stateOf, context }))
  const createdIds = await createMany({ ...context, trusted: true }, prices, drafts).catch((error: unknown) => {
    // A concurrent write has created one of the imported prices.
    throw error instanceof Fault && error.status < 500 ? changed(drafts.length) : error
  })
  for (const [index, { row }] of creating.entries())
    written.push({ row, document: createdIds[index] ?? 0, undo: { created: true } })
  // A price date that was published in the meantime requires a reason, which these rows lack.
  const unexplained = rows.filter(
    (row) =>
      isWaiting(row) ||
      (row.action === 'update' &&
        locked.get(dayOf(row) ?? '')?.state === 'published' &&
        figures.some((name) => name in row.draft.shared) &&
        !hasReason(row, states)),
  )
  if (unexplained.length > 0) throw changed(unexplained.length)
  await changePrices(context, updating, { states, factors, stateOf })
  for (const row of updating) {
    const state = row.document === null ? undefined : states.get(row.document)
    if (state)
      written.push({
        row: row.row,
        document: state.document,
        undo: { created: false, shared: { ...state.shared }, texts: {}, added: [] },
      })
  }
  trx.changed(days.name, 'values')
  const seen = await readPresentVersions(
    trx,
    prices,
    written.map(({ document }) => document),
  )
  return written.map((one) => ({ ...one, leftAs: seen.get(one.document) ?? '' }))
}

function dayIds(rows: readonly WritingRow[], states: ReadonlyMap<number, StoredState>): number[] {
  const ids = rows.flatMap(({ draft, document }) => [
    draft.shared.pricedate,
    document === null ? undefined : states.get(document)?.shared.pricedate,
  ])
  return [...new Set(ids.filter((id) => typeof id === 'number'))]
}

const numberOrNull = (value: unknown) => (typeof value === 'number' ? value : null)

/** Tells whether an imported price has a reason: in the row, else in the stored note. */
const hasReason = ({ draft, document }: WritingRow, states: StoredStates): boolean =>
  typeof (draft.shared.note ?? states.get(document ?? 0)?.shared.note) === 'string'

/** Checks the new prices of imported rows for slips, by row. */
async function judgeRows(
  trx: Transaction,
  rows: readonly WritingRow[],
  { states, dayOf }: { states: StoredStates; dayOf: (row: WritingRow) => string | undefined },
): Promise<Map<number, PriceFlag>> {
  const newPrices = rows.flatMap((row) => {
    const { product, district, unit, price, price_max, market_type } = {
      ...states.get(row.document ?? 0)?.shared,
      ...row.draft.shared,
    }
    const day = dayOf(row)
    const isNew = row.action === 'create' || figures.some((name) => name in row.draft.shared)
    if (!isNew || day === undefined || typeof price !== 'number') return []
    const place = {
      product: Number(product),
      district: Number(district),
      unit: Number(unit),
      marketType: typeof market_type === 'string' ? market_type : 'retail',
    }
    return [{ row: row.row, day, price: { ...place, price, price_max: numberOrNull(price_max) } }]
  })
  const flags = await judgeByDay(trx, newPrices)
  return new Map(newPrices.flatMap(({ row }, index) => (flags[index] ? [[row, flags[index]] as const] : [])))
}

interface PriceBatchRules {
  factors: ReadonlyMap<number, number | null>
  stateOf: FindPriceState
}

/** Returns all values of a new price, so that many can be written together. */
function newPrice(
  row: WritingRow,
  pricedate: number | undefined,
  { factors, stateOf, context }: PriceBatchRules & { context: BatchContext },
) {
  const { shared } = row.draft
  const price = numberOrNull(shared.price)
  const unit = Number(shared.unit)
  return {
    product: shared.product,
    district: shared.district,
    pricedate,
    price,
    price_max: numberOrNull(shared.price_max),
    unit,
    price_base: price === null ? null : basePrice(price, factors.get(unit)),
    market_type: shared.market_type ?? 'retail',
    currency: shared.currency ?? 'UZS',
    origin: 'imported',
    ...stateOf(row),
    note: shared.note ?? null,
    author: context.author.caller.id,
  }
}

/** Fields of a price that a change by an import writes. */
const writtenFields = [
  'price',
  'price_max',
  'unit',
  'price_base',
  'currency',
  'origin',
  'state',
  'flag',
  'note',
  'author',
]

const namesFiles = (value: unknown) => typeof value === 'string' && value.includes('/uploads/')

async function changePrices(
  context: BatchContext,
  rows: readonly WritingRow[],
  { states, ...rules }: PriceBatchRules & { states: StoredStates },
): Promise<void> {
  const { trx, author } = context
  const together = []
  for (const row of rows) {
    const { document, seen, draft } = row
    const state = document === null ? undefined : states.get(document)
    if (!state || state.seen !== seen) throw changed(1)
    const { product: _product, district: _district, pricedate: _day, market_type: _market, ...own } = draft.shared
    // The write path counts the files that a note names as used.
    if (namesFiles(own.note) || namesFiles(state.shared.note)) {
      await updateEntry(context, prices, state.document, own)
      continue
    }
    const isNew = figures.some((name) => name in own)
    const after = { ...pickPriceFields(state.shared), ...own }
    if (isNew) Object.assign(after, priceAfter(after, row, rules), { author: author.caller.id })
    together.push(changeOf(state, after))
  }
  await writeTogether(trx, context, together)
}

/** Returns the fields of a price that an import writes. */
const pickPriceFields = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(writtenFields.map((name) => [name, values[name] ?? null]))

/** Returns the values of a price that depend on a new figure; nothing about the former one remains. */
function priceAfter(after: Readonly<Record<string, unknown>>, row: WritingRow, { factors, stateOf }: PriceBatchRules) {
  const [price, unit] = [numberOrNull(after.price), Number(after.unit)]
  return {
    price_base: price === null ? null : basePrice(price, factors.get(unit)),
    origin: 'imported',
    ...stateOf(row),
  }
}

function changeOf(state: StoredState, after: Record<string, unknown>) {
  return {
    document: state.document,
    version: Number(state.seen),
    values: after,
    changes: differences(prices, after, state.shared),
  }
}

async function writeTogether(
  trx: Transaction,
  { author }: BatchContext,
  rows: Parameters<typeof changeDocuments>[1]['rows'],
): Promise<void> {
  if (rows.length === 0) return
  const count = await changeDocuments(trx, { resource: prices, rows, author })
  if (count < rows.length) throw changed(rows.length - count)
  trx.changed(prices.name, 'values')
  trx.changed(days.name, 'values')
}

/** Deletes the price dates that an import has created, unless they have other prices. */
export async function removeDays(context: BatchContext, createdDays: readonly number[]): Promise<void> {
  const empty = await context.trx.query(
    sql<{ id: number }>`select id from pricedates d where id = any(${[...createdDays]}::int[])
      and not exists (select 1 from pricelists p where p.pricedate_id = d.id) order by id`,
  )
  const view = authorise(days, 'remove', context.author.caller)
  for (const { id } of empty) await removeEntry({ ...context, view }, days, id, true)
}

/** Reverts prices of an import: changed ones get their former values, new ones are deleted. */
export async function revertPrices(context: BatchContext, rows: readonly WrittenRow[], removal: string): Promise<void> {
  const { trx, author } = context
  const states = await loadStates(
    trx,
    prices,
    rows.map(({ document }) => document),
  )
  const [back, gone]: [StoredState[], StoredState[]] = [[], []]
  const before = new Map<number, Readonly<Record<string, unknown>>>()
  for (const { document, undo } of rows) {
    const state = states.get(document)
    if (!state) throw changed(1)
    if (undo.created) gone.push(state)
    else {
      back.push(state)
      before.set(document, undo.shared)
    }
  }
  await writeTogether(
    trx,
    context,
    back.map((state) => changeOf(state, pickPriceFields(before.get(state.document) ?? {}))),
  )
  if (gone.length === 0) return
  const created = await trx.query(
    sql<{
      id: number
      at: string
    }>`select id, created_at as at from pricelists where id = any(${gone.map(({ document }) => document)}::int[])`,
  )
  const times = new Map(created.map(({ id, at }) => [id, at]))
  const count = await removeDocuments(trx, {
    resource: prices,
    author,
    removal,
    rows: gone.map(({ document, seen, shared }) => ({
      document,
      version: Number(seen),
      changes: {
        ...lastChanges(prices, shared, false),
        ...Object.fromEntries(
          ['product', 'district', 'region', 'pricedate', 'unit', 'author'].flatMap((name) =>
            typeof shared[name] === 'number' ? [[name, { before: [shared[name]], after: null }] as const] : [],
          ),
        ),
      },
      kept: { entry: document, version: Number(seen), createdAt: times.get(document) },
    })),
  })
  if (count < gone.length) throw changed(gone.length - count)
  trx.changed(prices.name)
  trx.changed(days.name, 'values')
}

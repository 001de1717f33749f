/**
 * Writes many prices at a time: new and changed ones with one statement per batch, with the errors of the
 * write path.
 */
import { basePrice, Fault, fault, type PriceFlag, resources } from '@dala/model'
import { sql } from '../../../db/sql.ts'
import type { Transaction } from '../../../db/database.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { authoriseCaller } from '../../../resources/authorise.ts'
import { differences, lastChanges } from '../../../resources/write/changes.ts'
import { lockEntry } from '../../../resources/write/examine.ts'
import { removeEntry } from '../../../resources/write/remove.ts'
import { changeDocuments, removeDocuments } from '../../../resources/write/store.ts'
import { createEntry, updateEntry, type WriteContext } from '../../../resources/write/write.ts'
import { createEntries } from '../../../resources/write/write-many.ts'
import type { RowUndo, WritingRow, WrittenRow } from '../import-store.ts'
import { judgeByDay } from './judgement.ts'
import { figures } from './rules.ts'
import { loadStates, readPresentVersions, type StoredState } from '../records.ts'

const [prices, days] = [resourceNamed(resources.pricelists.name), resourceNamed(resources.pricedates.name)]

type BatchContext = WriteContext & { trx: Transaction }

const changedFault = (count: number) => fault('import.changed', { params: { count }, details: { count } })

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
  const lockedDays = new Map<string, { id: number; state: unknown }>()
  for (const day of [...neededDays].toSorted()) {
    const view = authoriseCaller(days, ids.has(day) ? 'update' : 'create', author.caller)
    const id = ids.get(day) ?? (await createEntry({ ...context, view }, days, { date: day }, undefined))
    if (!ids.has(day)) createdDays.push(id)
    const storedEntry = await lockEntry(trx, days, id, { author, view: {} })
    if (!storedEntry) throw changedFault(1)
    lockedDays.set(day, { id, state: storedEntry.values.state })
  }
  return lockedDays
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
 * @param newDays - Receives the price dates that are created.
 * @throws 409 for rows that differ from the preview.
 */
export async function writePrices(
  context: BatchContext,
  rows: readonly WritingRow[],
  day: string | undefined,
  newDays: number[],
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
    const namedDay = draft.shared.pricedate
    if (typeof namedDay === 'string') return namedDay
    if (typeof namedDay === 'number') return dates.get(namedDay)
    const storedDay = document === null ? undefined : states.get(document)?.shared.pricedate
    return typeof storedDay === 'number' ? dates.get(storedDay) : day
  }
  const neededDays = [...new Set(rows.flatMap((row) => dayOf(row) ?? []))]
  const lockedDays = await lockDays(context, neededDays, newDays)
  const factors = await factorsOf(trx)
  const judgedRows = await judgeRows(trx, rows, { states, dayOf })
  const isWaiting = (row: WritingRow) => {
    const day = lockedDays.get(dayOf(row) ?? '')
    return day?.state === 'published' && judgedRows.get(row.row)?.severity === 'confirm' && !hasReason(row, states)
  }
  const stateOf: FindPriceState = (row) => {
    const flag = judgedRows.get(row.row)
    // A confirmation without a reason is enough for prices that are only worth a check.
    const isSettled =
      hasReason(row, states) ||
      lockedDays.get(dayOf(row) ?? '')?.state === 'published' ||
      (row.isConfirmed && flag?.severity === 'look')
    return flag ? { state: isSettled ? 'confirmed' : 'check', flag } : { state: 'ok', flag: null }
  }
  const createdRows = rows.filter(({ action }) => action === 'create')
  const updatedRows = rows.filter(({ action }) => action === 'update')
  const writtenRows: { row: number; document: number; undo: RowUndo }[] = []
  const drafts = createdRows.map((row) =>
    newPrice(row, lockedDays.get(dayOf(row) ?? '')?.id, { factors, stateOf, context }),
  )
  const createdIds = await createEntries({ ...context, isTrusted: true }, prices, drafts).catch((error: unknown) => {
    // A concurrent write has created one of the imported prices.
    throw error instanceof Fault && error.status < 500 ? changedFault(drafts.length) : error
  })
  for (const [index, { row }] of createdRows.entries())
    writtenRows.push({ row, document: createdIds[index] ?? 0, undo: { created: true } })
  // A price date that was published in the meantime requires a reason, which these rows lack.
  const unexplainedRows = rows.filter(
    (row) =>
      isWaiting(row) ||
      (row.action === 'update' &&
        lockedDays.get(dayOf(row) ?? '')?.state === 'published' &&
        figures.some((name) => name in row.draft.shared) &&
        !hasReason(row, states)),
  )
  if (unexplainedRows.length > 0) throw changedFault(unexplainedRows.length)
  await changePrices(context, updatedRows, { states, factors, stateOf })
  for (const row of updatedRows) {
    const state = row.document === null ? undefined : states.get(row.document)
    if (state)
      writtenRows.push({
        row: row.row,
        document: state.document,
        undo: { created: false, shared: { ...state.shared }, texts: {}, added: [] },
      })
  }
  trx.changed(days.name, 'values')
  const seenVersions = await readPresentVersions(
    trx,
    prices,
    writtenRows.map(({ document }) => document),
  )
  return writtenRows.map((writtenRow) => ({ ...writtenRow, leftAs: seenVersions.get(writtenRow.document) ?? '' }))
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
    const priceKey = {
      product: Number(product),
      district: Number(district),
      unit: Number(unit),
      marketType: typeof market_type === 'string' ? market_type : 'retail',
    }
    return [{ row: row.row, day, price: { ...priceKey, price, price_max: numberOrNull(price_max) } }]
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
  const writtenBatch = []
  for (const row of rows) {
    const { document, seen, draft } = row
    const state = document === null ? undefined : states.get(document)
    if (!state || state.seen !== seen) throw changedFault(1)
    const { product: _product, district: _district, pricedate: _day, market_type: _market, ...ownValues } = draft.shared
    // The write path counts the files that a note names as used.
    if (namesFiles(ownValues.note) || namesFiles(state.shared.note)) {
      await updateEntry(context, prices, state.document, ownValues)
      continue
    }
    const isNew = figures.some((name) => name in ownValues)
    const valuesAfter = { ...pickPriceFields(state.shared), ...ownValues }
    if (isNew) Object.assign(valuesAfter, priceAfter(valuesAfter, row, rules), { author: author.caller.id })
    writtenBatch.push(changeOf(state, valuesAfter))
  }
  await writeBatch(trx, context, writtenBatch)
}

/** Returns the fields of a price that an import writes. */
const pickPriceFields = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(writtenFields.map((name) => [name, values[name] ?? null]))

/** Returns the values of a price that depend on a new figure; nothing about the former one remains. */
function priceAfter(
  newValues: Readonly<Record<string, unknown>>,
  row: WritingRow,
  { factors, stateOf }: PriceBatchRules,
) {
  const [price, unit] = [numberOrNull(newValues.price), Number(newValues.unit)]
  return {
    price_base: price === null ? null : basePrice(price, factors.get(unit)),
    origin: 'imported',
    ...stateOf(row),
  }
}

function changeOf(state: StoredState, newValues: Record<string, unknown>) {
  return {
    document: state.document,
    version: Number(state.seen),
    values: newValues,
    changes: differences(prices, newValues, state.shared),
  }
}

async function writeBatch(
  trx: Transaction,
  { author }: BatchContext,
  rows: Parameters<typeof changeDocuments>[1]['rows'],
): Promise<void> {
  if (rows.length === 0) return
  const count = await changeDocuments(trx, { resource: prices, rows, author })
  if (count < rows.length) throw changedFault(rows.length - count)
  trx.changed(prices.name, 'values')
  trx.changed(days.name, 'values')
}

/** Deletes the price dates that an import has created, unless they have other prices. */
export async function removeDays(context: BatchContext, createdDays: readonly number[]): Promise<void> {
  const emptyPrices = await context.trx.query(
    sql<{ id: number }>`select id from pricedates d where id = any(${[...createdDays]}::int[])
      and not exists (select 1 from pricelists p where p.pricedate_id = d.id) order by id`,
  )
  const view = authoriseCaller(days, 'remove', context.author.caller)
  for (const { id } of emptyPrices) await removeEntry({ ...context, view }, days, id, true)
}

/** Reverts prices of an import: changed ones get their former values, new ones are deleted. */
export async function revertPrices(context: BatchContext, rows: readonly WrittenRow[], removal: string): Promise<void> {
  const { trx, author } = context
  const states = await loadStates(
    trx,
    prices,
    rows.map(({ document }) => document),
  )
  const [restoredStates, goneStates]: [StoredState[], StoredState[]] = [[], []]
  const valuesBefore = new Map<number, Readonly<Record<string, unknown>>>()
  for (const { document, undo } of rows) {
    const state = states.get(document)
    if (!state) throw changedFault(1)
    if (undo.created) goneStates.push(state)
    else {
      restoredStates.push(state)
      valuesBefore.set(document, undo.shared)
    }
  }
  await writeBatch(
    trx,
    context,
    restoredStates.map((state) => changeOf(state, pickPriceFields(valuesBefore.get(state.document) ?? {}))),
  )
  if (goneStates.length === 0) return
  const createdPrices = await trx.query(
    sql<{
      id: number
      at: string
    }>`select id, created_at as at from pricelists where id = any(${goneStates.map(({ document }) => document)}::int[])`,
  )
  const createdTimes = new Map(createdPrices.map(({ id, at }) => [id, at]))
  const count = await removeDocuments(trx, {
    resource: prices,
    author,
    removal,
    rows: goneStates.map(({ document, seen, shared }) => ({
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
      kept: { entry: document, version: Number(seen), createdAt: createdTimes.get(document) },
    })),
  })
  if (count < goneStates.length) throw changedFault(goneStates.length - count)
  trx.changed(prices.name)
  trx.changed(days.name, 'values')
}

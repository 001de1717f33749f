/** Reads the figures of a share: those it was frozen with, or present ones with the rights of its maker. */
import {
  type Caller,
  localeOf,
  rankOfRole,
  type ReportFigures,
  type ReportKey,
  wholeReport,
  type WrittenLocale,
} from '@dala/model'
import type { Database } from '../../../db/database.ts'
import { textTable } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { readCallerNow } from '../../../resources/caller-now.ts'
import { type ReportDocument, reportDocument } from '../document.ts'
import { assertReadableReport, circumstancesOf, type ReportReaders, type StoredQuery } from '../read-report.ts'
import type { FrozenFigures, OpenShare } from './store.ts'
import { type SharedFigures, sharedFigures } from './totals.ts'

interface SharedOrder {
  key: ReportKey
  query: StoredQuery
  locale: WrittenLocale
}

/**
 * Counts the figures of a share. The comparison with an earlier period is left out, because its groups have no number of cases.
 *
 * @throws 422 for a query that the report does not accept.
 */
export async function countSharedReport(
  database: Database,
  { computeReport }: Pick<ReportReaders, 'computeReport'>,
  caller: Caller,
  { key, query, locale }: SharedOrder,
): Promise<FrozenFigures> {
  const { figures, meta } = await computeReport(
    database,
    key,
    { ...query, compare: 'none', locale: localeOf(locale) },
    caller,
  )
  return { figures: sharedFigures(figures, key), meta }
}

/** Returns figures with the names of their rows in another language, as far as the records still exist. */
async function translateFigures<F extends ReportFigures>(
  database: Database,
  findNames: ReportReaders['findNames'],
  key: ReportKey,
  figures: F,
  locale: WrittenLocale,
): Promise<F> {
  const targetOf = (dim: string) =>
    wholeReport(key).breakdowns.find((declaredBreakdown) => declaredBreakdown.dim === dim)?.rows
  const names = new Map<string, string>()
  for (const dim of new Set(figures.breakdowns.map((breakdown) => breakdown.dim))) {
    const target = targetOf(dim)
    if (typeof target !== 'string') continue
    const resource = resourceNamed(target)
    const ids = figures.breakdowns
      .filter((breakdown) => breakdown.dim === dim)
      .flatMap(({ rows }) => rows.flatMap(({ id }) => (typeof id === 'number' ? [id] : [])))
    // Rows have the id of one language's text where the resource is localized.
    const documents = resource.localized
      ? await database.query(sql<{ id: number; document: number }>`
          select id, document_id as document from ${sql.table(textTable(resource))} where id = any(${ids}::int[])`)
      : ids.map((id) => ({ id, document: id }))
    const nameOf = await findNames(
      database,
      new Map([[target, new Set(documents.map(({ document }) => document))]]),
      localeOf(locale),
    )
    for (const { id, document } of documents) {
      const name = nameOf(target, document)?.name
      if (name) names.set(`${dim} ${id}`, name)
    }
  }
  return {
    ...figures,
    breakdowns: figures.breakdowns.map((breakdown) => ({
      ...breakdown,
      rows: breakdown.rows.map((row) => ({ ...row, name: names.get(`${breakdown.dim} ${row.id}`) ?? row.name })),
    })),
  }
}

/**
 * Makes the document of a share.
 *
 * @returns The document; undefined when the maker of the share may no longer open its report.
 */
export async function readSharedReport(
  database: Database,
  readers: ReportReaders,
  { userId, key, query, frozen }: Pick<OpenShare, 'userId' | 'key' | 'query' | 'frozen'>,
  locale: WrittenLocale,
): Promise<ReportDocument | undefined> {
  const caller = await readCallerNow(database, userId)
  if (!caller || rankOfRole(caller.role) < rankOfRole('admin')) return undefined
  await assertReadableReport(database, caller, key)
  const countedFigures = frozen
    ? {
        meta: frozen.meta,
        figures: await translateFigures<SharedFigures>(database, readers.findNames, key, frozen.figures, locale),
      }
    : await countSharedReport(database, readers, caller, { key, query, locale })
  return reportDocument(countedFigures, {
    ...(await circumstancesOf(database, caller, { key, query, locale })),
    key,
    by: null,
    locale,
    parts: ['figures', 'series', 'breakdowns', 'definitions'],
    few: countedFigures.figures.few,
  })
}

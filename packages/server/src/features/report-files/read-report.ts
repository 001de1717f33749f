/** Reads a report within the present rights of a caller, with the names that its document shows. */
import {
  type Caller,
  fault,
  isLocale,
  type Locale,
  localeNames,
  localeOf,
  readTranslations,
  reportFilters,
  type ReportKey,
  type ReportParameters,
  type ReportPart,
  reports,
  type SavedReport,
  type Translations,
  type WrittenLocale,
} from '@dala/model'
import type { Database, Queries } from '../../db/database.ts'
import { textTable } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { userNameSql } from '../../domain/accounts/user-name.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import { firstLabel } from '../../resources/labels.ts'
import { QueryContext } from '../../resources/read/context.ts'
import { findNames } from '../../resources/read/record-names.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { type DocumentContext, type ReportContents, type ReportDocument, reportDocument } from './document.ts'

const statistics = resourceNamed('statistics')

/** Query of a report without the language of its names. */
export type StoredQuery = Partial<Omit<ReportParameters, 'locale'>>

/** Readers of the feature of statistics. */
export interface ReportReaders {
  computeReport: (
    database: Database,
    key: ReportKey,
    query: Partial<ReportParameters>,
    caller: Caller,
  ) => Promise<ReportContents>
  findNames: (
    runner: Pick<Queries, 'query'>,
    idsByResource: ReadonlyMap<string, ReadonlySet<number>>,
    locale: Locale,
  ) => Promise<(resource: string, document: number) => { name: string | null } | undefined>
}

/** Readers of the feature of statistics, with that of saved reports. */
export interface SavedReportReaders extends ReportReaders {
  /** Finds a saved report that a caller may open; throws 404. */
  findSavedReport: (runner: Pick<Queries, 'query'>, caller: Caller, id: number) => Promise<SavedReport>
}

export interface ReportOrder {
  key: ReportKey
  query: StoredQuery
  locale: WrittenLocale
  parts: readonly ReportPart[]
}

/**
 * Checks that a caller may open a report.
 *
 * @throws 403 for a role without reports, 404 for a report that the caller may not open.
 */
export async function assertReadableReport(
  queries: Pick<Queries, 'query' | 'parts'>,
  caller: Caller,
  key: ReportKey,
): Promise<void> {
  const view = authoriseCaller(statistics, 'get', caller)
  const [reportRow] = await runScopedQuery(
    queries,
    { resource: statistics, caller, view },
    ({ from, where, document }) =>
      sql<{ found: number }>`select 1 as found from ${from} where ${where} and ${sql.ref(`${document}.key`)} = ${key}`,
  )
  if (!reportRow) throw fault('record.not-found')
}

/** Returns the title of a report in a language. */
async function titleOf(queries: Pick<Queries, 'query'>, key: ReportKey, locale: WrittenLocale): Promise<string> {
  const [titleRow] = await queries.query(sql<{ title: Translations }>`select title from statistics where key = ${key}`)
  return readTranslations(titleRow?.title, localeOf(locale)) ?? key
}

/** Returns the chosen filters of a report, with the names of those records that the caller may see. */
async function filtersOf(
  queries: Pick<Queries, 'query' | 'parts'>,
  caller: Caller,
  { key, query, locale }: Omit<ReportOrder, 'parts'>,
): Promise<{ name: string; text: string }[]> {
  const shownFilters: { name: string; text: string }[] = []
  for (const filter of reportFilters) {
    const [value, target] = [query.filters?.[filter], reports[key].filters[filter]]
    if (value === undefined || target === undefined) continue
    const name = firstLabel(locale, [`field.${filter}`])
    if (typeof target !== 'string') {
      shownFilters.push({ name, text: isLocale(value) ? localeNames[value] : String(value) })
      continue
    }
    const id = Number(value)
    const resource = resourceNamed(target)
    // The filter has the id of one language's text where the resource is localized.
    const [document] = resource.localized
      ? await queries.query(
          sql<{ id: number }>`select document_id as id from ${sql.table(textTable(resource))} where id = ${id}::int`,
        )
      : [{ id }]
    const nameOf =
      document &&
      (await findNames(
        queries,
        new QueryContext(caller),
        new Map([[target, new Set([document.id])]]),
        localeOf(locale),
      ))
    const recordName = document && nameOf?.(target, document.id)?.name
    shownFilters.push({ name, text: recordName ?? `#${id}` })
  }
  return shownFilters
}

async function nameOfPerson(queries: Pick<Queries, 'query'>, id: number): Promise<string | null> {
  const [person] = await queries.query(
    sql<{ name: string }>`select ${userNameSql} as name from users u where u.id = ${id}`,
  )
  return person?.name ?? null
}

/** Reads the circumstances of a report that its figures do not contain: its title, its filters and its hours. */
export async function circumstancesOf(
  queries: Pick<Queries, 'query' | 'parts'>,
  caller: Caller,
  order: Omit<ReportOrder, 'parts'>,
): Promise<Pick<DocumentContext, 'title' | 'filters' | 'hours'>> {
  const { key, query, locale } = order
  return {
    title: await titleOf(queries, key, locale),
    filters: await filtersOf(queries, caller, order),
    ...(reports[key].hours && { hours: query.hours ?? 'working' }),
  }
}

/**
 * Computes a report for a caller and makes its document.
 *
 * @throws 422 for a query that the report does not accept.
 */
export async function readReport(
  database: Database,
  { computeReport }: Pick<ReportReaders, 'computeReport'>,
  caller: Caller,
  order: ReportOrder,
): Promise<ReportDocument> {
  const { key, query, locale, parts } = order
  const contents = await computeReport(database, key, { ...query, locale: localeOf(locale) }, caller)
  const reportCircumstances = await circumstancesOf(database, caller, order)
  const makerName = await nameOfPerson(database, caller.id)
  return reportDocument(contents, { ...reportCircumstances, key, by: makerName, locale, parts })
}

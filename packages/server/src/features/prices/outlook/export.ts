/** Exports prices: the rows behind series and changes, with the same filters (market §5, §9). */
import type { Caller, PriceExportFormat, Resource, WrittenLocale } from '@dala/model'
import { sql } from '../../../db/sql.ts'
import type { Queries } from '../../../db/database.ts'
import { resourceNamed, type View } from '../../../resources/attributes.ts'
import type { QueryTree } from '../../../resources/read/parse-query.ts'
import type { FurtherRows } from '../../../resources/further-rows.ts'
import { wireId } from '../shown.ts'
import { type OutlookRequest, readInFrame } from './frame.ts'
import type { ExportQuery } from './query.ts'
import { trailOf } from './trail.ts'

/** Columns of the exported file of prices, in their order. */
const columns = [
  'pricedate',
  'product',
  'region',
  'district',
  'market_type',
  'price',
  'price_max',
  'unit',
  'price_base',
  'currency',
  'origin',
  'state',
  'note',
]

/** Request of an export of prices, for the export feature. */
export interface PriceExportRequest {
  resource: Resource
  format: PriceExportFormat
  columns: string[]
  query: QueryTree
  ids: undefined
  language: WrittenLocale
  timeZone: string
  /** Earlier prices of the export, when the query requests them. */
  furtherRows: FurtherRows | undefined
}

/**
 * Returns the product categories of a query with their subcategories.
 *
 * @throws 422 for records that do not exist.
 */
const categoriesOf = (runner: Queries, request: OutlookRequest): Promise<number[]> =>
  readInFrame<number[]>(runner, request, () => ({
    json: sql`(select coalesce(json_agg(${wireId('productcategories_texts', sql`k.id`)}), '[]') from kinds k)`,
  }))

/**
 * Turns filters of prices into an export request.
 *
 * @param runner - The database or a transaction.
 * @param caller - The caller.
 * @param view - The view of price lists of the caller.
 * @param query - The filters.
 * @returns The export request.
 * @throws 422 for records that do not exist; 403 for a trail that the caller may not read.
 */
export async function exportRequestOf(
  runner: Queries,
  caller: Caller,
  view: View,
  query: ExportQuery,
): Promise<PriceExportRequest> {
  const { product, region, districts, category, marketType, from, to, format, locale, language } = query
  const furtherRows = query.trail ? trailOf(caller, view, query) : undefined
  const categories = await categoriesOf(runner, { caller, view, filters: query })
  const productCell = {
    ...(product !== undefined && { id: { $eq: product } }),
    ...(category !== undefined && { productcategory: { id: { $in: categories } } }),
  }
  const filters = {
    pricedate: { date: { $between: [from, to] } },
    market_type: { $eq: marketType },
    price: { $notNull: 'true' },
    ...(Object.keys(productCell).length > 0 && { product: productCell }),
    ...(region !== undefined && { region: { id: { $eq: region } } }),
    ...(districts && { district: { id: { $in: [...districts] } } }),
  }
  return {
    resource: resourceNamed('pricelists'),
    format,
    columns,
    query: { filters, sort: ['pricedate.date', 'product.order', 'product.name', 'district.name'], locale },
    ids: undefined,
    language,
    timeZone: runner.calendar.zone,
    furtherRows: furtherRows,
  }
}

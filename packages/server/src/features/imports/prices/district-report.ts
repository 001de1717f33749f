/** Reports how many prices each district has before and after an import. */
import { type ImportDistrict, type ImportDistrictsAnswer, type Locale, resources } from '@dala/model'
import { sql } from '../../../db/sql.ts'
import type { Queries } from '../../../db/database.ts'
import { languageOrder } from '../../../resources/read/sql-entry.ts'
import type { ImportRecord } from '../import-store.ts'

/** Maximum number of districts in an answer: more than the country has. */
const maxDistricts = 500

/**
 * Counts the prices of the districts that an import has written to, on its days and in its markets.
 *
 * @param queries - The database.
 * @param record - The import.
 * @param locale - The language of the names.
 * @returns The districts with the most new prices first, and the total of districts; prices of later writers
 * do not count.
 * @see market §5
 */
export async function districtReport(
  queries: Pick<Queries, 'query'>,
  { id, kind, state }: ImportRecord,
  locale: Locale,
): Promise<ImportDistrictsAnswer> {
  if (kind !== resources.pricelists.name || state !== 'done') return { data: [], meta: { total: 0, possible: 0 } }
  const text = (column: string, language: Locale) => sql`(
    select t.${sql.ref(column)} from districts_texts t where t.document_id = d.id order by ${languageOrder(sql`t.locale`, undefined, language)} limit 1)`
  const rows = await queries.query(sql<ImportDistrict & { total: number; possible: number }>`
    with written as materialized (
      select p.district_id, p.pricedate_id, p.market_type, (r.undo ->> 'created')::boolean as is_new,
             (r.undo -> 'shared' ->> 'price') is null as is_filled
        from import_rows r join pricelists p on p.id = r.document where r.import_id = ${id} and r.is_written),
    places as materialized (select distinct pricedate_id, market_type from written),
    filled as (
      select p.district_id, count(*)::int as count from pricelists p join places using (pricedate_id, market_type)
       where p.price is not null and p.created_at <= (select committed_at from insert_excel where id = ${id}) group by 1),
    counted as (
      select district_id, count(*) filter (where is_new)::int as created, count(*) filter (where not is_new)::int as updated,
             count(*) filter (where is_filled)::int as added
        from written group by 1)
    select ${text('id', 'en')} as id, ${text('name', locale)} as name, c.created, c.updated,
           coalesce(f.count, 0) - c.added as before, coalesce(f.count, 0) as after,
           greatest(max(f.count) over (), (select count(*)::int from products where active) * (select count(*)::int from places)) as possible,
           (count(*) over ())::int as total
      from counted c join districts d on d.id = c.district_id left join filled f on f.district_id = c.district_id
     order by c.added desc, c.updated desc, d."order", d.id limit ${maxDistricts}`)
  const { total = 0, possible = 0 } = rows[0] ?? {}
  return { data: rows.map(({ total: _total, possible: _possible, ...row }) => row), meta: { total, possible } }
}

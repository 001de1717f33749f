/**
 * Exports the corrections of prices: each replaced price, with the user, the time and the reason (market §4).
 */
import { type Caller, fault, fieldLabel, type Locale } from '@dala/model'
import { compileTemplate, sql, type Template } from '../../../db/sql.ts'
import { resourceNamed, type View, viewOfResource } from '../../../resources/attributes.ts'
import type { FurtherColumn, FurtherRows } from '../../../resources/further-rows.ts'
import { languageSql, shownName } from '../shown.ts'
import { marketPriceSql, readInFrame } from './frame.ts'
import type { ExportQuery } from './query.ts'

type Sql = Template<unknown>

const pricelists = resourceNamed('pricelists')
const trailColumn = (name: string, kind: FurtherColumn['kind']): FurtherColumn => ({
  heading: fieldLabel(pricelists, name),
  kind,
  underName: name,
})

const trailColumns: readonly FurtherColumn[] = [
  trailColumn('pricedate', 'day'),
  trailColumn('product', 'text'),
  trailColumn('region', 'text'),
  trailColumn('district', 'text'),
  trailColumn('market_type', 'choice'),
  { ...trailColumn('price', 'amount'), heading: ['prices.trail.price'] },
  { ...trailColumn('price_max', 'amount'), heading: ['prices.trail.priceMax'] },
  { ...trailColumn('unit', 'text'), heading: ['prices.trail.unit'] },
  trailColumn('currency', 'text'),
  { heading: ['prices.trail.newPrice'], kind: 'amount' },
  { heading: ['prices.trail.newPriceMax'], kind: 'amount' },
  { heading: ['prices.trail.newUnit'], kind: 'text' },
  { heading: ['prices.trail.at'], kind: 'moment' },
  { heading: ['prices.trail.by'], kind: 'text' },
  { heading: ['prices.reason'], kind: 'text' },
]

/** Fields of a price whose change counts as an earlier price, with their recorded names. */
const recordedFields = { price: 'price', price_max: 'price_max', unit: 'unit_id' } as const
type Recorded = keyof typeof recordedFields | 'note'

/** SQL of the value before or after the change of a price's field in a revision. */
const end = (revision: Sql, field: Recorded, changeSide: 'before' | 'after'): Sql =>
  sql`${revision}.changes -> ${sql.lit(field)} -> ${sql.lit(changeSide)}`

/**
 * SQL of a value after a revision (alias `r`) of a price: its own, else the one that the next change
 * replaced, else the present one.
 */
const valueAfterSql = (field: Recorded, presentValueSql: Sql): Sql => sql`coalesce(${end(sql`r`, field, 'after')}, (
  select ${end(sql`l`, field, 'before')} from revisions l
   where l.resource = 'pricelists' and l.document_id = r.document_id and l.id > r.id
     and jsonb_exists(l.changes, ${sql.lit(field)})
   order by l.id limit 1), to_jsonb(${presentValueSql})) #>> '{}'`

/** SQL of the value of a field before a revision: the replaced value, else the value after the revision. */
const valueBeforeSql = (
  field: Recorded,
  presentValueSql: Sql,
): Sql => sql`case when jsonb_exists(r.changes, ${sql.lit(field)})
  then (${end(sql`r`, field, 'before')}) #>> '{}' else ${valueAfterSql(field, presentValueSql)} end`

const presentSql = (field: keyof typeof recordedFields): Sql => sql`c.${sql.ref(recordedFields[field])}`

const unitName = (id: Sql, locale: Locale): Sql =>
  sql`(select ${languageSql(sql`u.name`, locale)} from units u where u.id = (${id})::int)`

const personName = sql`(
  select coalesce(nullif(btrim(concat_ws(' ', u.name, u.surname)), ''), u.username) from users u where u.id = r.user_id)`

/**
 * Selects the former prices of a query, including those without a price today.
 *
 * @param caller - The caller.
 * @param view - The view of price lists of the caller.
 * @param query - The filters.
 * @returns The rows of the trail.
 * @throws 403 for callers who may not read the history of prices.
 */
export function trailOf(caller: Caller, view: View, query: ExportQuery): FurtherRows {
  if (!viewOfResource(pricelists, caller, 'update')) throw fault('access.denied')
  const { from, to, locale } = query
  return {
    title: ['prices.trail'],
    columns: trailColumns,
    findKeys: (runner, maxCount) =>
      readInFrame<number[]>(runner, { caller, view, filters: query }, (scopedParts) => ({
        json: sql`(select coalesce(json_agg(found.id order by found.place), '[]') from (
          select r.id, row_number() over (
                   order by e.date, g."order", g.id, d."order", d.id, c.market_type, r.id) as place
            from (select ${sql.ref(scopedParts.document)}.* from ${scopedParts.from} where ${scopedParts.where}) c
            join pricedates e on e.id = c.pricedate_id and e.date between ${from}::date and ${to}::date
            join goods g on g.id = c.product_id join places d on d.id = c.district_id
            join revisions r on r.resource = 'pricelists' and r.document_id = c.id and r.operation = 'update'
             and jsonb_exists_any(r.changes, ${Object.keys(recordedFields)}::text[])
           where ${marketPriceSql(query)} and (${valueBeforeSql('price', presentSql('price'))}) is not null
           order by place limit ${maxCount}) found)`,
      })),
    readRows: (runner, keys) =>
      runner.rows(
        compileTemplate(sql`
          select e.date::text, ${shownName('products_texts', sql`c.product_id`, locale)},
                 ${shownName('regions_texts', sql`c.region_id`, locale)},
                 ${shownName('districts_texts', sql`c.district_id`, locale)}, c.market_type,
                 (${valueBeforeSql('price', presentSql('price'))})::float8, (${valueBeforeSql('price_max', presentSql('price_max'))})::float8,
                 ${unitName(valueBeforeSql('unit', presentSql('unit')), locale)}, c.currency,
                 (${valueAfterSql('price', presentSql('price'))})::float8, (${valueAfterSql('price_max', presentSql('price_max'))})::float8,
                 ${unitName(valueAfterSql('unit', presentSql('unit')), locale)},
                 to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), ${personName},
                 ${valueAfterSql('note', sql`c.note`)}
            from unnest(${[...keys]}::int[]) with ordinality asked(id, place)
            join revisions r on r.id = asked.id join pricelists c on c.id = r.document_id
            join pricedates e on e.id = c.pricedate_id
           order by asked.place`),
      ),
  }
}

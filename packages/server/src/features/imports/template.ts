/** Writes an empty sheet of a resource: headings in a language, and drop-downs of possible names. */
import {
  type Caller,
  choiceLabel,
  type ImportField,
  isLinkToDay,
  localeOf,
  type Resource,
  resources,
  resourceTitle,
  type WrittenLocale,
} from '@dala/model'
import type { CellValue, DataValidation, WriteSheet } from 'hucre/xlsx'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { type LinkTarget, loadDirectory } from './names/directories.ts'
import { headingOf, firstLabelIn } from './names/headings.ts'
import { importFieldsOf } from './preview.ts'

/** Maximum number of names in one drop-down of an import template. */
const maxListedNames = 2_000
/** Number of an import template's rows with drop-downs. */
const maxRows = 5_000
/** Maximum number of prepared prices in an import template: products times districts of a region. */
const maxPlaces = 5_000

const listSheet = 'Lists'
const columnWidths: Readonly<Partial<Record<ImportField['kind'], number>>> = {
  number: 14,
  day: 12,
  yesNo: 10,
  choice: 16,
}

export interface TemplateRequest {
  kind: string
  language: WrittenLocale
  /** Day of the template's prices; the region has the districts to list. Both are for prices only. */
  date: string | undefined
  region: number | undefined
}

/** Texts of a template's drop-down, with the ids of the records beside them. */
interface DropDownTexts {
  field: ImportField
  items: readonly (readonly [text: string, id: number | null])[]
}

/** Returns names with ids; names that several records share are extended by their ids. */
function namesOf(targets: readonly LinkTarget[]): (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { name } of targets) counts.set(name, (counts.get(name) ?? 0) + 1)
  return targets
    .map(({ name, id }) => [counts.get(name) === 1 ? name : `#${id}`, id] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

async function choicesOf(
  runner: Queries,
  caller: Caller,
  resource: Resource,
  field: ImportField,
  language: WrittenLocale,
): Promise<DropDownTexts | undefined> {
  if (field.kind === 'yesNo')
    return { field, items: ['action.yes', 'action.no'].map((key) => [firstLabelIn(language, [key]), null] as const) }
  if (field.kind === 'choice')
    return {
      field,
      items: (field.values ?? []).map(
        (code) => [firstLabelIn(language, choiceLabel(resource, field.name, code)), null] as const,
      ),
    }
  if (field.target === undefined || isLinkToDay(resourceNamed(field.target))) return undefined
  const target = resourceNamed(field.target)
  const directory = await loadDirectory(runner, {
    resource: target,
    caller: { ...caller, language: localeOf(language) },
    targetColumns: [],
    names: [],
  })
  const items = namesOf(directory.all())
  return items.length > 0 && items.length <= maxListedNames ? { field, items } : undefined
}

/** Builds the hidden sheet of an import template: a pair of columns for each drop-down, names and ids. */
function listsOf(choices: readonly DropDownTexts[], headings: ReadonlyMap<string, string>): WriteSheet {
  const length = Math.max(0, ...choices.map(({ items }) => items.length))
  const rows: CellValue[][] = [choices.flatMap(({ field }) => [headings.get(field.key) ?? field.key, 'ID'])]
  for (let row = 0; row < length; row += 1)
    rows.push(choices.flatMap(({ items }): CellValue[] => [items[row]?.[0] ?? null, items[row]?.[1] ?? null]))
  return { name: listSheet, rows, hidden: true }
}

interface PlaceRow {
  product: number
  district: number
  unit: number | null
  price: number | null
  price_max: number | null
}

/** Returns products with the districts of a region, and their prices of the day before. */
async function placesOf(
  queries: Pick<Queries, 'query'>,
  region: number,
  date: string | undefined,
): Promise<PlaceRow[]> {
  return queries.query(sql<PlaceRow>`
    select g.id as product, d.id as district, coalesce(b.unit_id, g.unit_id) as unit, b.price::float8 as price, b.price_max::float8 as price_max
      from products g cross join districts d
      left join lateral (
        select p.price, p.price_max, p.unit_id from pricelists p join pricedates e on e.id = p.pricedate_id
         where p.product_id = g.id and p.district_id = d.id and p.market_type = 'retail' and p.price is not null
           and e.date < coalesce(${date ?? null}::date, current_date) order by e.date desc limit 1) b on true
     where g.active and d.region_id = (select document_id from regions_texts where id = ${region})
     order by g."order", g.id, d."order", d.id limit ${maxPlaces}::int`)
}

/**
 * Writes the import template of a resource.
 *
 * @param runner - The database.
 * @param caller - The caller, whose rights limit the fields and names.
 * @param order - The resource, the language, and for prices the day and a region.
 * @returns The bytes of an xlsx file.
 */
export async function writeTemplate(
  runner: Queries,
  caller: Caller,
  { kind, language, date, region }: TemplateRequest,
): Promise<Uint8Array> {
  const resource = resourceNamed(kind)
  const fields = importFieldsOf(resource, caller).filter(({ key }) => key !== 'id')
  const headings = new Map(fields.map((field) => [field.key, headingOf(resource, field, language)]))
  const choices: DropDownTexts[] = []
  for (const field of fields) {
    const foundChoices = await choicesOf(runner, caller, resource, field, language)
    if (foundChoices) choices.push(foundChoices)
  }
  const isPriceTemplate = resource.name === resources.pricelists.name
  const priceCells = isPriceTemplate && region !== undefined ? await placesOf(runner, region, date) : []
  const labelBefore = firstLabelIn(language, ['import.before'])
  const names = isPriceTemplate
    ? await Promise.all(['product', 'district', 'unit'].map((name) => directoryOf(name)))
    : []
  const rows: CellValue[][] = [
    [...headings.values(), ...(priceCells.length > 0 ? [labelBefore] : [])],
    ...priceCells.map(({ product, district, unit, price }): CellValue[] => {
      const [products, districts, units] = names
      const values: Readonly<Record<string, CellValue>> = {
        product: products?.of(product)?.name ?? null,
        district: districts?.of(district)?.name ?? null,
        unit: unit === null ? null : (units?.of(unit)?.name ?? null),
        pricedate: date === undefined ? null : new Date(`${date}T00:00:00.000Z`),
      }
      return [...fields.map(({ key }) => values[key] ?? null), price]
    }),
  ]
  const { colToLetter, writeXlsx } = await import('hucre/xlsx')
  const mainSheet: WriteSheet = {
    name: firstLabelIn(language, [resourceTitle(resource)])
      .replaceAll(/[[\]:*?/\\']/g, ' ')
      .slice(0, 31),
    rows,
    columns: fields.map(({ kind: fieldKind, name }) => ({
      width: columnWidths[fieldKind] ?? (name === resource.title ? 36 : 24),
      ...(fieldKind === 'day' || name === 'pricedate' ? { numFmt: 'dd.mm.yyyy' } : {}),
    })),
    cells: new Map(
      [...headings.values()].map((heading, index) => [
        `0,${index}`,
        { value: heading, style: { font: { bold: true } } },
      ]),
    ),
    freezePane: { rows: 1 },
    dataValidations: choices.flatMap(({ field, items }, index): DataValidation[] => {
      // A template's cell with several names has no drop-down.
      if (field.kind === 'links') return []
      const column = colToLetter(fields.findIndex(({ key }) => key === field.key))
      const list = colToLetter(index * 2)
      return [
        {
          type: 'list',
          formula1: `${listSheet}!$${list}$2:$${list}$${items.length + 1}`,
          range: `${column}2:${column}${maxRows}`,
          allowBlank: true,
          // Other spellings than those of a drop-down may be typed: the import asks the user about them.
          showErrorMessage: false,
        },
      ]
    }),
  }
  return writeXlsx({ sheets: choices.length > 0 ? [mainSheet, listsOf(choices, headings)] : [mainSheet] })

  function directoryOf(name: string) {
    const target = fields.find(({ key }) => key === name)?.target ?? name
    return loadDirectory(runner, {
      resource: resourceNamed(target),
      caller: { ...caller, language: localeOf(language) },
      targetColumns: [],
      names: [],
    })
  }
}

/**
 * Finds the record that each row of an import changes: by id, unique value, title, or the place of a price.
 */
import { type Field, type Locale, locales } from '@dala/model'
import { type CheckContext, fieldOf, isPriceResource } from './check-context.ts'
import { isKnown } from './names/directories.ts'
import { addIssue, type WorkRow } from './import-row.ts'
import { dayOfRow, marketOfRow } from './prices/rules.ts'
import { findPrices, findRecords, type FoundRecords, titleKey, uniqueKey } from './records.ts'

/** Returns the title that identifies an imported row: in the language of the import, else the first one. */
function titleOf(
  { resource, mapping }: CheckContext,
  { values }: WorkRow,
): { locale: Locale | undefined; value: string } | undefined {
  const { title } = resource
  const field = fieldOf(resource, title)
  if (!field?.localized && field?.kind !== 'translations') {
    const value = values.get(title)
    return typeof value === 'string' ? { locale: undefined, value } : undefined
  }
  for (const locale of [mapping.locale, ...locales]) {
    const value = values.get(`${title}.${locale}`)
    if (typeof value === 'string') return { locale, value }
  }
  return undefined
}

/**
 * Finds the record of each imported row, and the keys that no two rows may share.
 *
 * @param context - The import.
 * @param workRows - Its rows with resolved links; record, keys and faults are added to them.
 * @returns The records that were found by id, unique value and title.
 */
export async function identifyRows(context: CheckContext, workRows: readonly WorkRow[]): Promise<FoundRecords> {
  const { resource, runner, caller, view } = context
  const uniqueFields = Object.entries<Field>(resource.fields).filter(([, field]) => field.unique)
  const uniqueKeys = new Map(
    uniqueFields.map(([name, field]) => [
      name,
      workRows.flatMap(({ values }) =>
        (field.localized ? locales : [undefined]).flatMap((locale) => {
          const value = values.get(locale === undefined ? name : `${name}.${locale}`)
          return typeof value === 'string' || typeof value === 'number' ? [{ locale, value: String(value) }] : []
        }),
      ),
    ]),
  )
  const titles = isPriceResource(resource) ? [] : workRows.flatMap((importedRow) => titleOf(context, importedRow) ?? [])
  const ids = workRows.flatMap(({ values }) => {
    const id = values.get('id')
    return typeof id === 'number' ? [id] : []
  })
  const foundRecords = await findRecords({ runner, resource, caller, view }, { ids, unique: uniqueKeys, titles })
  const prices = isPriceResource(resource) ? await pricesOf(context, workRows) : undefined
  const letters = new Map(context.columns.map(({ field, letter }) => [field.key, letter]))
  for (const workRow of workRows) identifyRow(context, workRow, foundRecords, prices, letters)
  return foundRecords
}

/** Returns the place that identifies an imported price: product, district, day and market. */
function placeOf({ mapping }: CheckContext, importedRow: WorkRow) {
  const [product, district] = [importedRow.values.get('product'), importedRow.values.get('district')]
  const day = dayOfRow(importedRow, mapping.date)
  if (!isKnown(product) || !isKnown(district) || day === undefined) return undefined
  return { product: product.document, district: district.document, day, market: marketOfRow(importedRow) }
}

function pricesOf(context: CheckContext, workRows: readonly WorkRow[]) {
  return findPrices(
    context.runner,
    workRows.flatMap((importedRow) => placeOf(context, importedRow) ?? []),
  )
}

function identifyRow(
  context: CheckContext,
  workRow: WorkRow,
  foundRecords: FoundRecords,
  prices: ReadonlyMap<string, number> | undefined,
  letters: ReadonlyMap<string, string>,
): void {
  const { resource } = context
  const id = workRow.values.get('id')
  if (typeof id === 'number') {
    workRow.document = foundRecords.documentsById.get(id)
    if (workRow.document === undefined) addIssue(workRow, letters, { field: 'id', code: 'record.not-found' })
  }
  if (prices) {
    const rowPlace = placeOf(context, workRow)
    const key = rowPlace && Object.values(rowPlace).join('/')
    if (key === undefined) return
    if (typeof id !== 'number') workRow.document = prices.get(key)
    workRow.keys.push(`n:${key}`)
    return
  }
  if (typeof id !== 'number') identifyByName(context, workRow, foundRecords, letters)
  if (workRow.document !== undefined) workRow.keys.push(`r:${workRow.document}`)
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (!field.unique) continue
    for (const locale of field.localized ? locales : [undefined]) {
      const value = workRow.values.get(locale === undefined ? name : `${name}.${locale}`)
      if (value !== undefined) workRow.keys.push(`u:${uniqueKey(name, locale, value)}`)
    }
  }
}

function identifyByName(
  context: CheckContext,
  workRow: WorkRow,
  foundRecords: FoundRecords,
  letters: ReadonlyMap<string, string>,
): void {
  const { resource } = context
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (!field.unique) continue
    for (const locale of field.localized ? locales : [undefined]) {
      const value = workRow.values.get(locale === undefined ? name : `${name}.${locale}`)
      const foundRecord =
        value === undefined ? undefined : foundRecords.documentsByKey.get(uniqueKey(name, locale, value))
      if (foundRecord?.isReachable !== true) continue
      workRow.document = foundRecord.document
      return
    }
  }
  const title = titleOf(context, workRow)
  if (!title) return
  const documents = [...(foundRecords.documentsByTitle.get(titleKey(title.locale, title.value)) ?? [])]
  const key = title.locale === undefined ? resource.title : `${resource.title}.${title.locale}`
  if (documents.length > 1)
    addIssue(workRow, letters, { field: key, code: 'import.several-names', params: { name: title.value } })
  else if (documents.length === 1) workRow.document = documents[0]
  else workRow.keys.push(`n:${titleKey(title.locale, title.value)}`)
}

/**
 * Finds the record that each row of an import changes: by id, unique value, title, or the place of a price.
 */
import { type Field, type Locale, locales } from '@dala/model'
import { type CheckContext, fieldOf, isPrices } from './check-context.ts'
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
  const unique = new Map(
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
  const titles = isPrices(resource) ? [] : workRows.flatMap((work) => titleOf(context, work) ?? [])
  const ids = workRows.flatMap(({ values }) => {
    const id = values.get('id')
    return typeof id === 'number' ? [id] : []
  })
  const found = await findRecords({ runner, resource, caller, view }, { ids, unique, titles })
  const prices = isPrices(resource) ? await pricesOf(context, workRows) : undefined
  const letters = new Map(context.columns.map(({ field, letter }) => [field.key, letter]))
  for (const work of workRows) identifyRow(context, work, found, prices, letters)
  return found
}

/** Returns the place that identifies an imported price: product, district, day and market. */
function placeOf({ mapping }: CheckContext, work: WorkRow) {
  const [product, district] = [work.values.get('product'), work.values.get('district')]
  const day = dayOfRow(work, mapping.date)
  if (!isKnown(product) || !isKnown(district) || day === undefined) return undefined
  return { product: product.document, district: district.document, day, market: marketOfRow(work) }
}

function pricesOf(context: CheckContext, workRows: readonly WorkRow[]) {
  return findPrices(
    context.runner,
    workRows.flatMap((work) => placeOf(context, work) ?? []),
  )
}

function identifyRow(
  context: CheckContext,
  work: WorkRow,
  found: FoundRecords,
  prices: ReadonlyMap<string, number> | undefined,
  letters: ReadonlyMap<string, string>,
): void {
  const { resource } = context
  const id = work.values.get('id')
  if (typeof id === 'number') {
    work.document = found.byId.get(id)
    if (work.document === undefined) addIssue(work, letters, { field: 'id', code: 'record.not-found' })
  }
  if (prices) {
    const place = placeOf(context, work)
    const key = place && Object.values(place).join('/')
    if (key === undefined) return
    if (typeof id !== 'number') work.document = prices.get(key)
    work.keys.push(`n:${key}`)
    return
  }
  if (typeof id !== 'number') identifyByName(context, work, found, letters)
  if (work.document !== undefined) work.keys.push(`r:${work.document}`)
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (!field.unique) continue
    for (const locale of field.localized ? locales : [undefined]) {
      const value = work.values.get(locale === undefined ? name : `${name}.${locale}`)
      if (value !== undefined) work.keys.push(`u:${uniqueKey(name, locale, value)}`)
    }
  }
}

function identifyByName(
  context: CheckContext,
  work: WorkRow,
  found: FoundRecords,
  letters: ReadonlyMap<string, string>,
): void {
  const { resource } = context
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    if (!field.unique) continue
    for (const locale of field.localized ? locales : [undefined]) {
      const value = work.values.get(locale === undefined ? name : `${name}.${locale}`)
      const one = value === undefined ? undefined : found.byUnique.get(uniqueKey(name, locale, value))
      if (one?.isReachable !== true) continue
      work.document = one.document
      return
    }
  }
  const title = titleOf(context, work)
  if (!title) return
  const documents = [...(found.byTitle.get(titleKey(title.locale, title.value)) ?? [])]
  const key = title.locale === undefined ? resource.title : `${resource.title}.${title.locale}`
  if (documents.length > 1)
    addIssue(work, letters, { field: key, code: 'import.several-names', params: { name: title.value } })
  else if (documents.length === 1) work.document = documents[0]
  else work.keys.push(`n:${titleKey(title.locale, title.value)}`)
}

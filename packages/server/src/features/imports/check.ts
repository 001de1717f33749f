/** Checks the rows of an import as the write path would, with a few statements in total (market §5). */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  Fault,
  type Field,
  type ImportLink,
  type ImportName,
  type ImportValue,
  type Issue,
  type Locale,
  locales,
  parentPairsOf,
  readTranslations,
  type Resource,
  resources,
  type Translations,
  validateRecord,
  isLinkToDay,
} from '@dala/model'
import { resourceNamed } from '../../resources/attributes.ts'
import { plainText } from '../../resources/plain-text.ts'
import { checkOrderedPairs, settleParents } from '../../resources/write/rules.ts'
import { checkRoles, checkTwins, checkUnique } from './check-across-rows.ts'
import { type CheckContext, fieldOf, isPriceResource } from './check-context.ts'
import { type LinkTargets, isKnown, type LinkTarget, toOneLinks } from './names/directories.ts'
import { identifyRows } from './identify-rows.ts'
import {
  addIssue,
  type CellValue,
  type CheckedRow,
  isFaulty,
  type StoredRow,
  warningsOf,
  type WorkRow,
} from './import-row.ts'
import { warnOfPrices } from './prices/judgement.ts'
import { checkPrices, dayOfRow, fillPrices, priceTargetColumns } from './prices/rules.ts'
import { readValue } from './read-value.ts'
import { loadStates } from './records.ts'
import { resolveNames } from './names/resolve-names.ts'
import { isBlankCell, textOfCell } from './sheet/cells.ts'

export interface CheckedRows {
  /** Total number of rows of the import. */
  count: number
  names: ImportName[]
  namesCount: number
  /**
   * Yields the results of an import's checked rows in batches, because all of them together would need as
   * much memory as the rows. `isLast` drops each row with its result, so that they can be requested only
   * once.
   */
  outcomes: (isLast?: boolean) => AsyncGenerator<CheckedRow[]>
}

/** Number of checked rows between two pauses for other tasks of the process. */
const rowsPerTurn = 250
/** Number of checked rows in one batch of results. */
const portion = 500

/** Reads the cells of a row of the import. */
function startRow(
  context: CheckContext,
  { cells, ...storedRow }: StoredRow,
  letters: ReadonlyMap<string, string>,
): WorkRow {
  const names = new Map<string, readonly string[]>()
  const workRow: WorkRow = {
    stored: storedRow,
    givenTexts: {},
    values: new Map(),
    names,
    issues: [],
    document: undefined,
    state: undefined,
    keys: [],
    twins: [],
    isBlank: false,
    draft: { shared: {}, texts: {} },
    changed: [],
  }
  for (const { field, index } of context.columns) {
    const typedText = storedRow.corrected[field.key]
    const cell = typedText ?? cells[index]
    if (!isBlankCell(cells[index])) workRow.givenTexts[field.key] = textOfCell(cells[index])
    const isDay = field.target !== undefined && isLinkToDay(resourceNamed(field.target))
    const readCell = readValue(context.resource, isDay ? { ...field, kind: 'day' } : field, cell)
    if ('fault' in readCell)
      addIssue(workRow, letters, { ...readCell.fault, field: field.key, value: textOfCell(cell).trim() })
    else if ('names' in readCell) names.set(field.key, readCell.names)
    else if (readCell.value !== null && isDay) names.set(field.key, [String(readCell.value)])
    else if (readCell.value !== null) workRow.values.set(field.key, readCell.value)
  }
  return workRow
}

/**
 * Checks the rows of an import, which arrive page by page.
 *
 * @returns The results and the names that need a decision.
 */
export async function checkRows(
  context: CheckContext,
  pages: AsyncIterable<readonly StoredRow[]> | Iterable<readonly StoredRow[]>,
): Promise<CheckedRows> {
  const { resource, columns, runner, caller, mapping } = context
  const letters = new Map(columns.map(({ field, letter }) => [field.key, letter]))
  const workRows: WorkRow[] = []
  for await (const page of pages) {
    for (const row of page) {
      workRows.push(startRow(context, row, letters))
      if (workRows.length % rowsPerTurn === 0) await yieldToEventLoop()
    }
  }
  const fields = columns.map(({ field }) => field)
  const { directories, names, count } = await resolveNames(
    {
      runner,
      caller,
      resource,
      fields: withRuleFields(resource, fields),
      letters,
      decidedNames: context.decidedNames,
      rememberedNames: context.rememberedNames,
      targetColumns: targetColumnsOfKind(resource),
    },
    workRows,
  )
  const openRows = workRows.filter(({ stored: { isSkipped } }) => !isSkipped)
  const foundRecords = await identifyRows(context, openRows)
  const states = await loadStates(runner, resource, [...new Set(openRows.flatMap(({ document }) => document ?? []))])
  for (const workRow of openRows)
    workRow.state = workRow.document === undefined ? undefined : states.get(workRow.document)
  if (isPriceResource(resource)) fillPrices(directories, openRows)
  for (const [index, importedRow] of openRows.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await yieldToEventLoop()
    makeDraft(context, importedRow)
    if (!importedRow.isBlank) validateRow(context, importedRow, letters, directories)
  }
  checkUnique(context, openRows, foundRecords, letters)
  if (isPriceResource(resource)) {
    const prices = { runner, letters, directories, day: mapping.date, locale: mapping.locale }
    await checkPrices(prices, openRows)
    await warnOfPrices(prices, openRows)
  }
  if (resource.name === resources.users.name) checkRoles(caller, openRows, letters)
  checkTwins(openRows, letters, resource)
  for (const { stored: identifiedRow, issues } of openRows)
    if (identifiedRow.refusal) issues.push(identifiedRow.refusal)
  return {
    count: workRows.length,
    names,
    namesCount: count,
    outcomes: (isLast = false) => outcomesOf(context, workRows, directories, isLast),
  }
}

/** Yields the results of an import's checked rows in batches. */
async function* outcomesOf(
  context: CheckContext,
  workRows: WorkRow[],
  directories: ReadonlyMap<string, LinkTargets>,
  isLast: boolean,
): AsyncGenerator<CheckedRow[]> {
  for (let start = 0; start < workRows.length; start += isLast ? 0 : portion) {
    const rows = isLast ? workRows.splice(0, portion) : workRows.slice(start, start + portion)
    yield rows.map((importedRow) => finishRow(context, importedRow, directories))
    await yieldToEventLoop()
  }
}

/** Adds fields to an imported row that rules need although no column contains them. */
function withRuleFields(resource: Resource, fields: CheckContext['columns'][number]['field'][]) {
  if (!isPriceResource(resource)) return fields
  const presentKeys = new Set(fields.map(({ key }) => key))
  const impliedFields = (['unit', 'pricedate'] as const).filter((name) => !presentKeys.has(name))
  return [
    ...fields,
    ...impliedFields.map((name) => ({
      key: name,
      name,
      kind: 'link' as const,
      isRequired: true,
      target: resources.pricelists.fields[name].target,
    })),
  ]
}

/** Returns the columns of link targets that the rules of a resource need. */
function targetColumnsOfKind(resource: Resource): Readonly<Record<string, readonly string[]>> {
  if (isPriceResource(resource)) return priceTargetColumns
  return resource.name === resources.users.name ? { role: ['type'] } : {}
}

/** Converts plain lines of an imported cell to rich text. */
const toRichText = (text: string) =>
  text
    .split('\n')
    .map((line) => `<p>${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`)
    .join('')

/** Normalises differences that a spreadsheet makes in a text. */
const normaliseCellText = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

const idsOf = (value: CellValue): unknown =>
  Array.isArray(value)
    ? (value as unknown[]).map((item) => (isKnown(item) ? item.id : item))
    : isKnown(value)
      ? value.id
      : value
const documentsOf = (value: CellValue): unknown =>
  Array.isArray(value)
    ? (value as unknown[]).map((item) => (isKnown(item) ? item.document : item))
    : isKnown(value)
      ? value.document
      : value

/**
 * Returns the stored value of an imported column; a text that is missing in its language is shown in another
 * one.
 */
function storedValue(resource: Resource, importedRow: WorkRow, name: string, locale: Locale | undefined): unknown {
  const { state } = importedRow
  if (!state) return null
  const field = fieldOf(resource, name)
  if (locale === undefined) return state.shared[name] ?? null
  if (field?.kind === 'translations') return readTranslations(pickTexts(state.shared[name]), locale)
  for (const candidate of [locale, ...locales]) {
    const value = state.texts.get(candidate)?.values[name]
    if (value !== null && value !== undefined && value !== '') return value
  }
  return null
}

/** Reads a multilingual text in its stored form. */
const pickTexts = (value: unknown): Translations | string | null =>
  typeof value === 'string' || (typeof value === 'object' && value !== null) ? value : null

function isSame(field: Field | undefined, value: CellValue, databaseValue: unknown): boolean {
  const valueDocuments = documentsOf(value)
  if (Array.isArray(valueDocuments)) {
    if (!Array.isArray(databaseValue)) return valueDocuments.length === 0
    const isTextList = databaseValue.every((item) => typeof item === 'string')
    return isTextList
      ? valueDocuments.map(String).join('; ') === databaseValue.join('; ')
      : valueDocuments.length === databaseValue.length &&
          valueDocuments.every((item, index) => item === databaseValue[index])
  }
  if (typeof valueDocuments === 'string' && typeof databaseValue === 'string')
    return field?.kind === 'rich'
      ? normaliseCellText(valueDocuments) === plainText(databaseValue)
      : normaliseCellText(valueDocuments) === normaliseCellText(databaseValue)
  return valueDocuments === databaseValue
}

/** Computes the changes that an imported row makes to its record. */
function makeDraft({ resource, columns }: CheckContext, importedRow: WorkRow): void {
  const { draft, values, changed } = importedRow
  const keys = new Map(columns.map(({ field }) => [field.key, field]))
  for (const [key, value] of values) {
    const [name = key, suffix] = key.split('.')
    const locale = keys.get(key)?.locale ?? (suffix as Locale | undefined)
    if (key === 'id') continue
    const field = fieldOf(resource, name)
    if (importedRow.state && isSame(field, value, storedValue(resource, importedRow, name, locale))) continue
    changed.push(key)
    const writtenValue =
      field?.kind === 'rich' && typeof value === 'string' ? toRichText(normaliseCellText(value)) : idsOf(value)
    if (locale === undefined) draft.shared[name] = writtenValue
    else if (field?.kind === 'translations') {
      const valueBefore = draft.shared[name] ?? importedRow.state?.shared[name] ?? {}
      const texts =
        typeof valueBefore === 'string'
          ? Object.fromEntries(locales.map((textLocale) => [textLocale, valueBefore]))
          : valueBefore
      draft.shared[name] = { ...texts, [locale]: writtenValue }
    } else (draft.texts[locale] ??= {})[name] = writtenValue
  }
}

/** Returns the key of the import's column for a field. */
const keyOfField = (resource: Resource, name: string, locale: Locale | undefined) =>
  fieldOf(resource, name)?.localized || fieldOf(resource, name)?.kind === 'translations'
    ? `${name}.${locale ?? 'en'}`
    : name

function validateRow(
  context: CheckContext,
  workRow: WorkRow,
  letters: ReadonlyMap<string, string>,
  directories: ReadonlyMap<string, LinkTargets>,
): void {
  const { resource, mapping } = context
  const { draft, state } = workRow
  const add = (issues: readonly Issue[], locale: Locale | undefined) => {
    for (const { path, code, params } of issues) {
      const key = keyOfField(resource, String(path[0]), locale)
      if (!isFaulty(workRow, key)) addIssue(workRow, letters, { field: key, code, params })
    }
  }
  const ownLocales = Object.keys(draft.texts).filter((locale) => locales.includes(locale as Locale)) as Locale[]
  const mainText =
    state?.sourceLocale ?? (ownLocales.includes(mapping.locale) ? mapping.locale : (ownLocales[0] ?? mapping.locale))
  if (!state) {
    const body: Record<string, unknown> = { ...draft.shared, ...draft.texts[mainText] }
    // A missing price day counts as valid, because the import creates it; new accounts get a generated
    // password.
    if (isPriceResource(resource)) body.pricedate = dayOfRow(workRow, mapping.date) === undefined ? undefined : 1
    // The unit of an imported price is not required yet, because an unknown product may determine it.
    if (isPriceResource(resource) && isFaulty(workRow, 'product')) body.unit ??= 1
    if (resource.fields.password?.kind === 'password') body.password = 'Long-enough-1'
    const { issues } = validateRecord(resource, body, 'create')
    const parents = new Set(parentPairsOf(resource).flatMap(({ child, parent }) => (body[child] ? [parent] : [])))
    add(
      issues.filter(({ path: [name] }) => !parents.has(String(name))),
      resource.localized ? mainText : mapping.locale,
    )
  } else
    add(
      validateRecord(resource, { ...draft.shared, ...draft.texts[mainText] }, 'update').issues,
      resource.localized ? mainText : mapping.locale,
    )
  for (const locale of ownLocales) {
    if (locale === mainText) continue
    const mode = state?.texts.has(locale) ? 'update' : 'translate'
    const { issues } = validateRecord(resource, draft.texts[locale] ?? {}, mode)
    add(
      issues.filter(({ path: [name] }) => fieldOf(resource, String(name))?.localized === true),
      locale,
    )
  }
  const sharedBefore = state?.shared ?? {}
  const links = toOneLinks(resource)
  const documents = Object.fromEntries(
    links.flatMap((name) => {
      const value = workRow.values.get(name)
      return isKnown(value) ? [[name, value.document] as const] : []
    }),
  )
  const linkTargetColumns = (link: string) => {
    const document = documents[link] ?? sharedBefore[link]
    return typeof document === 'number' ? directories.get(link)?.of(document)?.details : undefined
  }
  for (const rule of [
    () => checkOrderedPairs(resource, sharedBefore, numbersOf(draft.shared)),
    () => void settleParents(resource, sharedBefore, documents, linkTargetColumns),
  ]) {
    try {
      rule()
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      add(error.issues, undefined)
    }
  }
}

const numbersOf = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'number'))

const toImportLink = ({ id, name }: LinkTarget): ImportLink => ({ id, name })

function shownValue(value: CellValue): ImportValue {
  if (Array.isArray(value))
    return (value as (string | LinkTarget)[]).map((item) => (isKnown(item) ? toImportLink(item) : item)) as ImportValue
  return isKnown(value) ? toImportLink(value) : value
}

function showStoredValue(
  field: Field | undefined,
  databaseValue: unknown,
  directory: LinkTargets | undefined,
): ImportValue {
  if (databaseValue === null || databaseValue === undefined) return null
  if (directory) {
    const linkOf = (document: unknown) => {
      const linkTarget = directory.of(Number(document))
      return linkTarget ? toImportLink(linkTarget) : { id: Number(document), name: `#${String(document)}` }
    }
    return Array.isArray(databaseValue) ? databaseValue.map(linkOf) : linkOf(databaseValue)
  }
  if (field?.kind === 'rich' && typeof databaseValue === 'string') return plainText(databaseValue)
  return databaseValue as ImportValue
}

function finishRow(
  context: CheckContext,
  importedRow: WorkRow,
  directories: ReadonlyMap<string, LinkTargets>,
): CheckedRow {
  const { resource, columns } = context
  const { stored, state, issues, changed, draft } = importedRow
  const loadedFields = columns.map(({ field }) => field).filter(({ key }) => key !== 'id')
  const valuesBefore = state
    ? Object.fromEntries(
        loadedFields.map(({ key, name, locale }) => [
          key,
          showStoredValue(
            fieldOf(resource, name),
            storedValue(resource, importedRow, name, locale),
            directories.get(key),
          ),
        ]),
      )
    : null
  const valuesAfter: Record<string, ImportValue> = { ...valuesBefore }
  for (const [key, value] of importedRow.values) if (key !== 'id') valuesAfter[key] = shownValue(value)
  for (const { field } of issues) if (field !== null && !importedRow.values.has(field)) delete valuesAfter[field]
  const hasError = issues.some(({ level }) => level === 'error')
  const isNothing = importedRow.isBlank || (state !== undefined && changed.length === 0)
  const action =
    stored.isSkipped || (importedRow.isBlank && !hasError)
      ? 'skip'
      : hasError
        ? 'error'
        : isNothing
          ? 'same'
          : state
            ? 'update'
            : 'create'
  const isWritten = action === 'create' || action === 'update'
  const warnings = warningsOf(issues)
  const isConfirmed = isWritten && warnings.length > 0 && isDeepStrictEqual(stored.confirmed, warnings)
  return {
    row: stored.row,
    action,
    hasWarning: isWritten && warnings.length > 0 && !isConfirmed,
    keys: importedRow.keys,
    document: importedRow.document ?? null,
    seen: state?.seen ?? null,
    shown: {
      id: state ? idOfState(resource, state, context.mapping.locale) : null,
      given: importedRow.givenTexts,
      before: valuesBefore,
      after: valuesAfter,
      changed: hasError ? changed.filter((key) => !isFaulty(importedRow, key)) : changed,
      issues: stored.isSkipped ? [] : issues,
      twins: importedRow.twins,
      is_confirmed: isConfirmed,
    },
    draft: isWritten ? draft : null,
  }
}

/** Returns the wire id of a record in a language, else in its first one. */
function idOfState(resource: Resource, { document, texts }: NonNullable<WorkRow['state']>, locale: Locale): number {
  if (!resource.localized) return document
  return (texts.get(locale) ?? [...texts.values()][0])?.id ?? document
}

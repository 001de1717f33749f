/**
 * Imports of sheets: the resources that can be imported, the fields that a sheet can have, and the requests
 * and answers of `insert_excel` (market §5).
 */
import { type CallerRole, decideAccess } from '../access/access.ts'
import type { Resource } from '../declaration/define-resource.ts'
import { type Field, isLink, isToMany } from '../fields/field.ts'
import { type Locale, locales } from '../locales.ts'

/**
 * Ways to parse the cells of a column. A `link` is the name of one record, `links` and `words` are lists.
 */
export const importFieldKinds = ['id', 'text', 'number', 'choice', 'yesNo', 'day', 'words', 'link', 'links'] as const
export type ImportFieldKind = (typeof importFieldKinds)[number]

/** A field of a resource as a column of a sheet. */
export interface ImportField {
  /**
   * Key of the column: `price`; `name.ru` for the Russian text of a localized field; `id` for the record's
   * own id.
   */
  key: string
  /** Name of the field that the column fills; `id` for the record's own id. */
  name: string
  /** Language of a localized text in the imported column. */
  locale?: Locale
  kind: ImportFieldKind
  /** Whether a new record needs the imported column; one language is enough for a localized text. */
  isRequired: boolean
  /** Resource that a link in the imported column points at. */
  target?: string
  /** Codes of a choice in the imported column. */
  values?: readonly string[]
}

const kindsOfCells: Readonly<Partial<Record<Field['kind'], ImportFieldKind>>> = {
  text: 'text',
  longText: 'text',
  rich: 'text',
  email: 'text',
  link: 'text',
  slug: 'text',
  colour: 'text',
  time: 'text',
  workingHours: 'text',
  int: 'number',
  decimal: 'number',
  bool: 'yesNo',
  date: 'day',
  choice: 'choice',
  translations: 'text',
}

/** Returns the way to parse an imported field's cells; undefined for a field that no sheet can have. */
function cellParserOf(field: Field): ImportFieldKind | undefined {
  if (field.kind === 'json') return field.list === 'textList' ? 'words' : undefined
  if (!isLink(field)) return kindsOfCells[field.kind]
  if (field.target === 'uploads') return undefined
  return isToMany(field) ? 'links' : 'link'
}

const isWritten = (field: Field) => field.readOnly !== true && field.computed !== true && field.kind !== 'count'
/** The program generates the password of an imported account; its owner requests a new one. */
const isGeneratedPassword = (field: Field) => field.kind === 'password'
const isPicture = (field: Field) => field.kind === 'picture' || field.kind === 'pictures'
const isImportableField = (field: Field) =>
  isGeneratedPassword(field) || (isPicture(field) ? !field.required : cellParserOf(field) !== undefined)
const hasTransitions = (field: Field) => 'transitions' in field && (field.transitions?.length ?? 0) > 0

/**
 * Tells whether records of a resource can be imported from a sheet: staff maintain it as a list, everything a
 * record needs fits into cells, and no field is a state that a person decides on.
 *
 * @param resource - The declaration.
 * @returns True for reference lists, price lists, people, and content of plain fields.
 * @example
 * isImportable(resources.regions) // true
 */
export function isImportable(resource: Resource): boolean {
  const { single, fixedRows, appendOnly, storedAs, form, list, access, fields } = resource
  if (single || fixedRows || appendOnly || storedAs !== undefined || !form || !list) return false
  if (!mayImport(resource, { role: 'admin', isConsultant: false })) return false
  // Records that farmers send themselves are answered one by one, and never arrive as a list.
  if (decideAccess(access, 'create', { role: 'authenticated', isConsultant: false })) return false
  const allFields = Object.values<Field>(fields)
  if (allFields.some(hasTransitions)) return false
  return allFields.filter(isWritten).every(isImportableField) && importFields(resource).length > 1
}

/**
 * Tells whether a user may import records of a resource, which takes the rights to create and to update them.
 *
 * @param resource - The declaration.
 * @param caller - The user.
 * @returns Whether both are granted, bounded or not.
 * @example
 * mayImport(resources.regions, { role: 'admin', isConsultant: false }) // true
 */
export function mayImport({ access }: Resource, caller: CallerRole): boolean {
  return decideAccess(access, 'create', caller) !== false && decideAccess(access, 'update', caller) !== false
}

/**
 * The columns that a sheet of a resource can have: the record's own id, then the fields in the order of the
 * form.
 *
 * @param resource - The declaration.
 * @returns The fields; a localized text has one column for each language.
 * @example
 * importFields(resources.tags).map(({ key }) => key) // ['id', 'name.en', 'name.ru', …]
 */
export function importFields(resource: Resource): ImportField[] {
  const { form, fields } = resource
  const formFields = form?.sections.flatMap((section) => section.fields) ?? []
  const names = [...new Set([...formFields, ...Object.keys(fields)])]
  const id: ImportField = { key: 'id', name: 'id', kind: 'id', isRequired: false }
  return [id, ...names.flatMap((name) => importColumnsOf(name, fields[name]))]
}

function importColumnsOf(name: string, field: Field | undefined): ImportField[] {
  if (!field || !isWritten(field) || field.private) return []
  if (isLink(field) && 'inverse' in field && field.inverse !== undefined && isToMany(field) && !field.required)
    return []
  const kind = cellParserOf(field)
  if (kind === undefined) return []
  const column: ImportField = {
    key: name,
    name,
    kind,
    isRequired: field.required === true,
    ...(isLink(field) && { target: field.target }),
    ...('values' in field && { values: field.values }),
  }
  if (!field.localized && field.kind !== 'translations') return [column]
  return locales.map((locale) => ({ ...column, key: `${name}.${locale}`, locale }))
}

/**
 * Tells whether a link points at price dates, which an import finds by their date.
 *
 * @example
 * isLinkToDay(resources.pricedates) // true
 */
export const isLinkToDay = (target: Resource): boolean => target.fields[target.title]?.kind === 'date'

/** Planned outcomes of an imported row. */
export const importActions = ['error', 'update', 'create', 'same', 'skip'] as const
export type ImportAction = (typeof importActions)[number]

/** The tabs of the preview. Unconfirmed warnings are a part of `create` and `update`. */
export const importFilters = ['all', 'warning', ...importActions] as const
export type ImportFilter = (typeof importFilters)[number]

export const importModes = ['valid_only', 'all_or_nothing'] as const
export type ImportMode = (typeof importModes)[number]

/** A record that an import can no longer revert: `details.records` of 409 `import.touched`. */
export interface ImportTouched {
  row: number
  id: number
  name: string
  why: 'changed' | 'published' | 'removed' | 'in_use'
}

/** The columns of a list, and the columns that a narrow window shows. */
import { type CallerRole, isLink, type Resource } from '@dala/model'
import { isFieldVisible } from '../../fields/filters/filter.ts'

/** Name of the column with the languages of a record, after that of its name. */
export const translations = 'localizations'

/** Columns of a list that are not fields, by the column that they follow. */
interface OwnColumns {
  after?: Readonly<Record<string, string>>
}

/** Names of a list's columns that are not fields. */
const systemColumns = ['createdAt', 'updatedAt', 'id'] as const

/**
 * Names of a list's columns in order: the chosen ones after the name, or the declared ones, with the
 * languages right after the name.
 */
export function columnsOf(
  resource: Resource,
  { after = {} }: OwnColumns,
  selectedColumns?: readonly string[],
): string[] {
  const declaredColumns = resource.list?.columns ?? [resource.title]
  const [firstColumn = resource.title, ...otherColumns] = declaredColumns.flatMap((name) =>
    [name, after[name] ?? []].flat(),
  )
  if (selectedColumns) return [firstColumn, ...selectedColumns.filter((name) => name !== firstColumn)]
  return resource.localized ? [firstColumn, translations, ...otherColumns] : [firstColumn, ...otherColumns]
}

/** Returns whether a list can show a column to its user. */
export function isShowableColumn(
  resource: Resource,
  { after = {} }: OwnColumns,
  name: string,
  callerRole: CallerRole,
): boolean {
  if (name === translations) return resource.localized
  if (Object.values(after).includes(name)) return true
  if (systemColumns.some((systemColumn) => systemColumn === name)) return isFieldVisible(resource, { name }, callerRole)
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
  if (!field || field.private || field.kind === 'password' || (field.kind === 'json' && !('list' in field)))
    return false
  return isFieldVisible(
    resource,
    'target' in field && isLink(field) ? { name, target: field.target } : { name },
    callerRole,
  )
}

/** Columns of a list that an exported file has as well: values, not the screen's own cells. */
export const isExportedColumn = (resource: Resource, name: string): boolean =>
  name === translations ||
  Object.hasOwn(resource.fields, name) ||
  systemColumns.some((systemColumn) => systemColumn === name)

/** Every column that a list can show, those of the declaration first. */
export function allColumns(resource: Resource, slots: OwnColumns, callerRole: CallerRole): string[] {
  const names = [...columnsOf(resource, slots), ...Object.keys(resource.fields), ...systemColumns]
  return [...new Set(names)].filter((name) => isShowableColumn(resource, slots, name, callerRole))
}

/**
 * Whether a picture is beside a two-line name or a state, which needs the most space between a phone and 1100
 * px.
 */
export const hasCrowdedColumns = ({ localized, list }: Resource): boolean =>
  localized && list?.leadPicture !== undefined && (list.subtitle !== undefined || list.segments !== undefined)

/**
 * Whether only a wide window shows the column: below 1100 px the name, two or three others and the state have
 * space.
 */
export function isWideScreenColumn(resource: Resource, name: string, index: number): boolean {
  const { localized, titleFields, list } = resource
  // People take more space in a list, with a picture and two lines; so do manually ordered rows, with a
  // handle.
  const lastPriority = hasCrowdedColumns(resource) ? 1 : localized || titleFields || list?.sort === 'order' ? 2 : 3
  return index > lastPriority && name !== 'active' && name !== list?.segments
}

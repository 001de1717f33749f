/** Resolves a name in a query: a column, a link, or nothing that the caller may know of. */
import {
  buildRegistry,
  type Caller,
  decideAccess,
  type Field,
  isScalar,
  isToOne,
  kindOf,
  type Operator,
  type OperationName,
  operators,
  rankOfRole,
  resources as registry,
  type Resource,
  type RowFilter,
  type Storage,
} from '@dala/model'
import { documentTable, type LinkStorage, linkStorage } from '../db/schema.ts'

/** Every resource by name, for look-ups by names that come from declarations. */
export const resources: Readonly<Record<string, Resource>> = buildRegistry(registry)

/** Returns the resource that a declaration names. */
export function resourceNamed(name: string): Resource {
  const resource = resources[name]
  if (!resource) throw new Error(`The model has no resource "${name}"`)
  return resource
}

type FileResource = Resource & { files: string }

function findFiles(): FileResource {
  const foundResource = Object.values(resources).find(
    (candidateResource): candidateResource is FileResource => candidateResource.filesPath !== undefined,
  )
  if (!foundResource) throw new Error('The model has no resource of files')
  return foundResource
}

/** The resource whose records are files, with the address prefix under which they are served. */
export const fileResource = findFiles()
/** Name of the table of uploaded files. */
export const fileTable = documentTable(fileResource)

export type LinkPlace = LinkStorage | { in: 'family'; target: string }

export type Attribute =
  | { is: 'column'; name: string; storage: Storage; operators: readonly Operator[]; field?: Field }
  | { is: 'link'; name: string; target: Resource; isMany: boolean; place: LinkPlace }

const numericOperators = operators.filter((operator) => !/contains|With|eqi|nei/i.test(operator))
const systemAttributes: Readonly<Record<string, { storage: Storage; operators: readonly Operator[] }>> = {
  id: { storage: 'integer', operators: numericOperators },
  createdAt: { storage: 'timestamp', operators: numericOperators },
  updatedAt: { storage: 'timestamp', operators: numericOperators },
  version: { storage: 'integer', operators: numericOperators },
}
const entryColumns: typeof systemAttributes = {
  locale: { storage: 'text', operators },
  outdated: { storage: 'boolean', operators: ['$eq', '$ne', '$in', '$notIn', '$null', '$notNull'] },
}

/** Names of the columns that every record of a resource has beside its fields, in wire order. */
function systemColumns(resource: Resource): string[] {
  return ['createdAt', 'updatedAt', 'version', ...(resource.localized ? ['locale', 'outdated'] : [])]
}

/** Fields and rows of a resource that a caller may see or write. */
export interface View {
  /** Names of the fields that the caller may see; undefined: all fields that are not private. */
  includedNames?: readonly string[]
  /** Fields of the resource that only higher roles may see. */
  hiddenNames?: readonly string[]
  rows?: RowFilter
  /** Names of the fields that the caller may write; undefined: all fields that are not read-only. */
  writableNames?: readonly string[]
  /** Whether private fields are visible, only for the filters of the model itself. */
  hasPrivateFields?: true
}

/** Rows of a grant, limited to records that belong to the resource at all (staff are some of the users). */
function rowsWithin({ baseFilter }: Resource, rows: RowFilter | undefined): Pick<View, 'rows'> {
  const allFilters = [baseFilter, rows].filter((filter) => filter !== undefined)
  const [singleFilter] = allFilters
  return allFilters.length > 1 ? { rows: { $and: allFilters } } : singleFilter ? { rows: singleFilter } : {}
}

/** Returns the fields that require a higher role than the caller's. */
function fieldsAbove({ fields }: Resource, { role }: Caller): Pick<View, 'hiddenNames'> {
  const hiddenNames = Object.entries<Field>(fields)
    .filter(([, { readableBy }]) => readableBy !== undefined && rankOfRole(role) < rankOfRole(readableBy))
    .map(([name]) => name)
  return hiddenNames.length > 0 ? { hiddenNames } : {}
}

/** Returns the rights of a caller for a resource requested by name; undefined: denied (contract §14). */
export function viewOfResource(resource: Resource, caller: Caller, operation: OperationName): View | undefined {
  const grant = decideAccess(resource.access, operation, caller)
  if (grant === false) return undefined
  const { rows, card, fields } = grant === true ? {} : grant
  return {
    ...rowsWithin(resource, rows),
    ...fieldsAbove(resource, caller),
    ...(card && resource.card && { includedNames: resource.card }),
    ...(fields && { writableNames: fields }),
  }
}

/** Tells whether a rule makes records readable because other readable records show them (`$shown`). */
const isReadableByShowing = (rows: RowFilter | undefined): boolean => JSON.stringify(rows ?? {}).includes('"$shown"')

/**
 * Returns the view that a caller has of a resource through a relation. Without full read access its card is
 * shown, whatever the rows (contract §4: users reached through relations). A resource without a card shows
 * the rows of its grant.
 *
 * @param resource - The target of the relation.
 * @param caller - The reader.
 * @param sourceResource - The resource that has the relation. A file that names another file does not show it: its rows
 *   apply then, and only its id is shown.
 * @returns The view; undefined when nothing of the resource is shown.
 */
export function relatedViewOf(resource: Resource, caller: Caller, sourceResource?: Resource): View | undefined {
  if (sourceResource && documentTable(sourceResource) === documentTable(resource)) {
    const ownView = viewOfResource(resource, caller, 'get')
    if (ownView && isReadableByShowing(ownView.rows)) return { ...ownView, includedNames: ['id'] }
  }
  const grant = decideAccess(resource.access, 'get', caller)
  // A record whose card is visible regardless of the rows is visible itself: chat messages name removed
  // users.
  if (grant === true) return resource.card ? {} : rowsWithin(resource, undefined)
  if (resource.card) return { includedNames: resource.card }
  return grant === false ? undefined : { ...rowsWithin(resource, grant.rows), ...fieldsAbove(resource, caller) }
}

/**
 * Returns the view that a caller has of a record that is named without a stored link to it, as in a history.
 *
 * @param resource - The resource of the record.
 * @param caller - The reader.
 * @returns The view of a relation; limited to the caller's
 *   rows where records are readable because others show them.
 */
export function namedViewOf(resource: Resource, caller: Caller): View | undefined {
  const ownView = viewOfResource(resource, caller, 'get')
  return isReadableByShowing(ownView?.rows) ? ownView : relatedViewOf(resource, caller)
}

/** Tells whether a field is visible. A card shows the fields that it names, and the id. */
function isVisible({ includedNames: shownNames, hiddenNames }: View, name: string): boolean {
  if (hiddenNames?.includes(name)) return false
  return !shownNames || name === 'id' || shownNames.includes(name)
}

/** Returns the attribute of a name within a view; undefined for unknown, private and hidden names alike. */
export function attributeOf(resource: Resource, view: View, name: string): Attribute | undefined {
  const systemColumn = Object.hasOwn(systemAttributes, name)
    ? systemAttributes[name]
    : resource.localized && Object.hasOwn(entryColumns, name)
      ? entryColumns[name]
      : undefined
  if (systemColumn) return isVisible(view, name) ? { is: 'column', name, ...systemColumn } : undefined
  if (name === 'localizations' && resource.localized) {
    return { is: 'link', name, target: resource, isMany: true, place: { in: 'family', target: resource.name } }
  }
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
  if (!field || (field.private && !view.hasPrivateFields) || !isVisible(view, name)) return undefined
  if (isScalar(field)) {
    const { storage, operators: fieldOperators } = kindOf(field)
    return { is: 'column', name, storage, operators: fieldOperators, field }
  }
  if (field.kind === 'count') return { is: 'column', name, storage: 'integer', operators: numericOperators, field }
  return {
    is: 'link',
    name,
    target: resourceNamed(field.target),
    isMany: !isToOne(field),
    place: linkStorage(resource, name, field, { ...resources }),
  }
}

/** Returns the names of the visible columns, in wire order: the model's fields, then the system's. */
export function visibleColumns(resource: Resource, view: View): string[] {
  const fieldNames = Object.keys(resource.fields).filter((name) => attributeOf(resource, view, name)?.is === 'column')
  return [...fieldNames, ...systemColumns(resource).filter((name) => isVisible(view, name))]
}

/** Returns the names of the links that the caller may see. */
export function linksInView(resource: Resource, view: View): string[] {
  const linkNames = Object.keys(resource.fields).filter((name) => attributeOf(resource, view, name)?.is === 'link')
  return resource.localized ? [...linkNames, 'localizations'] : linkNames
}

export type LinkAttribute = Extract<Attribute, { is: 'link' }>

/** Returns the link that a declaration names. */
export function linkOf(resource: Resource, name: string): LinkAttribute {
  const attribute = attributeOf(resource, {}, name)
  if (attribute?.is !== 'link') throw new Error(`${resource.name}.${name} is no link`)
  return attribute
}

/** Declares a resource once; tables, routes, validation, permissions, lists and forms are derived from it. */
import type { AccessTable, RowFilter } from '../access/access.ts'
import type { ErrorCode } from '../errors/errors.ts'
import type { Field, Fields } from '../fields/field.ts'

/** Columns of every record that need no declaration. */
export type SystemColumn = 'id' | 'createdAt' | 'updatedAt'

/** The sections of the panel's menu, in the order of the rail. */
export const sectionNames = ['advice', 'insight', 'people', 'learning', 'market', 'content', 'settings'] as const
export type SectionName = (typeof sectionNames)[number]

/** Headings between the pages of a long section of the menu. */
export const screenGroups = ['geography', 'market', 'advisory', 'learning', 'general'] as const
export type ScreenGroup = (typeof screenGroups)[number]

type FieldName<F extends Fields> = keyof F & string

/**
 * A screen that shows records of a resource (requirements §2). Sections list their screens in the order of
 * the registry.
 */
export interface ScreenDeclaration<Name extends string = string> {
  /** Address of the screen below `/app`. */
  path: string
  section: SectionName
  /** Heading of the screen in its section of the menu. */
  group?: ScreenGroup
  /**
   * Prefix of the screen's messages `<labelPrefix>.many`, `.one` and `.about`; the resource's name when
   * absent.
   */
  labelPrefix?: string
  /** Values that all rows of the screen have; a new record of the screen gets them too. */
  fixedValues?: Readonly<Partial<Record<Name, string | boolean>>>
  /** Whether a record of the screen has a page for reading beside its form. */
  overview?: true
  /** Addresses of the screen's reading page and form, where they differ from `path`. */
  readPath?: string
  editPath?: string
  /**
   * Further addresses of the screen in the product (requirements §2); `$index` stands for the id of a record.
   */
  extraPaths?: readonly string[]
  /**
   * The pages that hide the sub menu because they need the whole window: the page of a record, or every page.
   */
  fullWindow?: 'record' | 'screen'
  /** Whether the screen is absent from the menu and reached from other screens only. */
  hidden?: true
  /** Overrides by the screen of the list and the form that the resource declares. */
  list?: Partial<ListDeclaration<Name>>
  form?: FormDeclaration<Name>
}

export interface ListDeclaration<Name extends string = string> {
  /** Columns of the list in order; the first one links to the record. */
  columns: readonly (Name | SystemColumn)[]
  /** Modes of the list (requirements §2); `list` alone when absent. */
  modes?: readonly ('list' | 'thumb' | 'image')[]
  /** Field with the picture before the name; the first picture field when absent. */
  leadPicture?: Name
  /** Field that the list shows in small type below the name. */
  subtitle?: Name
  /** Further fields that custom columns and cards of the list read. */
  extraFields?: readonly (Name | SystemColumn | 'version')[]
  /** Text fields that the search of a list covers. */
  search: readonly Name[]
  /**
   * The choice or yes/no field whose values are shown as segments with counts; `active` when it is among the
   * filters.
   */
  segments?: Name
  /** To-one, choice and yes/no fields offered beside the search; every other field is a further filter. */
  filters?: readonly Name[]
  /** Initial sort of the list: `field` or `field:desc`. */
  sort?: Name | SystemColumn | `${Name | SystemColumn}:desc`
  /** Fields that clients sort by although they are no columns; each gets an index. */
  sortable?: readonly Name[]
}

export interface FormDeclaration<Name extends string = string> {
  /** Groups of fields in order, named by `<resource>.sections.<name>` or `form.sections.<name>`. */
  sections: readonly { name: string; fields: readonly Name[] }[]
  /** Fields in the side column of the form, mostly pictures. */
  aside?: readonly Name[]
}

/**
 * Review of edits: an author's edit of a published record waits until moderators have approved it; meanwhile
 * readers see the approved text.
 */
export interface Review<Name extends string = string> {
  /** Choice field with the state of a reviewed record. */
  state: Name
  /** State in which everybody reads a reviewed record. */
  publicState: string
  /** Fields that readers rely on, whose edits need a new review. */
  reviewedFields: readonly Name[]
}

export interface Declaration<N extends string, F extends Fields> {
  /** Name of the resource in this code base. */
  name: N
  /** Name of the resource in the API (requirements §3). */
  wire: string
  /** Screens that show the resource. Most resources have one; parts of other records have none. */
  screens?: readonly ScreenDeclaration<FieldName<F>>[]
  /** Field that names a record of the resource. */
  title: FieldName<F>
  /** Fields that together name a record where they have a value: a person's name and surname. */
  titleFields?: readonly FieldName<F>[]
  /**
   * A choice field whose label names the record in the user's language, where the stored name is in one
   * language.
   */
  titleChoice?: FieldName<F>
  /**
   * A choice field whose values have drawings: a record without a picture is shown by the drawing of its
   * value.
   */
  drawingField?: FieldName<F>
  /** Address of a single record that is not below `wire`: the caller's own account (contract §3). */
  recordPath?: string
  /** Whether the resource has only one record (contract §9). */
  single?: true
  /** Whether wire bodies are flat, without `data` and `attributes` (contract §3). */
  unwrapped?: true
  /**
   * Whether records are accounts: callers read their own under `me`, undeletable (contract §3, §14).
   */
  accounts?: true
  /**
   * Address below which the records are served as files; texts and structures may refer to them by it
   * (contract §10).
   */
  filesPath?: string
  /** The error code when a record does not exist or is not visible; `record.not-found` when absent. */
  notFound?: ErrorCode
  /**
   * A second address of the resource's list, below `/api`: flat records under the last segment (contract §3).
   */
  flatPath?: string
  /** Link to the record whose screen lists the records of this resource. */
  listedBy?: FieldName<F>
  /**
   * Whether deleted records cannot be restored: the resource has rules of its own instead of the trash
   * (decision 27).
   */
  noTrash?: true
  /**
   * The link to the record that records of the resource are deleted and restored with; they have no trash of
   * their own.
   */
  restoredWith?: FieldName<F>
  /**
   * Whether records are log lines that only the program adds: no changes, no history, no search by name.
   */
  appendOnly?: true
  /** Whether rows cannot be created or deleted by anyone (422). */
  fixedRows?: true
  /**
   * Whether records are drafts until they are published: callers who may not change them read the copies that
   * the last publication made, at every door (e-learning §4).
   */
  publishedCopies?: true
  /** The resource whose tables store the records, where they are a part of its records (staff are users). */
  storedAs?: string
  /** Filter of the stored rows that are records of this resource, for every caller. */
  baseFilter?: RowFilter
  /** Sets of fields whose combined values are unique. */
  uniqueTogether?: readonly (readonly FieldName<F>[])[]
  /** Pairs of fields: the first must not exceed the second where both have a value (422 on the second). */
  orderedPairs?: readonly (readonly [FieldName<F>, FieldName<F>])[]
  /** Whether edits by the author of a record wait for a moderator. */
  review?: Review<FieldName<F>>
  /**
   * Fields of a record that a caller without the right to the resource sees through a relation (contract §4).
   */
  card?: readonly (FieldName<F> | SystemColumn)[]
  fields: F
  list?: ListDeclaration<FieldName<F>>
  form?: FormDeclaration<FieldName<F>>
  access: AccessTable
}

/** A declared resource; `localized` follows from its fields. */
export interface Resource<N extends string = string, F extends Fields = Fields> extends Omit<
  Declaration<N, F>,
  | 'title'
  | 'titleFields'
  | 'titleChoice'
  | 'drawingField'
  | 'card'
  | 'screens'
  | 'list'
  | 'form'
  | 'uniqueTogether'
  | 'orderedPairs'
  | 'review'
  | 'restoredWith'
  | 'listedBy'
> {
  title: string
  titleFields?: readonly string[]
  titleChoice?: string
  drawingField?: string
  restoredWith?: string
  listedBy?: string
  uniqueTogether?: readonly (readonly string[])[]
  orderedPairs?: readonly (readonly [string, string])[]
  review?: Review
  card?: readonly string[]
  screens?: readonly ScreenDeclaration[]
  list?: ListDeclaration
  form?: FormDeclaration
  /** Whether a record has a version for each language (content-model, L). */
  localized: boolean
}

/**
 * Tells whether deleted records of a resource can be restored by themselves.
 *
 * @param resource - The declaration.
 * @returns Whether its records have a trash.
 * @example
 * hasTrash(resources.news) // true
 * hasTrash(resources.staff) // false
 */
export const hasTrash = ({ noTrash, unwrapped, single, storedAs, fixedRows }: Resource): boolean =>
  !noTrash && !unwrapped && !single && storedAs === undefined && !fixedRows

/**
 * Declares a resource. The compiler checks column names against the fields; `buildRegistry` reports the
 * faults that types cannot express.
 *
 * @param declaration - Names, fields, list, form and access rules.
 * @returns The declaration with `localized` derived from its fields.
 * @example
 * const tags = defineResource({ name: 'tags', wire: 'tags', title: 'name', fields, access })
 * tags.localized // whether one of the fields is localized
 */
export function defineResource<const N extends string, const F extends Fields>(
  declaration: Declaration<N, F>,
): Resource<N, F> {
  const localized = Object.values<Field>(declaration.fields).some((field) => field.localized)
  return { ...declaration, localized }
}

/** A declared screen with everything that follows from its declaration. */
export interface Screen extends Omit<ScreenDeclaration, 'list' | 'form'> {
  resource: Resource
  labelPrefix: string
  readPath: string
  editPath: string
}

/**
 * Returns the screens of a resource, in the order of their declaration.
 *
 * @example
 * screensOf(resources.news).map(({ path }) => path) // ['news']
 */
export function screensOf(resource: Resource): Screen[] {
  return (resource.screens ?? []).map(({ list, form, ...screen }) => ({
    ...screen,
    // Lists and forms read the resource of their screen, with the overrides of the screen.
    resource: {
      ...resource,
      ...(list && resource.list && { list: { ...resource.list, ...list } }),
      ...(form && { form }),
    },
    labelPrefix: screen.labelPrefix ?? resource.name,
    readPath: screen.readPath ?? screen.editPath ?? screen.path,
    editPath: screen.editPath ?? screen.path,
  }))
}

/**
 * Every address of a screen below `/app`; `$index` stands for the id of a record or `new`.
 *
 * @example
 * screensOf(resources.news).flatMap(addressesOf) // ['news', 'news/$index']
 */
export function addressesOf({ resource, path, readPath, editPath, extraPaths = [] }: Screen): string[] {
  const records = resource.single ? [] : [...new Set([readPath, editPath])].map((address) => `${address}/$index`)
  return [path, ...records, ...extraPaths]
}

/** Declares a resource once; tables, routes, validation, permissions, lists and forms are derived from it. */
import type { Access, RowFilter } from '../access/access.ts'
import type { ErrorCode } from '../errors/errors.ts'
import type { Field, Fields } from '../fields/field.ts'

/** Columns every record has without declaring them. */
export type SystemColumn = 'id' | 'createdAt' | 'updatedAt'

/** The panel's menu sections, in the order of the rail. */
export const sectionNames = ['advice', 'insight', 'people', 'learning', 'market', 'content', 'settings'] as const
export type SectionName = (typeof sectionNames)[number]

/** Headings of a long section's pages. */
export const screenGroups = ['geography', 'market', 'advisory', 'learning', 'general'] as const
export type ScreenGroup = (typeof screenGroups)[number]

type FieldName<F extends Fields> = keyof F & string

/** A screen that shows records of a resource (requirements §2). Sections list their screens in the order of the registry. */
export interface ScreenDeclaration<Name extends string = string> {
  /** Its address below `/app`. */
  path: string
  section: SectionName
  /** The heading it stands under in its section. */
  group?: ScreenGroup
  /** Where its words stand, `<words>.many`, `.one` and `.about`: the resource's name when absent. */
  words?: string
  /** What all its rows have; a new record gets the same. */
  only?: Readonly<Partial<Record<Name, string | boolean>>>
  /** A record has a page to be read, beside its form. */
  overview?: true
  /** Where a record is read and where it is written, when that is not `path`. */
  seen?: string
  edited?: string
  /** Further addresses of the product (requirements §2); `$index` stands for the id of a record. */
  more?: readonly string[]
  /** What opens without the sub menu beside it, because it needs the window: the page of a record, or every page of the screen. */
  fills?: 'record' | 'screen'
  /** Other screens lead to it; the menu does not. */
  hidden?: true
  /** What its list and its form show in place of what the resource declares. */
  list?: Partial<ListDeclaration<Name>>
  form?: FormDeclaration<Name>
}

export interface ListDeclaration<Name extends string = string> {
  /** Columns in order; the first one links to the record. */
  columns: readonly (Name | SystemColumn)[]
  /** Ways to show the list (requirements §2); `list` alone when absent. */
  modes?: readonly ('list' | 'thumb' | 'image')[]
  /** The picture that stands before the name: the first one of the fields when absent. */
  lead?: Name
  /** A field shown small below the name. */
  under?: Name
  /** Fields that own columns and cards of the screen read beside the columns. */
  also?: readonly (Name | SystemColumn | 'version')[]
  /** Text fields that the search looks in. */
  search: readonly Name[]
  /** The choice or yes/no field whose values stand as segments with counts; `active` when it is among the filters. */
  segments?: Name
  /** To-one, choice and yes/no fields offered beside the search; every other field is offered as a further filter. */
  filters?: readonly Name[]
  /** `field` or `field:desc`. */
  sort?: Name | SystemColumn | `${Name | SystemColumn}:desc`
  /** Fields beside the columns that clients sort by: an index keeps them in order. */
  orders?: readonly Name[]
}

export interface FormDeclaration<Name extends string = string> {
  /** Groups of fields in order, named by `<resource>.sections.<name>` or `form.sections.<name>`. */
  sections: readonly { name: string; fields: readonly Name[] }[]
  /** Fields of the column beside: pictures, mostly. */
  aside?: readonly Name[]
}

/**
 * What an author changes of a record that moderators have let through waits beside it until they have seen it; readers
 * go on seeing the text that was approved.
 */
export interface Review<Name extends string = string> {
  /** The choice with the state of a record. */
  state: Name
  /** The state in which everybody reads it. */
  shown: string
  /** What readers rely on: an edit of these fields is looked at again. */
  material: readonly Name[]
}

export interface Declaration<N extends string, F extends Fields> {
  /** Our word for it. */
  name: N
  /** The API's spelling (requirements §3). */
  wire: string
  /** The screens that show it; most have one, and parts of other records have none. */
  screens?: readonly ScreenDeclaration<FieldName<F>>[]
  /** The field that names a record. */
  title: FieldName<F>
  /** Fields that name it together where they have a value: a person's name and surname. */
  named?: readonly FieldName<F>[]
  /** A choice whose word names it in the reader's language, where the stored name is in one language. */
  worded?: FieldName<F>
  /** A choice whose values have drawings: a record without a picture is shown by the drawing of its value. */
  figure?: FieldName<F>
  /** Where its record is read, when that is not below `wire`: one's own account (contract §3). */
  readAt?: string
  /** There is one record only (contract §9). */
  single?: true
  /** Wire bodies are flat, without `data` and `attributes` (contract §3). */
  unwrapped?: true
  /** Its records are accounts: a caller reads their own under `me`, and cannot delete it (contract §3, §14). */
  accounts?: true
  /** Its records are files, served below this address; texts and structures may name them by it (contract §10). */
  files?: string
  /** The code of the refusal when a record does not exist or is not visible; `record.not-found` when absent. */
  notFound?: ErrorCode
  /** A second address of its list, below `/api`: flat records under the last segment (contract §3). */
  flatAt?: string
  /** The link to the record whose screen lists its records. */
  listedBy?: FieldName<F>
  /** A deleted record does not come back: it has rules of its own instead of the trash (decision 27). */
  noTrash?: true
  /** The link to the record that its records are removed and restored with; they have no trash of their own. */
  returnsWith?: FieldName<F>
  /** Its records are lines that the program adds and nobody changes: they have no history and no name to be found by. */
  appended?: true
  /** Rows cannot be created or deleted by anyone (422). */
  fixed?: true
  /** The resource in whose tables the records stand, when they are some of another's (staff are users). */
  storedAs?: string
  /** The rows that are records of this resource, whoever asks. */
  always?: RowFilter
  /** Sets of fields whose values no two records share together. */
  uniqueTogether?: readonly (readonly FieldName<F>[])[]
  /** Pairs of fields: the first is not above the second where both have a value (422 on the second). */
  ascending?: readonly (readonly [FieldName<F>, FieldName<F>])[]
  /** Edits by the author of a record wait for a moderator. */
  review?: Review<FieldName<F>>
  /** Fields of a record that a reader without the right to the resource sees through a relation (contract §4). */
  card?: readonly (FieldName<F> | SystemColumn)[]
  fields: F
  list?: ListDeclaration<FieldName<F>>
  form?: FormDeclaration<FieldName<F>>
  access: Access
}

/** A declared resource; `localized` follows from its fields. */
export interface Resource<N extends string = string, F extends Fields = Fields> extends Omit<
  Declaration<N, F>,
  | 'title'
  | 'named'
  | 'worded'
  | 'figure'
  | 'card'
  | 'screens'
  | 'list'
  | 'form'
  | 'uniqueTogether'
  | 'ascending'
  | 'review'
  | 'returnsWith'
  | 'listedBy'
> {
  title: string
  named?: readonly string[]
  worded?: string
  figure?: string
  returnsWith?: string
  listedBy?: string
  uniqueTogether?: readonly (readonly string[])[]
  ascending?: readonly (readonly [string, string])[]
  review?: Review
  card?: readonly string[]
  screens?: readonly ScreenDeclaration[]
  list?: ListDeclaration
  form?: FormDeclaration
  /** Has entries per language (content-model, L). */
  localized: boolean
}

/**
 * Tells whether deleted records of a resource can be restored by themselves.
 *
 * @param resource - The declaration.
 * @returns Whether its records have a trash.
 */
export const hasTrash = ({ noTrash, unwrapped, single, storedAs, fixed }: Resource): boolean =>
  !noTrash && !unwrapped && !single && storedAs === undefined && !fixed

/**
 * Declares a resource.
 *
 * In: names, fields, list, form and access rules; column names are checked against the fields by the compiler.
 * Out: the declaration with `localized` worked out. Faults that types cannot see are reported by `buildRegistry`.
 */
export function defineResource<const N extends string, const F extends Fields>(
  declaration: Declaration<N, F>,
): Resource<N, F> {
  const localized = Object.values<Field>(declaration.fields).some((field) => field.localized)
  return { ...declaration, localized }
}

/** A declared screen with everything that follows from it. */
export interface Screen extends Omit<ScreenDeclaration, 'list' | 'form'> {
  resource: Resource
  words: string
  seen: string
  edited: string
}

/** The screens of a resource, in the order of their declaration. */
export function screensOf(resource: Resource): Screen[] {
  return (resource.screens ?? []).map(({ list, form, ...screen }) => ({
    ...screen,
    // What lists and forms read of a resource is that of the screen they are on.
    resource: {
      ...resource,
      ...(list && resource.list && { list: { ...resource.list, ...list } }),
      ...(form && { form }),
    },
    words: screen.words ?? resource.name,
    seen: screen.seen ?? screen.edited ?? screen.path,
    edited: screen.edited ?? screen.path,
  }))
}

/** Every address of a screen below `/app`; `$index` stands for the id of a record or `new`. */
export function addressesOf({ resource, path, seen, edited, more = [] }: Screen): string[] {
  const records = resource.single ? [] : [...new Set([seen, edited])].map((address) => `${address}/$index`)
  return [path, ...records, ...more]
}

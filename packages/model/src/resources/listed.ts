/** Shared fields, lists, forms and rules of the lists that staff maintain (content-model, head). */
import type { AccessTable } from '../access/access.ts'
import type { FormDeclaration, ListDeclaration } from '../declaration/define-resource.ts'
import { localized } from '../fields/field.ts'
import { picture } from '../fields/link-kinds.ts'
import { longText, slug, text } from '../fields/text-kinds.ts'
import { integer, yesNoField } from '../fields/value-kinds.ts'

/** Fields of every list item: its position, and whether the apps show it. */
export const orderedFields = { order: integer({ default: 0 }), active: yesNoField({ default: true }) } as const

/** Field with a name in each language. */
const localizedName = { name: localized(text({ required: true, message: 'validation.name' })) } as const
const slugFields = { slug: slug({ unique: true, slugFrom: 'name' }) } as const

/** Fields of a name and its slug. */
export const nameFields = { ...localizedName, ...slugFields } as const
/** Fields of a name, its slug and a short description. */
export const describedFields = { ...localizedName, description: localized(longText()), ...slugFields } as const
/** Field with a picture that the apps show. */
export const imageField = { image: picture({ preset: 'image' }) } as const

/** Access to a list that staff maintain; signed-in users see active records (contract §14). */
export const activeContent: AccessTable = {
  read: { authenticated: { rows: { active: true } }, admin: true },
  write: 'admin',
}

/** Access to a list that staff maintain; signed-in users see all of it (contract §14). */
export const openReference: AccessTable = { read: 'authenticated', write: 'admin' }

type SharedFieldName = 'name' | 'order' | 'active'

/** A list of records with pictures has all three modes (requirements §2). */
export const pictureModes = <const Name extends string>(leadPicture: Name) =>
  ({ modes: ['list', 'thumb', 'image'], leadPicture }) as const

interface NamedListOptions<Name extends string> {
  /** Fields of a reference list beside the name, in the first section of the form. */
  main: readonly Name[]
  /** Columns of a reference list between the name and the position. */
  columns?: readonly Name[]
  /** Fields of a reference list beside the name that the search covers. */
  search: readonly Name[]
  /** Filters of a reference list beside the state. */
  filters?: readonly Name[]
  /** Fields of a reference list in a second section of the form. */
  details?: readonly Name[]
  /** Fields of a reference list beside the form. A picture among them is also shown in the list. */
  aside?: readonly Name[]
}

interface NamedList<Name extends string> {
  title: 'name'
  list: ListDeclaration<SharedFieldName | Name>
  form: FormDeclaration<SharedFieldName | Name>
  access: AccessTable
}

/**
 * Declares the list and form of a short reference list; its own fields are parameters, the rest is shared.
 */
export function namedList<const Name extends string>({
  main,
  columns = [],
  search,
  filters = [],
  details = [],
  aside = [],
}: NamedListOptions<Name>): NamedList<Name> {
  const [leadPicture] = aside
  return {
    title: 'name',
    list: {
      columns: ['name', ...columns, 'order', 'active', 'updatedAt'],
      search: ['name', ...search],
      filters: ['active', ...filters],
      sort: 'order',
      ...(leadPicture !== undefined && pictureModes(leadPicture)),
    },
    form: {
      sections: [
        { name: 'main', fields: ['name', ...main] },
        ...(details.length > 0 ? [{ name: 'details', fields: details }] : []),
        { name: 'show', fields: ['active', 'order'] },
      ],
      aside,
    },
    access: activeContent,
  }
}

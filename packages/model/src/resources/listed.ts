/** Fields, lists, forms and rules that the lists staff keep have in common (content-model, head). */
import type { Access } from '../access/access.ts'
import type { FormDeclaration, ListDeclaration } from '../declaration/define-resource.ts'
import { localized } from '../fields/field.ts'
import { picture } from '../fields/link-kinds.ts'
import { longText, slug, text } from '../fields/text-kinds.ts'
import { integer, yesNo } from '../fields/value-kinds.ts'

/** Place in the list, and whether the apps show it. */
export const listed = { order: integer({ default: 0 }), active: yesNo({ default: true }) } as const

/** A name in each language. */
const named = { name: localized(text({ required: true, message: 'validation.name' })) } as const
const addressed = { slug: slug({ unique: true, slugFrom: 'name' }) } as const

/** A name with its code in addresses. */
export const nameFields = { ...named, ...addressed } as const
/** The same with a line on what it means. */
export const describedFields = { ...named, description: localized(longText()), ...addressed } as const
/** A picture for the apps. */
export const pictured = { image: picture({ preset: 'image' }) } as const

/** Staff keep it; signed-in readers see what is active (contract §14). */
export const activeContent: Access = {
  read: { authenticated: { rows: { active: true } }, admin: true },
  write: 'admin',
}

/** Staff keep it; every signed-in reader sees all of it (contract §14). */
export const openReference: Access = { read: 'authenticated', write: 'admin' }

type Shared = 'name' | 'order' | 'active'

/** A list of records with pictures is shown in all three ways (requirements §2). */
export const pictureModes = <const Name extends string>(lead: Name) =>
  ({ modes: ['list', 'thumb', 'image'], lead }) as const

interface NamedListOptions<Name extends string> {
  /** Fields beside the name in the first section of the form. */
  main: readonly Name[]
  /** Columns between the name and the place in the list. */
  columns?: readonly Name[]
  /** Where the search looks beside the name. */
  search: readonly Name[]
  /** Filters beside the state. */
  filters?: readonly Name[]
  /** A second section of the form. */
  details?: readonly Name[]
  /** Beside the form. The picture there is the one that the list shows, too. */
  aside?: readonly Name[]
}

interface NamedList<Name extends string> {
  title: 'name'
  list: ListDeclaration<Shared | Name>
  form: FormDeclaration<Shared | Name>
  access: Access
}

/** How a short list with names is shown, edited and kept: what is said here is its own, the rest is the same for all. */
export function namedList<const Name extends string>({
  main,
  columns = [],
  search,
  filters = [],
  details = [],
  aside = [],
}: NamedListOptions<Name>): NamedList<Name> {
  const [lead] = aside
  return {
    title: 'name',
    list: {
      columns: ['name', ...columns, 'order', 'active', 'updatedAt'],
      search: ['name', ...search],
      filters: ['active', ...filters],
      sort: 'order',
      ...(lead !== undefined && pictureModes(lead)),
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

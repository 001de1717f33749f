/** Addresses of a screen's list and of its records. */
import { type Resource, resources, type Screen, screensOf } from '@dala/model'
import { lastSearchOf } from '../lib/last-search.ts'

export interface Address {
  to: string
  search: Readonly<Record<string, string>>
}

/** Address of a screen's list as it was last shown, with its filters and its page. */
export function listAddress({ path }: Screen): Address {
  const listPath = `/app/${path}`
  return { to: listPath, search: lastSearchOf(listPath) }
}

/** Address that shows a record: its own page, or its form where it has no page. */
export function recordAddress(screen: Screen, id: number): Address {
  return screen.overview ? { to: `/app/${screen.readPath}/${id}`, search: {} } : editAddress(screen, id)
}

/** The address of a record's form. A page and a form at one path differ by `view`. */
export function editAddress({ overview, readPath, editPath }: Screen, id: number): Address {
  return { to: `/app/${editPath}/${id}`, search: overview && readPath === editPath ? { view: 'edit' } : {} }
}

/** Address of the form of a new record; `values` are its initial values. */
export function newAddress({ editPath }: Screen, values: Readonly<Record<string, string>> = {}): Address {
  const search = Object.fromEntries(Object.entries(values).map(([name, value]) => [`set.${name}`, value]))
  return { to: `/app/${editPath}/new`, search }
}

/** Address of the form of a new record that duplicates an existing one. */
export function copyAddress({ editPath }: Screen, id: number): Address {
  return { to: `/app/${editPath}/new`, search: { copy: String(id) } }
}

/** Finds the screen at a path, for links from one resource to another. */
export function findScreen(path: string): Screen {
  const screen = Object.values<Resource>(resources)
    .flatMap(screensOf)
    .find((listedScreen) => listedScreen.path === path)
  if (!screen) throw new Error(`No screen stands at "${path}"`)
  return screen
}

/** The screen where records of a resource are read, by its name or its path of the API; preferably one in the menu. */
export function screenOfRecords(name: string): Screen | undefined {
  const resource = Object.values<Resource>(resources).find(
    (listedResource) => listedResource.name === name || listedResource.wire === name,
  )
  const screens = resource ? screensOf(resource) : []
  return screens.find(({ hidden }) => !hidden) ?? screens[0]
}

/** A screen as its reader sees it: who is shown only the cards of a resource has a list of cards (contract §14). */
import { type Asker, decide, type Resource, type Screen } from '@dala/model'
import type { Query } from '../api/query-string.ts'
import { askerOf, type CurrentUser } from '../api/session.ts'
import { onlyRows } from './list/filters/conditions.ts'

export function seesCards(resource: Resource, asker: Asker): boolean {
  const grant = decide(resource.access, 'list', asker)
  return typeof grant === 'object' && grant.card === true && resource.card !== undefined
}

/**
 * The server refuses a list that asks for, sorts or searches by what a card leaves out. While nobody knows who reads,
 * the list asks as it will in the end, so that it asks once: where there are cards, it waits.
 */
export function screenFor(screen: Screen, me: CurrentUser | undefined): Screen {
  const { resource } = screen
  const { card = [], list } = resource
  if (!list) return screen
  if (!me || !seesCards(resource, askerOf(me))) {
    // What is changed in the list itself is saved against the version it was read at.
    return { ...screen, resource: { ...resource, list: { ...list, also: [...(list.also ?? []), 'version'] } } }
  }
  const { modes, lead, columns, search } = list
  const within = (names: readonly string[]) => names.filter((name) => card.includes(name))
  const [first = resource.title] = within(columns)
  return {
    ...screen,
    resource: {
      ...resource,
      list: {
        columns: within(columns),
        search: within(search),
        sort: first,
        ...(modes && { modes }),
        ...(lead && { lead }),
      },
    },
  }
}

/** The rows of a screen. Cards are bounded by the server, but among them is the reader's own, which may not belong here. */
export function rowsFor({ resource, only = {} }: Screen, me: CurrentUser | undefined): Query {
  if (!me || !seesCards(resource, askerOf(me))) return onlyRows(only)
  // A role that is only tried on makes nobody a consultant.
  const own: Readonly<Record<string, unknown>> = { ...me, is_consultant: me.ownIsConsultant ?? me.is_consultant }
  const belongs = Object.entries(only).every(([name, value]) => own[name] === value)
  return belongs ? {} : { id: { $ne: String(me.id) } }
}

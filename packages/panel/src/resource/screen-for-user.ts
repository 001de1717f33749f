/**
 * A screen as its user sees it: a user who may see only the cards of a resource gets a list of cards
 * (contract §14).
 */
import { type CallerRole, decideAccess, type Resource, type Screen } from '@dala/model'
import type { Query } from '../api/query-string.ts'
import { callerRoleOf, type CurrentUser } from '../api/session.ts'
import { fixedValuesFilter } from './list/filters/conditions.ts'

export function seesCards(resource: Resource, asker: CallerRole): boolean {
  const grant = decideAccess(resource.access, 'list', asker)
  return typeof grant === 'object' && grant.card === true && resource.card !== undefined
}

/**
 * The server refuses a list that reads, sorts or searches fields outside of a card. Before the user is
 * loaded, the list makes its final request, so that there is only one; where there are cards, it waits.
 */
export function screenForUser(screen: Screen, me: CurrentUser | undefined): Screen {
  const { resource } = screen
  const { card = [], list } = resource
  if (!list) return screen
  if (!me || !seesCards(resource, callerRoleOf(me))) {
    // The version of each row is read, because a cell edited in the list is saved against that version.
    return {
      ...screen,
      resource: { ...resource, list: { ...list, extraFields: [...(list.extraFields ?? []), 'version'] } },
    }
  }
  const { modes, leadPicture, columns, search } = list
  const keepCardNames = (names: readonly string[]) => names.filter((name) => card.includes(name))
  const [firstColumn = resource.title] = keepCardNames(columns)
  return {
    ...screen,
    resource: {
      ...resource,
      list: {
        columns: keepCardNames(columns),
        search: keepCardNames(search),
        sort: firstColumn,
        ...(modes && { modes }),
        ...(leadPicture && { leadPicture }),
      },
    },
  }
}

/**
 * The conditions of a screen's rows. The server limits cards, but the cards include the user's own, which may
 * not belong to the screen.
 */
export function limitRows({ resource, fixedValues = {} }: Screen, me: CurrentUser | undefined): Query {
  if (!me || !seesCards(resource, callerRoleOf(me))) return fixedValuesFilter(fixedValues)
  // A user who views the panel as a consultant is not one of the consultants.
  const userFields: Readonly<Record<string, unknown>> = { ...me, is_consultant: me.ownIsConsultant ?? me.is_consultant }
  const isMatching = Object.entries(fixedValues).every(([name, value]) => userFields[name] === value)
  return isMatching ? {} : { id: { $ne: String(me.id) } }
}

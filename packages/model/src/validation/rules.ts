/**
 * Rules of a declaration about several fields, for the server that enforces them and the forms that follow
 * them.
 */
import { type CallerRole, rankOfRole } from '../access/access.ts'
import type { Resource } from '../declaration/define-resource.ts'
import { type Field, isToOne } from '../fields/field.ts'
import type { Transition } from '../fields/value-kinds.ts'
import { resources } from '../resources/index.ts'

const resourcesByName: Readonly<Record<string, Resource>> = resources

/**
 * A link to a child and a link to its parent, which must agree: a district and its region (content-model §3).
 */
export interface ParentPair {
  child: string
  parent: string
  /** Field of the child record that links to its parent. */
  linkField: string
}

const pairsByFields = new WeakMap<Resource['fields'], readonly ParentPair[]>()

/**
 * Returns the pairs of links of a resource that must agree, derived once from the links marked `parent`.
 *
 * @example
 * parentPairsOf(resources.branches) // [{ child: 'district', parent: 'region', through: 'region' }]
 */
export function parentPairsOf({ fields }: Pick<Resource, 'fields'>): readonly ParentPair[] {
  const cachedPairs = pairsByFields.get(fields)
  if (cachedPairs) return cachedPairs
  const pairs = pairsOf(fields)
  pairsByFields.set(fields, pairs)
  return pairs
}

function pairsOf(fields: Resource['fields']): ParentPair[] {
  const links = Object.entries<Field>(fields).filter(([, field]) => isToOne(field))
  return links.flatMap(([child, field]) => {
    const target = 'target' in field ? resourcesByName[field.target] : undefined
    return Object.entries<Field>(target?.fields ?? {}).flatMap(([linkField, mark]): ParentPair[] => {
      if (!isToOne(mark) || !mark.parent) return []
      return links.flatMap(([parent, otherLink]) =>
        parent !== child && 'target' in otherLink && otherLink.target === mark.target
          ? [{ child, parent, linkField }]
          : [],
      )
    })
  })
}

/**
 * Returns the transitions that a user may make from a state; transitions of the server belong to nobody.
 *
 * @param transitions - All transitions of the field.
 * @param fromState - The present state.
 * @param caller - The user.
 * @param accountOf - Gives the account that a link of the record points at.
 * @example
 * const transitions = [{ from: 'draft', to: 'sent', by: [{ ownerField: 'author' }] }]
 * transitionsFor(transitions, 'draft', { id: 7, role: 'authenticated' }, () => 7) // that transition
 */
export function transitionsFor(
  transitions: readonly Transition[],
  fromState: unknown,
  caller: Pick<CallerRole, 'role'> & { id: number },
  accountOf: (link: string) => unknown,
): Transition[] {
  const may = (actor: Transition['by'][number]) =>
    typeof actor === 'object'
      ? accountOf(actor.ownerField) === caller.id
      : actor !== 'server' && rankOfRole(caller.role) >= rankOfRole(actor)
  return transitions.filter((transition) => transition.from === fromState && transition.by.some(may))
}

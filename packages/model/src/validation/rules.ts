/**
 * Rules of a declaration about several fields, for the server that enforces them and the forms that follow
 * them.
 */
import { type CallerRole, rankOf } from '../access/access.ts'
import type { Resource } from '../declaration/define-resource.ts'
import { type Field, isToOne } from '../fields/field.ts'
import type { Step } from '../fields/value-kinds.ts'
import { resources } from '../resources/index.ts'

const byName: Readonly<Record<string, Resource>> = resources

/**
 * A link to a part and a link to its whole, which must agree: a district and its region (content-model §3).
 */
export interface PartOfWhole {
  part: string
  whole: string
  /** The field of the part that points at its whole. */
  through: string
}

const knownPairs = new WeakMap<Resource['fields'], readonly PartOfWhole[]>()

/**
 * The pairs of links of a resource that must agree, derived once from the links marked `whole`.
 *
 * @example
 * partsOfWholes(resources.branches) // [{ part: 'district', whole: 'region', through: 'region' }]
 */
export function partsOfWholes({ fields }: Pick<Resource, 'fields'>): readonly PartOfWhole[] {
  const known = knownPairs.get(fields)
  if (known) return known
  const pairs = pairsOf(fields)
  knownPairs.set(fields, pairs)
  return pairs
}

function pairsOf(fields: Resource['fields']): PartOfWhole[] {
  const links = Object.entries<Field>(fields).filter(([, field]) => isToOne(field))
  return links.flatMap(([part, field]) => {
    const target = 'target' in field ? byName[field.target] : undefined
    return Object.entries<Field>(target?.fields ?? {}).flatMap(([through, mark]): PartOfWhole[] => {
      if (!isToOne(mark) || !mark.whole) return []
      return links.flatMap(([whole, other]) =>
        whole !== part && 'target' in other && other.target === mark.target ? [{ part, whole, through }] : [],
      )
    })
  })
}

/**
 * The steps that a user may take from a state; steps of the server belong to nobody.
 *
 * @param steps - All steps of the field.
 * @param from - The present state.
 * @param who - The user.
 * @param accountOf - Gives the account that a link of the record points at.
 * @example
 * const steps = [{ from: 'draft', to: 'sent', by: [{ own: 'author' }] }]
 * stepsFor(steps, 'draft', { id: 7, role: 'authenticated' }, () => 7) // that step
 */
export function stepsFor(
  steps: readonly Step[],
  from: unknown,
  who: Pick<CallerRole, 'role'> & { id: number },
  accountOf: (link: string) => unknown,
): Step[] {
  const may = (by: Step['by'][number]) =>
    typeof by === 'object' ? accountOf(by.own) === who.id : by !== 'server' && rankOf(who.role) >= rankOf(by)
  return steps.filter((step) => step.from === from && step.by.some(may))
}

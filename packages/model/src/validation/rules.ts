/** What declarations say of several fields together, for the server that enforces it and the forms that follow it. */
import { type Asker, rankOf } from '../access/access.ts'
import type { Resource } from '../declaration/define-resource.ts'
import { type Field, isToOne } from '../fields/field.ts'
import type { Step } from '../fields/value-kinds.ts'
import { resources } from '../resources/index.ts'

const byName: Readonly<Record<string, Resource>> = resources

/** A link to a part and a link to its whole, which must agree: a district and its region (content-model §3). */
export interface PartOfWhole {
  part: string
  whole: string
  /** The field of the part that names its whole. */
  through: string
}

const knownPairs = new WeakMap<Resource['fields'], readonly PartOfWhole[]>()

/** The pairs of links of a resource that must agree, worked out once from the links marked `whole`. */
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
 * The steps somebody may take from a state. In: who, and the account that a link of the record names.
 * Steps of the server are nobody's.
 */
export function stepsFor(
  steps: readonly Step[],
  from: unknown,
  who: Pick<Asker, 'role'> & { id: number },
  accountOf: (link: string) => unknown,
): Step[] {
  const may = (by: Step['by'][number]) =>
    typeof by === 'object' ? accountOf(by.own) === who.id : by !== 'server' && rankOf(who.role) >= rankOf(by)
  return steps.filter((step) => step.from === from && step.by.some(may))
}

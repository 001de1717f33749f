/** Chooses the screens whose test walks through the whole life of a record; the others share their code. */
import { componentsOf, type Screen } from '@dala/model'
import { fieldsOf, isFilled } from './fill-form.ts'

/**
 * The traits of a screen that a full walk through it proves: every kind of input, localized or not, and every
 * shape.
 */
function traitsOf(screen: Screen): string[] {
  const { resource, overview, fixedValues } = screen
  const { list, localized, title } = resource
  const place = overview ? 'with a page' : 'without a page'
  const inputs = fieldsOf(screen)
    .filter(([name, field]) => isFilled(resource, name, field))
    .map(([, field]) => `${componentsOf(field).input}, ${field.localized ? 'localized' : 'shared'}`)
  const shapes = [
    localized ? 'translated record' : 'record without languages',
    list?.search.includes(title) ? 'searched by its title' : 'not searched by its title',
    ...(fixedValues ? ['fixed values'] : []),
    ...(screen.readPath === screen.editPath ? [] : ['addresses of their own for reading and editing']),
  ]
  return [...inputs, ...shapes].map((trait) => `${trait}, ${place}`)
}

/**
 * A small set of screens that together have every trait, by a greedy choice: the next one is the screen with
 * the most traits that no earlier one has, the first in the order of the registry where several have as many.
 * A new resource with a new kind of field gets a full walk without a line here.
 *
 * @param screens - The screens without a test of their own.
 * @returns The paths of the chosen screens.
 */
export function chooseFullWalks(screens: readonly Screen[]): ReadonlySet<string> {
  const traits = new Map(screens.map((screen) => [screen.path, [...new Set(traitsOf(screen))]]))
  const missing = new Set([...traits.values()].flat())
  const countMissing = (own: readonly string[]) => own.filter((trait) => missing.has(trait)).length
  const chosen = new Set<string>()
  while (missing.size > 0) {
    const [path, own] = [...traits].reduce((best, next) =>
      countMissing(next[1]) > countMissing(best[1]) ? next : best,
    )
    chosen.add(path)
    for (const trait of own) missing.delete(trait)
  }
  return chosen
}

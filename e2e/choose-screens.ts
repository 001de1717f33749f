/**
 * Chooses the screens whose test does more than open the addresses, from the model: screens share their code, so
 * a small set of them shows everything that a declaration can ask for.
 */
import { componentsOf, type Screen } from '@dala/model'
import { fieldsOf, isFilled } from './fill-form.ts'

type ListTraits = (screen: Screen) => readonly string[]

/**
 * The traits that a full walk through a screen proves: every kind of input that it fills, localized or not, and every
 * shape of the screen.
 */
const walkTraits: ListTraits = (screen) => {
  const { resource, overview, fixedValues } = screen
  const { list, localized, title } = resource
  const overviewTrait = overview ? 'with a page' : 'without a page'
  const inputs = fieldsOf(screen)
    .filter(([name, field]) => isFilled(resource, name, field))
    .map(([, field]) => `${componentsOf(field).input}, ${field.localized ? 'localized' : 'shared'}`)
  const screenShapes = [
    localized ? 'translated record' : 'record without languages',
    list?.search.includes(title) ? 'searched by its title' : 'not searched by its title',
    ...(fixedValues ? ['fixed values'] : []),
    ...(screen.readPath === screen.editPath ? [] : ['addresses of their own for reading and editing']),
  ]
  return [...inputs, ...screenShapes.map((shape) => `${shape}, ${overviewTrait}`)]
}

/** Visible traits of a list: every kind of value in a column, every kind of filter, every part around the rows. */
const listTraits: ListTraits = ({ resource: { fields, list, localized } }) => {
  if (!list) return []
  const columns = list.columns.map((name) => (fields[name] ? componentsOf(fields[name]).display : name))
  const filters = (list.filters ?? []).map((name) => (fields[name] ? componentsOf(fields[name]).input : name))
  return [
    ...columns.map((display) => `column: ${display}`),
    ...filters.map((input) => `filter: ${input}`),
    ...(list.modes ?? []).map((mode) => `mode: ${mode}`),
    ...(list.segments === undefined ? [] : ['segments']),
    ...(list.subtitle === undefined ? [] : ['line below the name']),
    ...(list.leadPicture === undefined ? [] : ['picture before the name']),
    localized ? 'language of the texts' : 'one language',
  ]
}

/** Visible traits of a form: every kind of input, localized or not, with one or several sections and a side column. */
const formTraits: ListTraits = (screen) => {
  const { form } = screen.resource
  if (!form) return []
  return [
    ...fieldsOf(screen).map(([, field]) => `${componentsOf(field).input}, ${field.localized ? 'localized' : 'shared'}`),
    form.sections.length > 1 ? 'several sections' : 'one section',
    ...(form.aside ? ['side column'] : []),
  ]
}

/**
 * A small set of screens that together have every trait, by a greedy choice: the next one is the screen with the most
 * traits that no earlier one has, the first in the order of the registry where several have as many.
 */
function chooseCover(
  screens: readonly Screen[],
  traitsOf: ListTraits,
  coveredScreens: readonly Screen[] = [],
): ReadonlySet<string> {
  const traitsByScreen = new Map(screens.map((screen) => [screen.path, [...new Set(traitsOf(screen))]]))
  const missingTraits = new Set([...traitsByScreen.values()].flat())
  for (const screenTrait of coveredScreens.flatMap(traitsOf)) missingTraits.delete(screenTrait)
  const countMissingTraits = (screenTraits: readonly string[]) =>
    screenTraits.filter((trait) => missingTraits.has(trait)).length
  const chosenPaths = new Set<string>()
  while (missingTraits.size > 0) {
    const [path, bestTraits] = [...traitsByScreen].reduce((bestEntry, screenEntry) =>
      countMissingTraits(screenEntry[1]) > countMissingTraits(bestEntry[1]) ? screenEntry : bestEntry,
    )
    chosenPaths.add(path)
    for (const screenTrait of bestTraits) missingTraits.delete(screenTrait)
  }
  return chosenPaths
}

/** Paths of the screens whose test does more than open their addresses. */
interface Choice {
  /** Screens whose test walks through the whole life of a record. */
  fullWalks: ReadonlySet<string>
  /** Screens whose list is checked for accessibility in both appearances. */
  lists: ReadonlySet<string>
  /** Screens whose form is checked for accessibility in both appearances. */
  forms: ReadonlySet<string>
}

/**
 * Chooses what the tests of the screens do. A new resource with a new kind of field gets a full walk and the checks
 * without a line here.
 *
 * @param screens - All screens.
 * @param ownPaths - Paths of the screens with a test of their own, which checks their list and form.
 * @param walkedPaths - Paths of those among them whose test walks through the whole life of a record.
 */
export function chooseScreens(
  screens: readonly Screen[],
  ownPaths: ReadonlySet<string>,
  walkedPaths: ReadonlySet<string>,
): Choice {
  const sharedScreens = screens.filter(({ path }) => !ownPaths.has(path))
  const coveredScreens = screens.filter(({ path }) => ownPaths.has(path))
  const walkedScreens = screens.filter(({ path }) => walkedPaths.has(path))
  return {
    fullWalks: chooseCover(sharedScreens, walkTraits, walkedScreens),
    lists: new Set([...ownPaths, ...chooseCover(sharedScreens, listTraits, coveredScreens)]),
    forms: new Set([...ownPaths, ...chooseCover(sharedScreens, formTraits, coveredScreens)]),
  }
}

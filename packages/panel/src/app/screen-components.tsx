/**
 * The component of each address of a screen: the shared list, form and record page, with the custom parts of
 * the screen.
 */
import type { Screen } from '@dala/model'
import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { lazyScreen, screenOf } from './lazy-screen.ts'
import { type OwnPage, ownScreens } from './own-screens.ts'

/** Passes the index of the address to a component of a record; another record gets a new instance. */
function makeIndexScreen(Component: ComponentType<{ index: string }>) {
  return function IndexedScreen() {
    const { index = 'new' }: { index?: string } = useParams({ strict: false })
    return <Component key={index} index={index} />
  }
}

/** The page that replaces the list and the records of a screen; undefined for most screens. */
export function pageOf(screen: Screen) {
  const page = ownScreens[screen.path]?.page
  return page && screenOf(async () => pageWithIndex(screen, await page()))
}

/** Component of a custom page, which stays mounted while the address changes from one record to another. */
function pageWithIndex(screen: Screen, Page: OwnPage) {
  return function OwnScreenPage() {
    const { index }: { index?: string } = useParams({ strict: false })
    return <Page screen={screen} {...(index !== undefined && { index })} />
  }
}

/** The first page of a screen: its list, or the form of a single type. */
function listComponent(screen: Screen) {
  const ownScreen = ownScreens[screen.path]
  if (screen.resource.single) return screenOf(() => formOf(screen, 'single'))
  const load = async () => {
    const [{ ListScreen }, slots] = await Promise.all([import('../resource/list/list-screen.tsx'), ownScreen?.list?.()])
    return () => <ListScreen key={screen.path} screen={screen} slots={slots} />
  }
  return ownScreen?.hasFeatureMessages ? screenOf(load) : lazyScreen(load)
}

/** Page of one record; `index` is its id or `new`. */
function recordComponent(screen: Screen) {
  const ownScreen = ownScreens[screen.path]
  return screenOf(async () => {
    if (!ownScreen?.overview) return makeIndexScreen(await formOf(screen))
    const [{ RecordScreen }, slots, formSlots, Around] = await Promise.all([
      import('../resource/record/record-screen.tsx'),
      ownScreen.overview(),
      ownScreen.form?.(),
      ownScreen.recordWrapper?.(),
    ])
    const RecordIndexScreen = makeIndexScreen(({ index }) => (
      <RecordScreen screen={screen} index={index} slots={slots} formSlots={formSlots} />
    ))
    if (!Around) return RecordIndexScreen
    return function RecordWithin() {
      const { index = 'new' }: { index?: string } = useParams({ strict: false })
      return (
        <Around screen={screen} index={index}>
          <RecordIndexScreen />
        </Around>
      )
    }
  })
}

/** Form of one record, if the form has a separate address. */
function formComponent(screen: Screen) {
  return screenOf(async () => makeIndexScreen(await formOf(screen)))
}

async function formOf(screen: Screen, fixedIndex?: string) {
  const [{ FormScreen }, slots] = await Promise.all([
    import('../resource/form/form-screen.tsx'),
    ownScreens[screen.path]?.form?.(),
  ])
  return ({ index }: { index?: string }) => (
    <FormScreen key={index} screen={screen} index={fixedIndex ?? index ?? 'new'} slots={slots} />
  )
}

/** A further address of a screen; without a custom page it shows the list. */
function makeFurtherPage(screen: Screen, path: string) {
  const load = ownScreens[screen.path]?.more?.[path]
  if (!load) return listComponent(screen)
  return screenOf(async () => {
    const Page = await load()
    return makeIndexScreen(({ index }) => <Page screen={screen} index={index} />)
  })
}

/** Returns the component for one of a screen's addresses. */
export function componentOf(screen: Screen, path: string) {
  if (path === screen.path) return listComponent(screen)
  if (path === `${screen.readPath}/$index`) return recordComponent(screen)
  return path === `${screen.editPath}/$index` ? formComponent(screen) : makeFurtherPage(screen, path)
}

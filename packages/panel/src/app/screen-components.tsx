/** Which component draws a screen; what has none yet says so. */
import type { MessageId } from '@dala/model'
import { useParams } from '@tanstack/react-router'
import { lazyScreen } from './lazy-screen.ts'
import type { Screen } from './screens.ts'

/** The page that names what will be here. */
function notBuilt(title: MessageId) {
  return lazyScreen(async () => {
    const { NotBuiltScreen } = await import('./not-built-screen.tsx')
    return () => <NotBuiltScreen title={title} />
  })
}

/** The first page of a screen: its list, or for a single type its form. */
export function listComponent({ title, resource }: Screen) {
  if (!resource) return notBuilt(title)
  return lazyScreen(async () => {
    if (resource.single) {
      const { FormScreen } = await import('../resource/form-screen.tsx')
      return () => <FormScreen key={resource.name} resource={resource} />
    }
    const { ListScreen } = await import('../resource/list-screen.tsx')
    return () => <ListScreen key={resource.name} resource={resource} />
  })
}

/** One record of a screen; `index` is its id or `new`. */
export function detailComponent({ title, resource }: Screen) {
  if (!resource) return notBuilt(title)
  return lazyScreen(async () => {
    const { FormScreen } = await import('../resource/form-screen.tsx')
    return function DetailScreen() {
      const { index }: { index?: string } = useParams({ strict: false })
      return <FormScreen key={index} resource={resource} index={index ?? ''} />
    }
  })
}

/** An address of its own below a screen. */
export function furtherComponent(title: MessageId) {
  return notBuilt(title)
}

/** Parts of a page that are loaded when they are first wanted; without a connection they come as soon as there is one. */
import { type ComponentType, lazy } from 'react'
import { loadFeatureWords } from '../lib/i18n.ts'
import { reloadIfNewer } from '../lib/newer-panel.ts'
import { whenQuiet } from '../lib/quiet.ts'

/** Between two looks whether the server can be reached again, in milliseconds. */
const pause = 3_000

const isReachable = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    // What stands before a server that is away answers in its place.
    ({ status }) => status < 500,
    () => false,
  )

/** Resolves when the browser says that it is connected again, and after a pause in any case. */
const nextChance = () =>
  new Promise<void>((resolve) => {
    const goOn = () => {
      clearTimeout(timer)
      window.removeEventListener('online', goOn)
      resolve()
    }
    const timer = setTimeout(goOn, pause)
    window.addEventListener('online', goOn)
  })

/** Loads for as long as it takes to have a connection. When the server is there and has a newer panel, the page is loaded anew; else it throws. */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    while (!(await isReachable())) await nextChance()
    try {
      return await load()
    } catch (error) {
      if (await reloadIfNewer()) await new Promise(() => {})
      throw error
    }
  }
}

/** Fetches what may be wanted in a moment; where it does not come now, it is fetched when it is wanted. */
export function preload(load: () => Promise<unknown>): void {
  load().catch(() => undefined)
}

type Load<P> = () => Promise<ComponentType<P>>

export function lazyPart<P>(load: Load<P>) {
  return lazy(async () => ({ default: await patiently(load) }))
}

/** With the words that a plain page does without. */
const withWords = <P>(load: Load<P>) =>
  patiently(async () => {
    const [component] = await Promise.all([load(), loadFeatureWords()])
    return component
  })

export function lazyFeature<P>(load: Load<P>) {
  return lazy(async () => ({ default: await withWords(load) }))
}

/** A part that stands on the page without being asked for: it comes when the page has all it asked for. */
export function lazyLater<P>(load: Load<P>) {
  return lazy(async () => {
    await whenQuiet()
    return { default: await withWords(load) }
  })
}

const Nothing = () => null

/**
 * What the page can do without and nobody has asked for: it comes when the page has all it asked for, and where it does
 * not come, the page stays as it is.
 */
export function lazyExtra<P>(load: Load<P>) {
  return lazy(async () => {
    await whenQuiet()
    return { default: await withWords(load).catch((): ComponentType<P> => Nothing) }
  })
}

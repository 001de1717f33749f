/**
 * Loads screens when they are first opened; a chunk that does not arrive within 120 s is a failure
 * (requirements §8).
 */
import { type ComponentType, createElement, use } from 'react'
import { loadFeatureMessages } from '../lib/i18n.ts'
import { reloadIfNewer } from '../lib/newer-panel.ts'

const chunkTimeout = 120_000

export class ChunkLoadError extends Error {
  constructor(cause?: unknown) {
    super('The page could not be loaded', { cause })
    this.name = 'ChunkLoadError'
  }
}

/** Callbacks that load the code of failed screens again. */
const failedReloads = new Set<() => Promise<void>>()

/** Retries all screens that could not be loaded; those that fail again stay failed. */
export async function reloadFailedScreens(): Promise<void> {
  const failedScreenReloads = [...failedReloads]
  failedReloads.clear()
  await Promise.all(failedScreenReloads.map((reload) => reload()))
}

/** Loads a module. The promise rejects with `ChunkLoadError` on a network failure or after 120 s. */
function loadWithTimeout<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLoadError()), chunkTimeout)
    load()
      .then(resolve, (cause: unknown) => reject(new ChunkLoadError(cause)))
      .finally(() => clearTimeout(timer))
  })
}

/** Reloads the page instead of reporting a failed load when the server has a newer panel. */
async function loadOrReload<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading
  } catch (error) {
    if (await reloadIfNewer()) await new Promise(() => {})
    throw error
  }
}

/**
 * Loads the module of a screen. The promise rejects with `ChunkLoadError` on a network failure or after 120
 * s. When the server has a newer panel, the page is reloaded instead.
 */
export function withChunkTimeout<T>(load: () => Promise<T>): Promise<T> {
  return loadOrReload(loadWithTimeout(load))
}

/**
 * A component for a route, loaded on demand: `lazyScreen(async () => (await import('./x.tsx')).X)`.
 *
 * The router's own lazy component remembers a failure until the page is closed.
 */
export function lazyScreen(load: () => Promise<ComponentType>) {
  let component: ComponentType | undefined
  let componentPromise: Promise<ComponentType> | undefined
  let renderedScreen: Promise<ComponentType> | undefined
  const fetchComponent = () => {
    componentPromise ??= loadWithTimeout(load).then(
      (loadedComponent) => (component = loadedComponent),
      (error: unknown) => {
        failedReloads.add(reloadPage)
        throw error
      },
    )
    return componentPromise
  }
  // A user does not notice a failed preload: a missing file reloads the page only when its screen renders.
  const fetchForRender = () => (renderedScreen ??= loadOrReload(fetchComponent()))
  const Screen = () => createElement(component ?? use(fetchForRender()))
  const preload = () =>
    fetchComponent().then(
      () => undefined,
      // A failed load of a screen is reported when the screen renders.
      () => undefined,
    )
  const reloadPage = () => {
    componentPromise = undefined
    renderedScreen = undefined
    return preload()
  }
  return Object.assign(Screen, { preload })
}

/**
 * The component of an address, loaded on demand together with what a plain list does not need: further
 * messages and drafts.
 */
export function screenOf(load: () => Promise<ComponentType>) {
  return lazyScreen(async () => {
    const messages = loadFeatureMessages()
    const drafts = import('../lib/drafts/draft-store.ts').then(({ loadDrafts }) => loadDrafts())
    const component = await load()
    await Promise.all([messages, drafts])
    return component
  })
}

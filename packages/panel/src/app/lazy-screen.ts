/** Screens are loaded when first opened; a chunk that does not come within 120 s is a failure (requirements §8). */
import { type ComponentType, createElement, use } from 'react'
import { loadFeatureWords } from '../lib/i18n.ts'
import { reloadIfNewer } from '../lib/newer-panel.ts'

const chunkTimeout = 120_000

export class ChunkLoadError extends Error {
  constructor(cause?: unknown) {
    super('The page could not be loaded', { cause })
    this.name = 'ChunkLoadError'
  }
}

/** Loads a screen again that could not be loaded. */
const failures = new Set<() => Promise<void>>()

/** Loads the screens again that could not be loaded; those that fail once more stay failed. */
export async function reloadFailedScreens(): Promise<void> {
  const again = [...failures]
  failures.clear()
  await Promise.all(again.map((reload) => reload()))
}

/**
 * The module, or `ChunkLoadError` when the network refuses it or 120 s have passed. When the server has a newer panel,
 * the page is loaded anew instead.
 */
export function withChunkTimeout<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLoadError()), chunkTimeout)
    load()
      .then(resolve, async (cause: unknown) => {
        if (!(await reloadIfNewer())) reject(new ChunkLoadError(cause))
      })
      .finally(() => clearTimeout(timer))
  })
}

/**
 * A component for a route, loaded on demand: `lazyScreen(async () => (await import('./x.tsx')).X)`.
 *
 * The router's own lazy component keeps a failure for as long as the page lives.
 */
export function lazyScreen(load: () => Promise<ComponentType>) {
  let component: ComponentType | undefined
  let loading: Promise<ComponentType> | undefined
  const fetched = () => {
    loading ??= withChunkTimeout(load).then(
      (loaded) => (component = loaded),
      (error: unknown) => {
        failures.add(reload)
        throw error
      },
    )
    return loading
  }
  const Screen = () => createElement(component ?? use(fetched()))
  const preload = () =>
    fetched().then(
      () => undefined,
      // The drawing of the screen reports it.
      () => undefined,
    )
  const reload = () => {
    loading = undefined
    return preload()
  }
  return Object.assign(Screen, { preload })
}

/** The component of an address, loaded on demand together with what a plain list does without: more words, drafts. */
export function screenOf(load: () => Promise<ComponentType>) {
  return lazyScreen(async () => {
    const words = loadFeatureWords()
    const drafts = import('../lib/drafts/draft-store.ts').then(({ loadDrafts }) => loadDrafts())
    const component = await load()
    await Promise.all([words, drafts])
    return component
  })
}

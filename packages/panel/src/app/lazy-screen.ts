/** Screens are loaded when first opened; a chunk that does not come within 120 s is a failure (spec §8). */
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { loadFeatureWords } from '../lib/i18n.ts'

const chunkTimeout = 120_000

export class ChunkLoadError extends Error {
  constructor(cause?: unknown) {
    super('The page could not be loaded', { cause })
    this.name = 'ChunkLoadError'
  }
}

/** The module, or `ChunkLoadError` when the network refuses it or 120 s have passed. */
export function withChunkTimeout<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLoadError()), chunkTimeout)
    load()
      .then(resolve, (cause: unknown) => reject(new ChunkLoadError(cause)))
      .finally(() => clearTimeout(timer))
  })
}

/** A component for a route, loaded on demand: `lazyScreen(async () => (await import('./x.tsx')).X)`. */
export function lazyScreen(load: () => Promise<ComponentType>) {
  return lazyRouteComponent(() => withChunkTimeout(async () => ({ default: await load() })))
}

/** The component of an address, loaded on demand together with what a plain list does without: more words, unsaved texts. */
export function screenOf(load: () => Promise<ComponentType>) {
  return lazyScreen(async () => {
    const words = loadFeatureWords()
    const kept = import('../lib/kept/kept.ts').then(({ loadKept }) => loadKept())
    const component = await load()
    await Promise.all([words, kept])
    return component
  })
}

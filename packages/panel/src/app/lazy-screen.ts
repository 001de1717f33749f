/** Screens are loaded when first opened; a chunk that does not come within 120 s is a failure (spec §8). */
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'

const chunkTimeout = 120_000

export class ChunkLoadError extends Error {
  constructor(cause?: unknown) {
    super('The page could not be loaded', { cause })
    this.name = 'ChunkLoadError'
  }
}

/** The module, or `ChunkLoadError` when the network refuses it or 120 s have passed. */
function withChunkTimeout<T>(load: () => Promise<T>): Promise<T> {
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

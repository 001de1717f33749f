/** Signals of finished work, which the parts of the server emit and `watching/` counts while metrics are on. */

export interface Signals {
  /** A statement of the database that ended. */
  statement: { sql: string; seconds: number; error?: unknown }
  /** A refusal that was sent, by its code in the catalogue of errors. */
  refusal: { code: string }
  /** A step of a background job, by the kind of work. */
  job: { kind: string; step: 'begun' | 'done' | 'failed' }
  /** An attempt to deliver a letter. */
  letter: { outcome: 'sent' | 'failed' }
  /** A socket that was opened (1) or closed (-1). */
  socket: { change: 1 | -1 }
}

type Listener<K extends keyof Signals> = (signal: Signals[K]) => void

const listeners: { readonly [K in keyof Signals]: Set<Listener<K>> } = {
  statement: new Set(),
  refusal: new Set(),
  job: new Set(),
  letter: new Set(),
  socket: new Set(),
}

/** Tells whether a signal has a listener, so that measuring it is worth its cost. */
export const isWatched = (name: keyof Signals): boolean => listeners[name].size > 0

/** Passes a signal to its listeners; does nothing while metrics are off. */
export function emitSignal<K extends keyof Signals>(name: K, signal: Signals[K]): void {
  for (const listener of listeners[name]) listener(signal)
}

/**
 * Subscribes to a signal of all parts of this process.
 *
 * @param name - The name of the signal.
 * @param listener - Receives each signal; it must not throw.
 * @returns An unsubscribe function.
 */
export function onSignal<K extends keyof Signals>(name: K, listener: Listener<K>): () => void {
  listeners[name].add(listener)
  return () => void listeners[name].delete(listener)
}

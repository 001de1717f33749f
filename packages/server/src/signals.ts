/**
 * Signals of finished work, which the parts of the server emit and `watching/` counts while metrics or traces are
 * on. They go through the diagnostics channels of Node.
 */
import type { AsyncLocalStorage } from 'node:async_hooks'
import { type Channel, channel, type TracingChannel, tracingChannel } from 'node:diagnostics_channel'

export interface Signals {
  /** A statement of the database that ended. */
  statement: { sql: string; seconds: number; error?: unknown }
  /** A refusal that was sent, by its code in the catalogue of errors. */
  refusal: { code: string }
  /** A step of a background job, by the kind of work. */
  job: { kind: string; step: 'begun' | 'done' | 'failed' }
  /** An attempt to deliver a letter. */
  letter: { outcome: 'sent' | 'failed' }
  /** Bytes of files that a request has sent, at its end, also of a refused one. */
  upload: { way: 'form' | 'resumable'; bytes: number }
  /** A small write that the disk of the data folder has stored, or that it has not stored so far. */
  diskWrite: { seconds: number }
  /** A socket that was opened (1) or closed (-1). */
  socket: { change: 1 | -1 }
}

const channels: { readonly [K in keyof Signals]: Channel } = {
  statement: channel('dala:statement'),
  refusal: channel('dala:refusal'),
  job: channel('dala:job'),
  letter: channel('dala:letter'),
  upload: channel('dala:upload'),
  diskWrite: channel('dala:disk-write'),
  socket: channel('dala:socket'),
}

/** Tells whether a signal has a listener. */
export const isWatched = (name: keyof Signals): boolean => channels[name].hasSubscribers

/** Passes a signal to its listeners; does nothing while metrics are off. */
export function emitSignal<K extends keyof Signals>(name: K, signal: Signals[K]): void {
  channels[name].publish(signal)
}

/**
 * Subscribes to a signal of all parts of this process.
 *
 * @param name - The name of the signal.
 * @param listener - Receives each signal.
 * @returns An unsubscribe function.
 */
export function onSignal<K extends keyof Signals>(name: K, listener: (signal: Signals[K]) => void): () => void {
  const receive = (signal: unknown) => listener(signal as Signals[K])
  channels[name].subscribe(receive)
  return () => {
    channels[name].unsubscribe(receive)
  }
}

/** Work in the background that is followed from its beginning to its end, with the statements it sends. */
export interface FollowedWork {
  kind: 'job' | 'letter'
  /** Kind of the job, or template of the letter. */
  name: string
  /** Error with which the work ended. */
  error?: unknown
}

const workChannel: TracingChannel<unknown, FollowedWork> = tracingChannel('dala:work')

/** Runs work that is followed while traces are on. */
export function runFollowed<T>(kind: FollowedWork['kind'], name: string, run: () => Promise<T>): Promise<T> {
  return workChannel.tracePromise(run, { kind, name })
}

/**
 * Follows work of all parts of this process.
 *
 * @param storage - Has the value of `begin` while work is done.
 * @param begin - Receives work that begins.
 * @param end - Receives work that has ended, with its error.
 * @returns The function that ends the following.
 */
export function followWork<S>(
  storage: AsyncLocalStorage<S>,
  begin: (work: FollowedWork) => S,
  end: (work: FollowedWork) => void,
): () => void {
  const receiveEnd = (work: unknown) => end(work as FollowedWork)
  workChannel.start.bindStore(storage, begin)
  workChannel.asyncEnd.subscribe(receiveEnd)
  return () => {
    workChannel.start.unbindStore(storage)
    workChannel.asyncEnd.unsubscribe(receiveEnd)
  }
}

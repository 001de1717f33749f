/**
 * Parts of a page that are loaded on first use; without a connection they are loaded as soon as there is one.
 */
import { type ComponentType, lazy } from 'react'
import { loadFeatureMessages } from '../lib/i18n.ts'
import { reloadIfNewer } from '../lib/newer-panel.ts'
import { waitForQuiet } from '../lib/quiet.ts'

/** Milliseconds between two checks whether the server can be reached. */
const retryDelay = 3_000

const isServerReachable = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    // A proxy in front of an unavailable server may answer in place of the server.
    ({ status }) => status < 500,
    () => false,
  )

/** Waits for the next attempt to load: until the browser reports a connection, and for a pause at most. */
const nextAttempt = () =>
  new Promise<void>((resolve) => {
    const renderPart = () => {
      clearTimeout(timer)
      window.removeEventListener('online', renderPart)
      resolve()
    }
    const timer = setTimeout(renderPart, retryDelay)
    window.addEventListener('online', renderPart)
  })

/**
 * Loads a part again and again until there is a connection; throws when the server does not have the file.
 */
export async function retryUntilOnline<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    while (!(await isServerReachable())) await nextAttempt()
    return load()
  }
}

/** Loads a part like `retryUntilOnline`, but reloads the page when the server has a newer panel. */
export async function retryOrReload<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await retryUntilOnline(load)
  } catch (error) {
    if (await reloadIfNewer()) await new Promise(() => {})
    throw error
  }
}

/** Preloads code that may be used soon; after a failure it is loaded on use. */
export function preload(load: () => Promise<unknown>): void {
  load().catch(() => undefined)
}

type LoadComponent<P> = () => Promise<ComponentType<P>>

export function lazyPart<P>(load: LoadComponent<P>) {
  return lazy(async () => ({ default: await retryOrReload(load) }))
}

/** Loads a part of the panel together with the messages that a plain page does not need. */
const loadWithMessages =
  <P>(load: LoadComponent<P>): LoadComponent<P> =>
  async () => {
    const [component] = await Promise.all([load(), loadFeatureMessages()])
    return component
  }

export function lazyFeature<P>(load: LoadComponent<P>) {
  return lazy(async () => ({ default: await retryOrReload(loadWithMessages(load)) }))
}

/**
 * Part of the page that is shown without a user action: it is loaded when the calls of the page are complete.
 */
export function lazyPartWhenQuiet<P>(load: LoadComponent<P>) {
  return lazy(async () => {
    await waitForQuiet()
    return { default: await retryOrReload(loadWithMessages(load)) }
  })
}

const EmptyPart = () => null

/**
 * An optional part that no user has requested: it is loaded when the calls of the page are complete, and a
 * failure leaves the page as it is, without a reload.
 */
export function lazyOptionalPart<P>(load: LoadComponent<P>) {
  return lazy(async () => {
    await waitForQuiet()
    return { default: await retryUntilOnline(loadWithMessages(load)).catch((): ComponentType<P> => EmptyPart) }
  })
}

/** The open page that sent the present request, to which its changes need not be sent back. */
import { AsyncLocalStorage } from 'node:async_hooks'

const requestOrigins = new AsyncLocalStorage<string>()

/**
 * Runs work of a request on behalf of an open page.
 *
 * @param page - The id of the socket of the page.
 * @param work - The work, with everything that it awaits.
 */
export const runForPage = (page: string, runTask: () => void): void => requestOrigins.run(page, runTask)

/** Returns the page that sent the present request; undefined for requests without one and for the server. */
export const originOfRequest = (): string | undefined => requestOrigins.getStore()

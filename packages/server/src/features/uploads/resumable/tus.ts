/**
 * Runs the tus protocol for a request of the application, and maps its refusals to the catalogue of errors.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { fault } from '@dala/model'
import type { Server } from '@tus/server'
import type { FastifyRequest } from 'fastify'
import { webStream } from '../received/web-stream.ts'
import type { PieceStore } from './piece-store.ts'
import type { UploadLocks } from './upload-locks.ts'

/** Version of the tus protocol. */
export const tusVersion = '1.0.0'
/** Path of the routes of resumable uploads. */
const resumablePath = '/api/upload/resumable'

/** Milliseconds without a byte after which a request of an upload ends with what has arrived. */
const idleLimit = 15_000

const protocolHeaders = ['content-type', 'content-length', 'upload-length', 'upload-metadata', 'upload-offset']

/**
 * Yields the bytes of a request's body until it ends, is cut or pauses for too long. A cut body is no error:
 * its bytes are stored, and the client continues behind them.
 */
async function* arrivedBytes({ raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = raw.iterator({ destroyOnReturn: false })
  for (;;) {
    const stopController = new AbortController()
    const idleLimitReached = pause(idleLimit, undefined, { ref: false, signal: stopController.signal }).catch(
      () => undefined,
    )
    const nextChunk = await Promise.race([chunks.next().catch(() => undefined), idleLimitReached])
    stopController.abort()
    if (!nextChunk || nextChunk.done) return
    yield nextChunk.value
  }
}

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'status_code' in error ? error.status_code : undefined

/** The tus protocol on one store of unfinished uploads. */
export class Tus {
  readonly #pieces: PieceStore
  readonly #locks: UploadLocks
  readonly #errors = new WeakMap<Request, unknown>()
  #server: Promise<Server> | undefined

  constructor(pieceStore: PieceStore, locks: UploadLocks) {
    this.#pieces = pieceStore
    this.#locks = locks
  }

  /**
   * Handles a request on an upload that the caller may use.
   *
   * @param request - The request.
   * @param id - The id of the upload.
   * @returns The headers of a successful answer.
   * @throws 404, 409 with the present offset, 412 and 422.
   */
  async handle(request: FastifyRequest, id: string): Promise<Headers> {
    const headers = new Headers({ 'tus-resumable': tusVersion })
    for (const name of protocolHeaders) {
      const value = request.headers[name]
      if (typeof value === 'string') headers.set(name, value)
    }
    const url = `http://localhost${resumablePath}/${id}`
    const { method } = request
    const body = { body: webStream(arrivedBytes(request)), duplex: 'half' } as const
    const webRequest = new Request(url, method === 'PATCH' ? { method, headers, ...body } : { method, headers })
    const answer = await (await this.#open()).handleWeb(webRequest)
    if (answer.ok) return answer.headers
    throw await this.#refusal(this.#errors.get(webRequest), id, answer.status)
  }

  async #refusal(error: unknown, id: string, status: number): Promise<unknown> {
    // Errors of the tus library have a status; others come from the lock or from the store.
    if (error instanceof Error && codeOf(error) === undefined) return error
    if (status === 409) {
      const offset = await this.offsetOf(id)
      return fault('upload.offset', { params: { offset }, details: { offset } })
    }
    if (status === 404 || status === 410) return fault('file.not-found')
    if (status === 413) return fault('upload.length')
    if (status < 500) return fault('upload.length')
    return new Error('The bytes of an upload could not be stored', { cause: error })
  }

  /**
   * Returns the number of bytes of an upload that have arrived.
   *
   * @throws 404 when the store does not have it.
   */
  async offsetOf(id: string): Promise<number> {
    const store = await this.#pieces.open()
    try {
      return (await store.getUpload(id)).offset
    } catch (error) {
      if (codeOf(error) === 404 || codeOf(error) === 410) throw fault('file.not-found')
      throw error
    }
  }

  /** Loads the library of the tus protocol with the first upload. */
  #open(): Promise<Server> {
    this.#server ??= Promise.all([import('@tus/server'), this.#pieces.open()]).then(
      ([library, datastore]) =>
        new library.Server({
          path: resumablePath,
          datastore,
          locker: this.#locks,
          relativeLocation: true,
          // The route has chosen the id of the upload before, and made its row.
          namingFunction: ({ url }) => url.slice(url.lastIndexOf('/') + 1),
          onResponseError: (request, error) => {
            this.#errors.set(request, error)
            return undefined
          },
        }),
    )
    return this.#server
  }
}

/** The public API of the server as one signed-in person calls it. */
import { setTimeout as pause } from 'node:timers/promises'

export interface Answer<T> {
  status: number
  body: T
}

/** The error body of every refusal (contract §1). */
export interface ServerRefusal {
  error?: { status: number; message: string; code?: string; details?: unknown }
}

/**
 * Temporary statuses of the API: the server is busy or shutting down, and the same call may succeed later.
 */
const temporaryStatuses = new Set([408, 429, 500, 502, 503, 504])
const longestWait = 1_000

export class Api {
  readonly url: string
  readonly token: string
  #isClosed = false

  constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  /**
   * Sends a request of the simulated person once.
   *
   * @throws TypeError when the connection fails or breaks.
   */
  async ask<T>(method: string, path: string, data?: unknown): Promise<Answer<T & ServerRefusal>> {
    const answer = await fetch(`${this.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(data !== undefined && { 'content-type': 'application/json' }),
      },
      ...(data !== undefined && { body: JSON.stringify(data) }),
      signal: AbortSignal.timeout(30_000),
    })
    return { status: answer.status, body: (await answer.json()) as T & ServerRefusal }
  }

  /**
   * Repeats a request until the server answers: through broken connections, restarts and busy moments, with
   * growing pauses. Only for calls that may be repeated.
   *
   * @throws Once the client is closed.
   */
  async insist<T>(method: string, path: string, data?: unknown): Promise<Answer<T & ServerRefusal>> {
    for (let wait = 50; ; wait = Math.min(wait * 2, longestWait)) {
      if (this.#isClosed) throw new Error(`${method} ${path} was given up`)
      try {
        const answer = await this.ask<T>(method, path, data)
        if (!temporaryStatuses.has(answer.status)) return answer
        this.failures.push(`${answer.status} ${method} ${path}`)
      } catch (error) {
        if (!isBroken(error)) throw error
      }
      await pause(wait)
    }
  }

  /** Answers of the server after which the client repeated a request, for the summary. */
  readonly failures: string[] = []

  /**
   * Reads an address of the API.
   *
   * @throws Unless the answer is a success.
   */
  async read<T>(path: string): Promise<T> {
    const { status, body } = await this.insist<T>('GET', path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** Cancels all pending retries of the person's requests. */
  close(): void {
    this.#isClosed = true
  }
}

/** Whether no answer to a request, or half of one, arrived: the outcome on the server is unknown. */
function isBroken(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof SyntaxError ||
    (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError'))
  )
}

/** The public API as one signed-in person calls it. */
import { setTimeout as pause } from 'node:timers/promises'

export interface Answer<T> {
  status: number
  body: T
}

/** What every refusal says (contract §1). */
export interface Refusal {
  error?: { status: number; message: string; code?: string; details?: unknown }
}

/** Statuses after which the same call may yet succeed: the server is busy or on its way down. */
const passing = new Set([408, 429, 500, 502, 503, 504])
const longestWait = 1_000

export class Api {
  readonly url: string
  readonly token: string
  #isClosed = false

  constructor(url: string, token: string) {
    this.url = url
    this.token = token
  }

  /** Asks once. Throws a TypeError when the connection cannot be had or breaks. */
  async ask<T>(method: string, path: string, data?: unknown): Promise<Answer<T & Refusal>> {
    const answer = await fetch(`${this.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(data !== undefined && { 'content-type': 'application/json' }),
      },
      ...(data !== undefined && { body: JSON.stringify(data) }),
      signal: AbortSignal.timeout(30_000),
    })
    return { status: answer.status, body: (await answer.json()) as T & Refusal }
  }

  /**
   * Asks until somebody answers: through broken connections, restarts and busy moments, waiting longer each time.
   * Only for calls that may be repeated. Throws once the person has left.
   */
  async insist<T>(method: string, path: string, data?: unknown): Promise<Answer<T & Refusal>> {
    for (let wait = 50; ; wait = Math.min(wait * 2, longestWait)) {
      if (this.#isClosed) throw new Error(`${method} ${path} was given up`)
      try {
        const answer = await this.ask<T>(method, path, data)
        if (!passing.has(answer.status)) return answer
        this.troubles.push(`${answer.status} ${method} ${path}`)
      } catch (error) {
        if (!isBroken(error)) throw error
      }
      await pause(wait)
    }
  }

  /** Answers of the server that were tried again, for the summary. */
  readonly troubles: string[] = []

  /** Reads; throws unless it is answered with success. */
  async read<T>(path: string): Promise<T> {
    const { status, body } = await this.insist<T>('GET', path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** Ends whatever is still being tried. */
  close(): void {
    this.#isClosed = true
  }
}

/** Whether nothing, or half an answer, has come: it is unknown what the server did. */
function isBroken(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof SyntaxError ||
    (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError'))
  )
}

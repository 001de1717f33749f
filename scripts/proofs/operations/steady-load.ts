/** Visitors who read and write without a pause, and what became of each of their requests. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { signIn } from '../../lib/server-process.ts'

/** Milliseconds after which a request counts as failed. */
const requestLimit = 30_000

/** A failed request: its time, its status or the error of its connection. */
export interface FailedRequest {
  at: number
  name: string
  status: number | undefined
  reason: string
}

/** A write that the server acknowledged: the address of its record, and its title. */
interface AcknowledgedWrite {
  path: string
  title: string
}

/** Load of several visitors, each with one request at a time, from `start` to `stop`. */
export class SteadyLoad {
  readonly failures: FailedRequest[] = []
  readonly #url: string
  readonly #acknowledgedWrites: AcknowledgedWrite[] = []
  readonly #workers: Promise<void>[]
  readonly #headers: Readonly<Record<string, string>>
  #requestCount = 0
  #lastWrite = 0
  #isStopping = false

  private constructor(url: string, token: string, visitors: number) {
    this.#url = url
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    this.#workers = Array.from({ length: visitors }, () => this.#visit())
  }

  /**
   * Signs in and starts the visitors.
   *
   * @param url - Address of the server or of the proxy before it.
   * @param visitors - Number of visitors, each with one request at a time.
   */
  static async start(url: string, visitors: number): Promise<SteadyLoad> {
    return new SteadyLoad(url, await signIn(url), visitors)
  }

  get requestCount(): number {
    return this.#requestCount
  }

  get writeCount(): number {
    return this.#acknowledgedWrites.length
  }

  /** Moment of the latest acknowledged write, by the clock of `performance`. */
  get lastWrite(): number {
    return this.#lastWrite
  }

  /** Lets each visitor finish their request. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#workers)
  }

  /** Waits until a write that was sent after this call is acknowledged. */
  async nextWrite(): Promise<void> {
    const start = performance.now()
    while (this.#lastWrite < start) await pause(10)
  }

  /** Returns the acknowledged writes whose record has another title or is gone, and titles of two records. */
  async check(): Promise<{ lost: string[]; doubled: string[] }> {
    const lost: string[] = []
    const doubled: string[] = []
    for (const { path, title } of this.#acknowledgedWrites) {
      const query = new URLSearchParams({ locale: 'en', 'filters[title][$eq]': title, 'fields[0]': 'title' })
      const answer = await this.#send(`/api/news?${query.toString()}`)
      const { data } = JSON.parse(answer.body) as { data?: { id: number }[] }
      const isFound = data?.some(({ id }) => path === `/api/news/${id}`) ?? false
      if (!isFound) lost.push(title)
      if ((data?.length ?? 0) > 1) doubled.push(title)
    }
    return { lost, doubled }
  }

  async #send(path: string, body?: object): Promise<{ status: number; body: string }> {
    const answer = await fetch(this.#url + path, {
      headers: this.#headers,
      signal: AbortSignal.timeout(requestLimit),
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.text() }
  }

  /** Sends a request and notes a failure; returns the answer of a successful one. */
  async #attempt(name: string, path: string, body?: object): Promise<string | undefined> {
    this.#requestCount += 1
    try {
      const answer = await this.#send(path, body)
      if (answer.status < 400) return answer.body
      this.failures.push({ at: performance.now(), name, status: answer.status, reason: answer.body.slice(0, 120) })
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      this.failures.push({ at: performance.now(), name, status: undefined, reason: cause })
    }
    // A visitor who is refused tries again a little later.
    await pause(50)
    return undefined
  }

  async #visit(): Promise<void> {
    while (!this.#isStopping) {
      const title = `Note ${randomUUID()}`
      const answer = await this.#attempt('write', '/api/news?locale=en', { data: { title, description: title } })
      if (answer !== undefined) {
        const { data } = JSON.parse(answer) as { data: { id: number } }
        this.#acknowledgedWrites.push({ path: `/api/news/${data.id}`, title })
        this.#lastWrite = performance.now()
        await this.#attempt('record', `/api/news/${data.id}`)
      }
      await this.#attempt('list', '/api/news?locale=en&pagination[pageSize]=10')
    }
  }
}

/** Prints failures by request and reason, the most frequent first. */
export function printFailures(failures: readonly FailedRequest[]): void {
  const countByKind = new Map<string, number>()
  for (const { name, status, reason } of failures) {
    const kind = `${name}: ${status ?? 'connection'} ${reason}`
    countByKind.set(kind, (countByKind.get(kind) ?? 0) + 1)
  }
  for (const [kind, count] of [...countByKind].toSorted((one, other) => other[1] - one[1]).slice(0, 8))
    console.log(`   ${count} × ${kind}`)
}

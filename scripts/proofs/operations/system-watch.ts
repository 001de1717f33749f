/** An owner who looks at the System page again and again, and what it shows. */
import { setTimeout as pause } from 'node:timers/promises'
import type { SystemState } from '@dala/model'
import { signIn } from '../../lib/server-process.ts'

const interval = 250
/** Milliseconds after which a look counts as unanswered. */
const lookLimit = 10_000
/** Milliseconds that the end of a warning may take. */
const waitLimit = 30_000

/** One look: the status of the answer, and the codes of warnings and names of unanswered parts in it. */
interface SystemLook {
  at: number
  status: number | undefined
  warnings: readonly string[]
  unansweredParts: readonly string[]
}

export class SystemWatch {
  readonly looks: SystemLook[] = []
  readonly #url: string
  readonly #token: string
  readonly #looking: Promise<void>
  #isStopping = false

  private constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
    this.#looking = this.#lookSteadily()
  }

  /** Signs in and begins to look. */
  static async start(url: string): Promise<SystemWatch> {
    return new SystemWatch(url, await signIn(url))
  }

  /**
   * Waits for the first look after a moment that a condition is true of.
   *
   * @throws When there is none in time.
   */
  async nextLook(isWanted: (look: SystemLook) => boolean, after: number): Promise<SystemLook> {
    const deadline = performance.now() + waitLimit
    for (;;) {
      const look = this.looks.find((candidate) => candidate.at >= after && isWanted(candidate))
      if (look) return look
      if (performance.now() > deadline) throw new Error('The System page still shows a disturbance that has ended')
      await pause(interval)
    }
  }

  /** Waits for the look that is open. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#looking
  }

  async #lookSteadily(): Promise<void> {
    while (!this.#isStopping) {
      this.looks.push(await this.#look())
      await pause(interval)
    }
  }

  async #look(): Promise<SystemLook> {
    const at = performance.now()
    try {
      const headers = { authorization: `Bearer ${this.#token}` }
      const answer = await fetch(`${this.#url}/api/system`, { headers, signal: AbortSignal.timeout(lookLimit) })
      const text = await answer.text()
      if (!answer.ok) return { at, status: answer.status, warnings: [], unansweredParts: [] }
      const { at: _time, warnings, ...parts } = (JSON.parse(text) as { data: SystemState }).data
      const unansweredParts = Object.entries(parts).flatMap(([name, { state }]) =>
        state === 'unanswered' ? [name] : [],
      )
      return { at, status: answer.status, warnings: warnings.map(({ code }) => code), unansweredParts }
    } catch {
      return { at, status: undefined, warnings: [], unansweredParts: [] }
    }
  }
}

/** Hourly copies of the embedded database, because it does not survive a power cut by itself (architecture.md, decision 4). */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './database.ts'

const every = 3_600_000
const kept = 24
const fileName = /^dala-[\dTZ-]+\.tar\.gz$/

export class Snapshots {
  readonly #database: Database
  readonly #folder: string
  #copied: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> = Promise.resolve()

  constructor(database: Database, dataDir: string) {
    this.#database = database
    this.#folder = join(dataDir, 'backups')
    this.#copied = database.commits
  }

  /** Starts the clock. In: what to do with an error, which must not end the program. */
  start(onError: (error: unknown) => void): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#timer = setInterval(() => {
      this.#running = this.take().catch(onError)
    }, every)
    this.#timer.unref()
  }

  /** Stops the clock and waits for a copy that is being made. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  /** Makes a copy if something was written since the last one. Out: its file. */
  async take(now = new Date()): Promise<string | undefined> {
    const { commits } = this.#database
    if (commits === this.#copied) return undefined
    const image = await this.#database.snapshot()
    if (image === undefined) return undefined
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const name = `dala-${now.toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`
    const draft = join(this.#folder, `.${name}.part`)
    // Written whole and flushed before it gets its name: a copy that can be seen is complete.
    const file = await open(draft, 'w', 0o600)
    try {
      await file.writeFile(new Uint8Array(await image.arrayBuffer()))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, join(this.#folder, name))
    this.#copied = commits
    this.#prune()
    return join(this.#folder, name)
  }

  #prune(): void {
    const names = readdirSync(this.#folder)
    const copies = names.filter((name) => fileName.test(name)).sort()
    const unfinished = names.filter((name) => name.endsWith('.part'))
    for (const name of [...copies.slice(0, -kept), ...unfinished]) rmSync(join(this.#folder, name), { force: true })
  }
}

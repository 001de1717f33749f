/** Hourly copies of the embedded database, because it may not survive a power cut (decision 4). */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './database.ts'

const intervalMs = 3_600_000
const maxSnapshots = 24
const fileName = /^dala-[\dTZ-]+\.tar\.gz$/

/** Milliseconds between checks of the folder for a request of the backup command. */
const checkInterval = 500
const requestName = /^copy-[0-9a-f-]{36}\.wanted$/
/** Names of files that a killed program leaves in the folder of copies. */
const leftoverFilePattern = /^(\.(dala|copy)-.*\.part|copy-.*\.tar\.gz)$/

/** Names of a request for a copy and of its answer, in the folder of copies. */
export const requestNames = (id: string) => ({ request: `copy-${id}.wanted`, answer: `copy-${id}.tar.gz` })

export class Snapshots {
  readonly #database: Database
  readonly #folder: string
  #copied: number
  #timer: NodeJS.Timeout | undefined
  #requestTimer: NodeJS.Timeout | undefined
  #running: Promise<unknown> = Promise.resolve()

  constructor(database: Database, dataDir: string) {
    this.#database = database
    this.#folder = join(dataDir, 'backups')
    this.#copied = database.commits
  }

  /**
   * Starts the timer of hourly copies.
   *
   * @param onError - Receives errors, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    // Copies of the database run in turn. A failure must not escape from the timer, because it would end the
    // program.
    const queue = (runTask: () => Promise<unknown>) => {
      this.#running = this.#running.then(runTask).catch(onError)
    }
    this.#timer = setInterval(() => queue(() => this.take()), intervalMs)
    this.#timer.unref()
    this.#requestTimer = setInterval(() => queue(() => this.answerRequests()), checkInterval)
    this.#requestTimer.unref()
  }

  /** Makes the copies that a concurrent backup command has requested by a file (commands/backup.ts). */
  async answerRequests(): Promise<void> {
    for (const request of readdirSync(this.#folder).filter((name) => requestName.test(name))) {
      // The request for a copy is deleted first, so that a failing copy is not retried forever.
      rmSync(join(this.#folder, request), { force: true })
      const image = await this.#database.snapshot()
      if (image !== undefined) await this.#write(image, request.replace(/wanted$/, 'tar.gz'))
    }
  }

  /** Stops the timer of hourly copies and waits for a running copy. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    clearInterval(this.#requestTimer)
    await this.#running
  }

  /**
   * Makes a copy of the database if something was written since the last copy.
   *
   * @returns Its file.
   */
  async take(now = new Date()): Promise<string | undefined> {
    const { commits } = this.#database
    if (commits === this.#copied) return undefined
    const image = await this.#database.snapshot()
    if (image === undefined) return undefined
    const writtenFile = await this.#write(image, `dala-${now.toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`)
    this.#copied = commits
    this.#prune()
    return writtenFile
  }

  /** Writes and flushes the whole file before it gets its name: a visible copy is complete. */
  async #write(image: Blob, name: string): Promise<string> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const draft = join(this.#folder, `.${name}.part`)
    const file = await open(draft, 'w', 0o600)
    try {
      await file.writeFile(new Uint8Array(await image.arrayBuffer()))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, join(this.#folder, name))
    return join(this.#folder, name)
  }

  #prune(): void {
    const names = readdirSync(this.#folder)
    const copies = names.filter((name) => fileName.test(name)).sort()
    const isOld = (name: string) => Date.now() - statSync(join(this.#folder, name)).mtimeMs > intervalMs
    const leftoverNames = names.filter((name) => leftoverFilePattern.test(name) && isOld(name))
    for (const name of [...copies.slice(0, -maxSnapshots), ...leftoverNames])
      rmSync(join(this.#folder, name), { force: true })
  }
}

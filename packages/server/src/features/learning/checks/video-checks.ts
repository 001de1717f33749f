/**
 * Checks the linked videos of lessons in the background: after a lesson is saved, and weekly (e-learning §8).
 */
import { videoOf } from '@dala/model'
import type { Database } from '../../../db/database.ts'
import { RepeatedWork } from '../../../db/repeated-work.ts'
import { claimLinks, forgetLinks, storeAnswer } from './video-links.ts'
import { askSite, type FetchFunction } from './video-sites.ts'

const intervalMs = 3_600_000
/** Milliseconds between the save of a lesson and the check of its links; quick saves share one check. */
const pause = 2_000
/**
 * Numbers of sites that are asked at a time, and of addresses in one run; further addresses wait for the next
 * run.
 */
const parallelCount = 4
const maxLinks = 100

/** Asks the sites of linked videos. */
export class VideoChecks {
  readonly #database: Database
  readonly #fetch: FetchFunction
  readonly #clock = new RepeatedWork(intervalMs)
  readonly #stopping = new AbortController()
  #endListening = () => {}

  /**
   * Creates the checks of linked videos, which begin with `start`.
   *
   * @param database - The database with the lessons.
   * @param fetchFrom - Sends a request to a video site.
   */
  constructor(database: Database, fetchFrom: FetchFunction = (address, options) => fetch(address, options)) {
    this.#database = database
    this.#fetch = fetchFrom
  }

  /**
   * Checks the linked videos that are due now, every hour and after lessons have changed.
   *
   * @param onError - Receives errors, which must not end the program.
   */
  start(onError: (error: unknown) => void): void {
    this.#endListening = this.#database.onChange((changes) => {
      if (changes === 'all' || changes.has('lessons')) this.#clock.soon(pause)
    })
    this.#clock.start(() => this.run(), onError)
  }

  /** Stops the timer of the video checks and ends the requests of a run that has begun. */
  stop(): Promise<void> {
    this.#endListening()
    this.#stopping.abort()
    return this.#clock.stop()
  }

  /**
   * Checks the linked videos that are due.
   *
   * @returns The number of addresses.
   */
  async run(): Promise<number> {
    let checkedCount = 0
    while (checkedCount < maxLinks && !this.#stopping.signal.aborted) {
      const claimedLinks = await claimLinks(this.#database, parallelCount)
      if (claimedLinks.length === 0) break
      await Promise.all(claimedLinks.map((address) => this.#check(address)))
      checkedCount += claimedLinks.length
    }
    await forgetLinks(this.#database)
    return checkedCount
  }

  async #check(address: string): Promise<void> {
    const video = videoOf(address)
    if (video?.kind !== 'player') return
    await storeAnswer(this.#database, address, await askSite(video, this.#fetch, this.#stopping.signal))
  }
}

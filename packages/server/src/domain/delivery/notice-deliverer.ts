/** Delivers notices by one way, one after the other, each with the state of its notices at that time. */
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import {
  claimNoticeDelivery,
  type NoticeChannel,
  type NoticeDelivery,
  releaseInterrupted,
} from './notice-deliveries.ts'

const deliveryPause = 15_000
/** Milliseconds between a commit with new notices and their delivery. */
const pause = 200

interface DelivererParts {
  database: Database
  channel: NoticeChannel
  /** Seconds after which an attempt counts as interrupted: more than all timeouts of its servers together. */
  lease: number
  /**
   * Sends a claimed delivery and stores the outcome.
   *
   * @returns Whether it was sent.
   */
  send: (delivery: NoticeDelivery) => Promise<boolean>
  failed: (error: unknown) => void
}

export class NoticeDeliverer {
  readonly #parts: DelivererParts
  readonly #clock = new RepeatedWork(deliveryPause)
  #endListening = () => {}
  #isStopped = false

  constructor(parts: DelivererParts) {
    this.#parts = parts
  }

  /**
   * Starts to deliver notices, after each commit that adds some and every 15 seconds.
   *
   * @param isAlone - Whether no other instance uses the database: attempts of earlier runs are then over.
   */
  start(isAlone: boolean): void {
    const { database, channel, failed } = this.#parts
    let isReleased = !isAlone
    this.#endListening = database.onChange((changes) => {
      if (changes === 'all' || changes.has('notice_deliveries')) this.#clock.soon(pause)
    })
    this.#clock.start(async () => {
      if (!isReleased) await releaseInterrupted(database, channel)
      isReleased = true
      await this.deliver()
    }, failed)
  }

  /** Stops the deliveries and waits for the one that is being sent. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endListening()
    await this.#clock.stop()
  }

  /**
   * Sends all due deliveries, one after the other.
   *
   * @returns The number of deliveries that were sent.
   */
  async deliver(): Promise<number> {
    const { database, channel, lease, send } = this.#parts
    let sentCount = 0
    while (!this.#isStopped) {
      const delivery = await claimNoticeDelivery(database, channel, lease)
      if (delivery === undefined) break
      if (delivery && (await send(delivery))) sentCount += 1
    }
    return sentCount
  }
}

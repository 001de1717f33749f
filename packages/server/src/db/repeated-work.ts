/** Work that is repeated while the program runs, one run at a time. */
export class RepeatedWork {
  readonly #every: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> = Promise.resolve()

  /**
   * Creates the repetition without starting it.
   *
   * @param every - Milliseconds between two runs.
   */
  constructor(every: number) {
    this.#every = every
  }

  /**
   * Runs the repeated work now and after each interval.
   *
   * @param work - One run.
   * @param onError - Receives the error of a run, which does not end the program.
   */
  start(work: () => Promise<unknown>, onError: (error: unknown) => void): void {
    const run = () => {
      this.#running = this.#running.then(work).catch(onError)
    }
    this.#timer = setInterval(run, this.#every)
    this.#timer.unref()
    run()
  }

  /** Ends the repetition and waits for the present run. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }
}

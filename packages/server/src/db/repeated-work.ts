/** Work that is repeated while the program runs, one run at a time. */
export class RepeatedWork {
  readonly #every: number
  #timer: NodeJS.Timeout | undefined
  #extra: NodeJS.Timeout | undefined
  #run = () => {}
  #running: Promise<unknown> = Promise.resolve()

  /**
   * Prepares work that repeats at an interval, without starting it.
   *
   * @param intervalMs - Milliseconds between two runs.
   */
  constructor(intervalMs: number) {
    this.#every = intervalMs
  }

  /**
   * Runs the repeated work now and after each interval.
   *
   * @param runTask - One run.
   * @param onError - Receives the error of a run, which does not end the program.
   */
  start(runTask: () => Promise<unknown>, onError: (error: unknown) => void): void {
    this.#run = () => {
      this.#running = this.#running.then(runTask).catch(onError)
    }
    this.#timer = setInterval(this.#run, this.#every)
    this.#timer.unref()
    this.#run()
  }

  /**
   * Runs the work once more, besides its repetition.
   *
   * @param pause - Milliseconds until the run; further calls within this time change nothing.
   */
  soon(pause: number): void {
    this.#extra ??= setTimeout(() => {
      this.#extra = undefined
      this.#run()
    }, pause)
    this.#extra.unref()
  }

  /** Ends the repetition and waits for the present run. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#extra)
    await this.#running
  }
}

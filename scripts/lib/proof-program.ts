/** Program that runs several proofs one after another, so that they share what it has loaded and opened. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { addInstalledPrograms, repositoryRoot } from './processes.ts'
import { quickEnvironment } from './quick-start.ts'
import { failedTally, type CountTally, type Lane } from './step.ts'

/** Character that ends the output of a proof; its tally follows as a line of JSON. */
const endMark = '\u001E'
const endPattern = new RegExp(`${endMark}(.*)\\n`)

/** Lane of the proofs that one program runs. */
export class ProofProgram implements Lane {
  readonly #args: readonly string[]
  #child: ChildProcess | undefined

  /** @param args - Arguments of Node that start a program which answers names with `answerNames`. */
  constructor(args: readonly string[]) {
    this.#args = args
  }

  /**
   * Runs a proof in the program, which is started when needed.
   *
   * @param name - Name of the proof.
   * @returns Its tally with its output. After a failure the next proof gets a new program.
   */
  async run(name: string): Promise<CountTally> {
    this.#child ??= this.#start()
    const tally = await readProof(this.#child, name)
    if (tally.failed > 0) await this.close()
    return tally
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, this.#args, {
      cwd: repositoryRoot,
      env: addInstalledPrograms({ ...process.env, ...quickEnvironment }),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // A program that ends before it reads a name is reported by its end.
    child.stdin.on('error', () => {})
    return child
  }

  /** Ends the program after its proof, and waits for its end. */
  async close(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const childExit = new Promise((resolve) => child.once('exit', resolve))
    child.stdin?.end()
    await childExit
  }
}

/** Sends the name of a proof to a program and reads its output until its tally, or until the program ends. */
function readProof(child: ChildProcess, name: string): Promise<CountTally> {
  return new Promise((resolve) => {
    let output = ''
    const end = (tally: CountTally) => {
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', readOutput)
      child.off('close', endWithoutTally)
      resolve({ ...tally, output })
    }
    const readOutput = (chunk: Buffer) => {
      output += chunk.toString()
      const endMatch = endPattern.exec(output)
      if (!endMatch) return
      output = output.replace(endPattern, '')
      end(JSON.parse(endMatch[1] ?? '') as CountTally)
    }
    const endWithoutTally = () => end(failedTally)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', readOutput)
    child.on('close', endWithoutTally)
    child.stdin?.write(`${name}\n`)
  })
}

/**
 * Runs the proofs whose names arrive on the standard input, one after another, until it ends.
 *
 * @param prove - Runs the proof of a name. Its output goes to the standard output.
 */
export async function answerNames(prove: (name: string) => Promise<CountTally>): Promise<void> {
  for await (const name of createInterface({ input: process.stdin })) {
    let tally = failedTally
    try {
      tally = await prove(name)
    } catch (error) {
      console.log(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    process.stdout.write(`${endMark}${JSON.stringify(tally)}\n`)
  }
}

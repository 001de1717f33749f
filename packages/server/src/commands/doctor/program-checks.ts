/** Checks of the installed program: its Node and its panel. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { builtPanel } from '../../features/panel/panel.ts'
import { type Check, failure, type Finding, ok, warning } from './finding.ts'

const packageFile = join(import.meta.dirname, '../../../../../package.json')

/** Returns the version of Node that the program is tested with; undefined without the file that pins it. */
function pinnedNode(): string | undefined {
  if (!existsSync(packageFile)) return undefined
  const schema = z.object({ dependencies: z.object({ node: z.string() }) })
  return schema.safeParse(JSON.parse(readFileSync(packageFile, 'utf8'))).data?.dependencies.node
}

/**
 * Compares the running Node with the pinned one.
 *
 * @param running - The running version.
 * @param pinned - The version that the program is tested with.
 * @returns The finding: another major version is a failure.
 */
export function nodeFinding(running: string, pinned: string | undefined): Finding {
  if (pinned === undefined)
    return warning(
      `Node ${running} runs, and the pinned version is unknown.`,
      'Install the program again, with its package.json.',
    )
  if (running === pinned) return ok(`Node ${running} is the pinned version.`)
  const message = `Node ${running} runs, and the program is tested with ${pinned}.`
  const advice = 'Start it with npm, which uses the pinned Node, or install that version.'
  return running.split('.')[0] === pinned.split('.')[0] ? warning(message, advice) : failure(message, advice)
}

export const programChecks: readonly Check[] = [
  { name: 'node', run: () => nodeFinding(process.versions.node, pinnedNode()) },
  {
    name: 'panel',
    run: () =>
      existsSync(join(builtPanel, 'index.html'))
        ? ok('The panel is built.')
        : failure('The panel is not built.', 'Run npm start once, which builds it.'),
  },
]

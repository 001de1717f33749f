/** Checks of the installed program: its Node and its panel. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { builtPanel } from '../../features/panel/panel.ts'
import { type Check, failure, type Finding, ok, warning } from './finding.ts'

/** The package of the pinned Node, which a release contains too. */
const nodePackageFile = join(import.meta.dirname, '../../../../../node_modules/node/package.json')

/** Returns the version of Node that the program is tested with; undefined where it is not installed. */
function pinnedNode(): string | undefined {
  if (!existsSync(nodePackageFile)) return undefined
  return z.object({ version: z.string() }).safeParse(JSON.parse(readFileSync(nodePackageFile, 'utf8'))).data?.version
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
      'Install the program again, with its own Node.',
    )
  if (running === pinned) return ok(`Node ${running} is the pinned version.`)
  const message = `Node ${running} runs, and the program is tested with ${pinned}.`
  const advice = 'Start it with bin/dala, or with npm start in a repository: both use the pinned Node.'
  return running.split('.')[0] === pinned.split('.')[0] ? warning(message, advice) : failure(message, advice)
}

export const programChecks: readonly Check[] = [
  { name: 'node', run: () => nodeFinding(process.versions.node, pinnedNode()) },
  {
    name: 'panel',
    run: () =>
      existsSync(join(builtPanel, 'index.html'))
        ? ok('The panel is built.')
        : failure('The panel is not built.', 'Install the release again; in a repository, npm start builds it.'),
  },
]

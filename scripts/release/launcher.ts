/** The program `bin/dala` of a release. */
import type { StartFlags } from '../lib/start-flags.ts'
import { commandEntry } from './released-files.ts'

/** The pinned Node in a release, as npm installs it. */
export const bundledNode = 'node_modules/node/bin/node'

/**
 * Writes the launcher, a POSIX shell script: it runs a command of Dala on the bundled Node with the flags of
 * `npm start`, from any folder and through symbolic links.
 */
export function launcherText({ flags, modules }: StartFlags): string {
  const words = [
    `"$root/${bundledNode}"`,
    ...flags,
    ...modules.map((file) => `--import "$root/${file}"`),
    `"$root/${commandEntry}" "$@"`,
  ]
  return `#!/bin/sh
# Runs a command of Dala on the Node of this folder: dala start, dala backup, dala help.
set -eu
program=$(readlink -f -- "$0")
root=\${program%/bin/dala}
# Production refuses accounts with a shared password; NODE_ENV=development permits the demo content.
export NODE_ENV="\${NODE_ENV:-production}"
exec ${words.join(' \\\n  ')}
`
}

/**
 * Checks the chain of the audit: `npm run audit-verify [-- --head <hash>]`; ends with 1 when a line does not
 * fit.
 */
import { parseArgs } from 'node:util'
import { isMigrated, lastMigration } from '../db/migrate.ts'
import { StartError } from '../db/open-data.ts'
import { checkChain } from '../features/operations/audit-check.ts'
import { runCommand, printLine, runWithData } from './run-command.ts'

/**
 * Returns the hash of the audit chain that was noted elsewhere. Throws a StartError for unknown
 * arguments.
 */
function readHead(): string | undefined {
  try {
    const { head } = parseArgs({ options: { head: { type: 'string' } } }).values
    if (head === undefined || /^[0-9a-f]{64}$/.test(head)) return head
  } catch {
    // Unknown arguments cause the same error as a missing hash.
  }
  throw new StartError('Ask like this: npm run audit-verify -- --head <hash of 64 signs 0-9 and a-f>.')
}

await runCommand((settings) =>
  runWithData(settings, async ({ database }) => {
    const notedHead = readHead()
    if (!(await isMigrated(database, lastMigration())))
      throw new StartError('The database is of another version: run npm run migrate first.')
    const { checked, waiting, anchor, head, faultSentence: chainFault, hasHead } = await checkChain(database, notedHead)
    printLine(`Lines checked: ${checked}; not sealed yet: ${waiting}`)
    printLine(checked > 0 ? `Seals: ${anchor.seal + 1} to ${head.seal}` : 'Seals: none')
    printLine(`Head: ${head.hash}`)
    if (chainFault !== undefined) throw new StartError(`The chain is broken. ${chainFault}`)
    if (hasHead === false)
      throw new StartError('The chain does not hold the given head: its end was cut off, or the line had its time.')
    printLine('The chain holds.')
  }),
)

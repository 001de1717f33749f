/** Checks the chain of the audit: `dala verify audit [--head <hash>]`. */
import { StartError } from '../db/open-data.ts'
import { checkChain } from '../features/operations/audit-check.ts'
import { readSettings } from '../settings.ts'
import { type CommandInput, type CommandResult, UsageError } from './command-line.ts'
import { runWithPresentData } from './with-data.ts'

/** Returns the hash of the audit chain that was noted elsewhere. Throws a UsageError for another text. */
function readHead(head: string | true | undefined): string | undefined {
  if (head === undefined) return undefined
  if (typeof head === 'string' && /^[0-9a-f]{64}$/.test(head)) return head
  throw new UsageError('The --head must be a hash of 64 hexadecimal digits.')
}

/**
 * Checks the chain of the audit.
 *
 * @param input - The arguments and the surroundings of the command.
 * @returns The number of checked lines, and the head to note elsewhere.
 * @throws StartError when a line does not fit, or the noted hash is not in the chain.
 */
export function verifyAudit({ environment, options, printLine }: CommandInput): Promise<CommandResult> {
  const notedHead = readHead(options.head)
  return runWithPresentData(readSettings(environment), async ({ database }) => {
    const { checked, waiting, anchor, head, faultSentence: chainFault, hasHead } = await checkChain(database, notedHead)
    printLine(`Lines checked: ${checked}; not sealed yet: ${waiting}`)
    printLine(checked > 0 ? `Seals: ${anchor.seal + 1} to ${head.seal}` : 'Seals: none')
    printLine(`Head: ${head.hash}`)
    if (chainFault !== undefined) throw new StartError(`The chain is broken. ${chainFault}`)
    if (hasHead === false)
      throw new StartError(
        'The chain lacks the given head: its end was removed, or the line was deleted after its storage time.',
      )
    printLine('The chain holds.')
    const seals = checked > 0 ? { first: anchor.seal + 1, last: head.seal } : null
    return { document: { checked, waiting, seals, head: head.hash } }
  })
}

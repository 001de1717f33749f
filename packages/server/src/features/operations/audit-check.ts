/** Walks the audit chain and reports the first line that does not fit (decision 21). */
import { sql } from '../../db/sql.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { readChainStart, digestSql, nextLink, type ChainLink } from './audit-chain.ts'

const batch = 2_000

export interface ChainReport {
  /** Number of sealed audit lines that fit the chain. */
  checked: number
  /** Number of audit lines that are not sealed yet. */
  waiting: number
  /** Start of the audit chain: the last line that was deleted after its retention time. */
  anchor: ChainLink
  /** Last place of the audit chain that fits. */
  head: ChainLink
  /** Sentence about the first audit line that does not fit the chain. */
  faultSentence?: string
  /** Whether the audit chain contains the hash that was noted elsewhere. */
  hasHead?: boolean
}

interface SealedLine extends ChainLink {
  id: number
  digest: string
}

/**
 * Checks all audit lines in one snapshot, in bounded memory.
 *
 * @param database - The database.
 * @param expectedHash - A hash that the chain must contain.
 * @returns The report of the check.
 */
export function checkChain(database: Database, expectedHash?: string): Promise<ChainReport> {
  return database.transaction(async (trx) => {
    await trx.query(sql`set transaction isolation level repeatable read, read only`)
    const anchor = await readChainStart(trx)
    const report = await walkChain(trx, anchor, expectedHash)
    const [row] = await trx.query(sql<{ waiting: number; half: number | null }>`
      select count(*)::int as waiting, min(id) filter (where hash is not null) as half from audit where seal is null`)
    const halfSeal = row?.half ?? null
    return {
      ...report,
      waiting: row?.waiting ?? 0,
      ...(halfSeal !== null &&
        report.faultSentence === undefined && {
          faultSentence: `Line ${halfSeal} has a hash and no place in the chain.`,
        }),
    }
  })
}

async function walkChain(
  trx: Transaction,
  anchor: ChainLink,
  notedHash: string | undefined,
): Promise<Omit<ChainReport, 'waiting'>> {
  let head = anchor
  let checkedCount = 0
  let hasHead = notedHash === anchor.hash
  let lastSeal = -1
  const reportOf = (faultText?: string) => ({
    checked: checkedCount,
    anchor,
    head,
    ...(faultText !== undefined && { faultSentence: faultText }),
    ...(notedHash !== undefined && { hasHead }),
  })
  for (;;) {
    const lines = await trx.query(sql<SealedLine>`
      select a.id, a.seal, a.hash, ${digestSql} as digest from audit a
       where a.seal > ${lastSeal}::int order by a.seal limit ${batch}::int`)
    for (const line of lines) {
      const chainFault = describeChainFault(line, head)
      if (chainFault !== undefined) return reportOf(chainFault)
      head = { seal: line.seal, hash: line.hash }
      checkedCount += 1
      hasHead ||= notedHash === line.hash
    }
    const lastLine = lines.at(-1)
    if (!lastLine || lines.length < batch) return reportOf()
    lastSeal = lastLine.seal
  }
}

/** Describes what is wrong with a line after the valid part of the chain; undefined when nothing is. */
function describeChainFault({ id, seal, hash, digest }: SealedLine, head: ChainLink): string | undefined {
  const expectedSeal = head.seal + 1
  if (seal < expectedSeal) return `Line ${id} has the seal ${seal}, before the chain begins at ${expectedSeal}.`
  if (seal > expectedSeal)
    return `The line with the seal ${expectedSeal} is missing: the next one is line ${id} with the seal ${seal}.`
  if (hash !== nextLink(head, digest).hash)
    return `Line ${id} (seal ${seal}) is not what was sealed: it or its revisions were altered, or it stands in another line's place.`
  return undefined
}

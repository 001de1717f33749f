/** A standby of a PostgreSQL cluster that confirms each commit, for tests of a fail-over. */
import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, findBinaries, launchPostgres, unprivilegedUser } from './postgres-cluster.ts'

export interface Standby extends Cluster {
  /** Makes it the primary server, which accepts writes when this ends. */
  promote(): Promise<void>
}

async function runStatement(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

/**
 * Copies a running cluster and follows it. The cluster acknowledges a commit from then on when the copy has
 * written it too.
 *
 * @param primaryUrl - Address of the cluster.
 * @returns The standby, which is up to date.
 * @throws When PostgreSQL is not installed, or the copy fails.
 */
export async function startStandby(primaryUrl: string): Promise<Standby> {
  const binaries = findBinaries(['postgres', 'pg_basebackup'])
  if (binaries === undefined) throw new Error('PostgreSQL 15 or newer is not installed.')
  const identity = unprivilegedUser()
  const home = mkdtempSync(join(tmpdir(), 'dala-standby-'))
  if (identity.uid !== undefined) chownSync(home, identity.uid, identity.gid)
  const folder = join(home, 'data')
  try {
    execFileSync(
      join(binaries, 'pg_basebackup'),
      ['-d', primaryUrl, '-D', folder, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
      { ...identity, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
    )
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
  const standby = await launchPostgres(binaries, home, folder, [])
  await runStatement(primaryUrl, `alter system set synchronous_standby_names = '*'`)
  await runStatement(primaryUrl, 'select pg_reload_conf()')
  while ((await runStatement(primaryUrl, 'select sync_state from pg_stat_replication')) !== 'sync') await wait(50)
  return {
    url: standby.url,
    stop: () => standby.stop(),
    promote: async () => {
      if ((await runStatement(standby.url, 'select pg_promote(wait => true)')) !== true)
        throw new Error('The standby was not promoted.')
    },
  }
}

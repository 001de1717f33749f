/** Which backups are deleted: pure rules over the list of them. */
import type { BackupKind } from '@dala/model/api/backups'
import type { KeptBackups } from '../../settings.ts'

/** Numbers of backups by hand, and of those before a migration, that are kept. */
const keptByHand = 10
const keptBeforeMigrations = 3

/** A complete backup as the rules see it. */
export interface RetainedBackup {
  id: number
  kind: BackupKind
  takenAt: Date
  isProved: boolean
}

/**
 * Finds the backups that are no longer kept: of each occasion, all but the newest ones. The newest backup and
 * the newest proved one are always kept.
 *
 * @param backups - The complete backups.
 * @param keep - The numbers of backups that are kept.
 * @returns Their ids.
 */
export function findExpired(backups: readonly RetainedBackup[], keep: KeptBackups): number[] {
  const newestFirst = backups.toSorted((a, b) => b.takenAt.getTime() - a.takenAt.getTime() || b.id - a.id)
  const places = { ...keep, manual: keptByHand, migration: keptBeforeMigrations }
  const needed = new Set([newestFirst[0]?.id, newestFirst.find(({ isProved }) => isProved)?.id])
  return newestFirst
    .filter(({ id, kind }) => {
      places[kind] -= 1
      return places[kind] < 0 && !needed.has(id)
    })
    .map(({ id }) => id)
}

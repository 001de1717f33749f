/** Routes of backups, for owners only. */
import { type Caller, fault } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ownerOf } from '../../domain/accounts/owner-of.ts'
import type { FeatureContext } from '../../domain/feature.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { idOf } from '../../resources/routes.ts'
import { findBackup, listBackups, presentBackup, scheduleTimes } from './backup-rows.ts'
import type { AuditAction, BackupRunner } from './backup-runner.ts'

/** Registers the routes of backups. */
export function registerBackups(
  app: FastifyInstance,
  { database, settings, callerOf }: FeatureContext,
  runner: BackupRunner,
): void {
  const { at, keep } = settings.backups

  const auditOf =
    (action: 'backup.take' | 'backup.prove', { id: user }: Caller, request: FastifyRequest): AuditAction =>
    (trx, entry) =>
      writeAudit(trx, { action, user, resource: 'backups', entry, address: request.ip, requestId: request.id })
  const presentById = async (id: number) => {
    const backup = await findBackup(database, id)
    if (!backup) throw fault('record.not-found')
    return { data: presentBackup(backup), meta: {} }
  }

  addRoutes(app, async () => (await import('@dala/model/api/backups')).backupRoutes, {
    'GET /api/system/backups': async ({ request }) => {
      await ownerOf(request, callerOf)
      const backups = await listBackups(database)
      const nextAt = at === undefined ? null : (await scheduleTimes(database, at, new Date())).next
      const proved = backups.find(({ state, proof }) => state === 'complete' && proof === 'proved')
      return {
        data: backups.map(presentBackup),
        meta: {
          next_at: nextAt,
          // Every scheduled backup is proved as soon as it is complete.
          next_proof_at: nextAt,
          last_proved: proved
            ? {
                id: proved.id,
                taken_at: proved.taken_at,
                at: proved.proved_at ?? proved.taken_at,
                rows: proved.proved_rows ?? 0,
              }
            : null,
          kept: keep,
          places: runner.places.map(({ name }) => name),
        },
      }
    },
    'POST /api/system/backups': async ({ request }) => {
      const caller = await ownerOf(request, callerOf)
      return presentById(await runner.takeNow(auditOf('backup.take', caller, request)))
    },
    'POST /api/system/backups/:id/proof': async ({ request }) => {
      const caller = await ownerOf(request, callerOf)
      return presentById(await runner.proveNow(idOf(request), auditOf('backup.prove', caller, request)))
    },
  })
}

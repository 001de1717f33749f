/** Feature of operations: health, the audit, limits on writes, deletion of expired rows, statistics of tables. */
import { lastMigration } from '../../db/migrate.ts'
import type { Feature } from '../../domain/feature.ts'
import { registerAudit } from './audit-routes.ts'
import { registerBoundedWrites } from './bounded-writes.ts'
import { registerDenials } from './denials.ts'
import { registerHealth } from './health.ts'
import { HousekeepingJob } from './housekeeping.ts'
import { AuditSealer } from './sealer.ts'
import { TableStatistics } from './table-statistics.ts'

export const operations: Feature = {
  name: 'operations',
  hooks(app, { database, signedIn, settings }) {
    registerDenials(app, { database, signedIn })
    registerBoundedWrites(app, {
      database,
      signedIn,
      budgets: settings.writes,
      disk: { folder: settings.dataDir, reserveBytes: settings.uploads.reserveBytes },
    })
  },
  registerRoutes(app, context) {
    const { database, settings, isDraining } = context
    registerHealth(app, { database, lastMigration: lastMigration(), dataDir: settings.dataDir, isDraining })
    registerAudit(app, context)
  },
  jobs({ database, settings, logFailure }) {
    const housekeeping = new HousekeepingJob(database, settings.auditDays)
    housekeeping.start(logFailure('clearing failed'))
    const sealer = new AuditSealer(database)
    sealer.start(logFailure('sealing the audit failed'))
    const tableStatistics = new TableStatistics(database)
    tableStatistics.start(logFailure('analysing tables failed'))
    return [housekeeping, sealer, tableStatistics]
  },
  describeRoutes: async () => {
    const [{ auditRoutes, healthRoutes }, { describeContracts }] = await Promise.all([
      import('@dala/model/api/operations'),
      import('../../http/describe-contracts.ts'),
    ])
    return describeContracts({ ...auditRoutes, ...healthRoutes })
  },
}

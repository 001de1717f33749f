/** Feature of consultations: questions that consultants answer, with their transitions and writes. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { OverdueSweep } from './overdue-sweep.ts'
import { registerConsultations } from './routes.ts'
import { consultationWriters, emitChanges } from './writers.ts'

export const consultations: Feature = {
  name: 'consultations',
  writers: () => ({ consultations: consultationWriters }),
  registerRoutes(app, context) {
    const stopChanges = emitChanges(context.database, context.sockets, context.log)
    app.addHook('preClose', async () => {
      stopChanges()
    })
    registerConsultations(app, context)
  },
  jobs({ database, logFailure }) {
    const overdueSweep = new OverdueSweep(database)
    overdueSweep.start(logFailure('notices of overdue questions failed'))
    return [overdueSweep]
  },
  describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/consultations')).consultationRoutes),
}

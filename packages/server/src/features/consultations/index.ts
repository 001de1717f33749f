/** Feature of consultations: questions that consultants answer, with their transitions and writes. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { OverdueSweep } from './overdue-sweep.ts'
import { registerConsultations } from './routes.ts'
import { consultationWriters, emitChanges } from './writers.ts'

export const consultations: Feature = {
  name: 'consultations',
  writers: () => ({ consultations: consultationWriters }),
  register(app, context) {
    const stop = emitChanges(context.database, context.sockets, context.log)
    app.addHook('preClose', async () => {
      stop()
    })
    registerConsultations(app, context)
  },
  jobs({ database, logged }) {
    const sweep = new OverdueSweep(database)
    sweep.start(logged('notices of overdue questions failed'))
    return [sweep]
  },
  describe: loadDescriptions(async () => (await import('@dala/model/api/consultations')).consultationRoutes),
}

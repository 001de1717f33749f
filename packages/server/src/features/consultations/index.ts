/** Consultations: questions that consultants answer, their steps and their writes. */
import type { Feature } from '../../domain/feature.ts'
import { registerConsultations } from './routes.ts'
import { consultationWriters, tellOver } from './writers.ts'

export const consultations: Feature = {
  name: 'consultations',
  writers: () => ({ consultations: consultationWriters }),
  register(app, context) {
    const stop = tellOver(context.database, context.sockets, context.log)
    app.addHook('preClose', async () => {
      stop()
    })
    registerConsultations(app, context)
  },
  describe: async () => (await import('./descriptions.ts')).consultationDescriptions,
}

/** Feature of the translation memory: suggestions from earlier translations, and files for offices of translators. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { ChangedTexts } from './changed-texts.ts'
import { registerMemory } from './routes.ts'

export const memory: Feature = {
  name: 'memory',
  registerRoutes: registerMemory,
  jobs({ database, logFailure }) {
    const changedTexts = new ChangedTexts(database)
    changedTexts.start(logFailure('reading changed texts into the translation memory failed'))
    return [changedTexts]
  },
  describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/memory')).memoryRoutes),
}

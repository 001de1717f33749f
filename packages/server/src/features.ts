/** The features of the application, and what they pass to each other: they never import one another. */
import type { Feature } from './domain/feature.ts'
import { auth } from './features/auth/index.ts'
import { backupsFeature } from './features/backups/index.ts'
import { bulkFeature } from './features/bulk/index.ts'
import { chat } from './features/chat/index.ts'
import { consultations } from './features/consultations/index.ts'
import { Exporter, exportFiles } from './features/exports/index.ts'
import { guide } from './features/guide/index.ts'
import { history, readTranslations } from './features/history/index.ts'
import { home } from './features/home/index.ts'
import { imports } from './features/imports/index.ts'
import { inbox } from './features/inbox/index.ts'
import { learning } from './features/learning/index.ts'
import { liveFeature } from './features/live/index.ts'
import { mailFeature } from './features/mail/index.ts'
import { memory } from './features/memory/index.ts'
import { openApi } from './features/openapi/index.ts'
import { operations } from './features/operations/index.ts'
import { organisation } from './features/organisation/index.ts'
import { people } from './features/people/index.ts'
import { prices, readReview, readToday } from './features/prices/index.ts'
import { push } from './features/push/index.ts'
import { reportFiles, scheduledLetters } from './features/report-files/index.ts'
import { routingFeature } from './features/routing/index.ts'
import { search } from './features/search/index.ts'
import { computeReport, findNames, findSavedReport, statistics } from './features/statistics/index.ts'
import { system } from './features/system/index.ts'
import { trade } from './features/trade/index.ts'
import { uploads } from './features/uploads/index.ts'
import { openStorage } from './features/uploads/storage/open-storage.ts'
import { views } from './features/views/index.ts'

/**
 * Makes the features of one application. Their order is that of adding hooks and of stopping periodic work.
 */
export function createFeatures(): readonly Feature[] {
  const exporter = new Exporter()
  const reportReaders = { computeReport, findNames, findSavedReport }
  const features: readonly Feature[] = [
    mailFeature(({ database, settings }) => scheduledLetters(database, reportReaders, settings.publicUrl)),
    operations,
    liveFeature,
    backupsFeature(openStorage),
    auth,
    people,
    chat,
    consultations,
    exportFiles(exporter),
    learning((...order) => exporter.sendTable(...order), openStorage),
    prices((...order) => exporter.send(...order)),
    routingFeature,
    search,
    statistics((...order) => exporter.sendTable(...order)),
    reportFiles(reportReaders),
    system,
    organisation,
    trade,
    history(async () => (await import('./features/openapi/write-parts.ts')).refusalsOfWrites),
    bulkFeature,
    memory,
    imports,
    inbox,
    push,
    home({ prices: { readToday, readReview }, readTranslations, computeReport }),
    uploads(),
    views,
    guide,
    openApi(async () => (await import('./api-document.ts')).apiDocument(features)),
  ]
  return features
}

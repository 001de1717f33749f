/** The document of the API, put together from the descriptions of the features; loaded when it is first asked for. */
import { resources } from '@dala/model'
import manifest from '../package.json' with { type: 'json' }
import { authDescriptions } from './features/auth/descriptions.ts'
import { bulkDescriptions } from './features/bulk/descriptions.ts'
import { chatDescriptions } from './features/chat/descriptions.ts'
import { consultationDescriptions } from './features/consultations/descriptions.ts'
import { deskDescriptions } from './features/chat/desk/descriptions.ts'
import { describeHistory } from './features/history/descriptions.ts'
import { exportDescriptions } from './features/exports/descriptions.ts'
import { homeDescriptions } from './features/home/descriptions.ts'
import { inboxDescriptions } from './features/inbox/descriptions.ts'
import { importDescriptions } from './features/imports/descriptions.ts'
import { learningDescriptions } from './features/learning/descriptions.ts'
import { documentDescriptions } from './features/openapi/descriptions.ts'
import { buildDocument, type OpenApiDocument } from './features/openapi/document.ts'
import { describeResources } from './features/openapi/resource-descriptions.ts'
import { refusalsOfWrites } from './features/openapi/write-parts.ts'
import { auditDescriptions, healthDescriptions } from './features/operations/descriptions.ts'
import { peopleDescriptions } from './features/people/descriptions.ts'
import { priceOutlookDescriptions } from './features/prices/outlook/descriptions.ts'
import { priceDescriptions } from './features/prices/descriptions.ts'
import { searchDescriptions } from './features/search/descriptions.ts'
import { statisticsDescriptions } from './features/statistics/descriptions.ts'
import { tradeDescriptions } from './features/trade/descriptions.ts'
import { uploadDescriptions } from './features/uploads/descriptions.ts'
import { libraryDescriptions } from './features/uploads/library-descriptions.ts'
import type { Descriptions } from './http/description.ts'

/** What every route below /api, /health and /ready says of itself; a test compares it with the routes that exist. */
export const descriptions: Descriptions = {
  ...authDescriptions,
  ...describeResources(resources),
  ...auditDescriptions,
  ...healthDescriptions,
  ...peopleDescriptions,
  ...uploadDescriptions,
  ...libraryDescriptions,
  ...bulkDescriptions,
  ...chatDescriptions,
  ...consultationDescriptions,
  ...describeHistory(resources, refusalsOfWrites),
  ...deskDescriptions,
  ...exportDescriptions,
  ...importDescriptions,
  ...homeDescriptions,
  ...inboxDescriptions,
  ...learningDescriptions,
  ...priceDescriptions,
  ...priceOutlookDescriptions,
  ...searchDescriptions,
  ...statisticsDescriptions,
  ...tradeDescriptions,
  ...documentDescriptions,
}

/** Builds the document of this version of the program from all descriptions. */
export const apiDocument = (): OpenApiDocument => buildDocument(descriptions, resources, manifest.version)

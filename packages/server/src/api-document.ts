/** The OpenAPI document, built from the descriptions of the features; loaded at its first request. */
import { resources } from '@dala/model'
import manifest from '../package.json' with { type: 'json' }
import type { Feature } from './domain/feature.ts'
import { buildDocument, type OpenApiDocument } from './features/openapi/document.ts'
import { describeResources } from './features/openapi/resource-descriptions.ts'
import type { Descriptions } from './http/description.ts'

/**
 * Describes every route below /api, /health and /ready; a test compares the descriptions with the registered
 * routes. If two features have the same route, the first one registers and describes it.
 */
export async function describeRoutes(features: readonly Feature[]): Promise<Descriptions> {
  const routeDescriptions = await Promise.all(features.flatMap((feature) => feature.describeRoutes?.() ?? []))
  return routeDescriptions
    .toReversed()
    .reduce(
      (mergedDescriptions, routeDescription) => ({ ...mergedDescriptions, ...routeDescription }),
      describeResources(resources),
    )
}

/** Builds the OpenAPI document of this version of the program. */
export const apiDocument = async (features: readonly Feature[]): Promise<OpenApiDocument> =>
  buildDocument(await describeRoutes(features), resources, manifest.version)

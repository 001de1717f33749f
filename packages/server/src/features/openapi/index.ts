/** Feature of the OpenAPI document, with a page to browse it. */
import type { Feature } from '../../domain/feature.ts'
import type { OpenApiDocument } from './document.ts'
import { registerOpenApi } from './routes.ts'

/**
 * Makes the feature of the OpenAPI document.
 *
 * @param buildDocument - Builds the document from the descriptions of all features.
 */
export function openApi(buildDocument: () => Promise<OpenApiDocument>): Feature {
  return {
    name: 'openapi',
    registerRoutes: (app, { settings, callerOf }) =>
      registerOpenApi(app, { buildDocument, readers: settings.apiDocs, callerOf }),
    describeRoutes: async () => {
      const [{ openApiRoutes }, { describeContracts }] = await Promise.all([
        import('@dala/model/api/openapi'),
        import('../../http/describe-contracts.ts'),
      ])
      return describeContracts(openApiRoutes)
    },
  }
}

/** Contracts of the OpenAPI document and of the page that shows it. */
import type { Contracts } from './contract.ts'

const group = 'Operations'

export const openApiRoutes = {
  'GET /api/openapi.json': {
    group,
    summary: 'Get this document',
    details:
      'The setting API_DOCS defines who can read it: by default, every signed-in user in production, and everybody elsewhere.',
    answers: { 200: { media: { 'application/json': { type: 'object' } } }, 304: null },
    refusals: ['access.denied'],
  },
  'GET /api/docs': {
    group,
    summary: 'Get the page that shows this document',
    open: true,
    answers: { 200: { media: { 'text/html': { type: 'string' } } } },
  },
  'GET /api/docs/:file': {
    group,
    summary: 'Get a script or style sheet of the documentation page',
    open: true,
    answers: {
      200: { media: { 'text/javascript': { type: 'string' }, 'text/css': { type: 'string' } } },
      304: null,
    },
    refusals: ['route.not-found'],
  },
} as const satisfies Contracts

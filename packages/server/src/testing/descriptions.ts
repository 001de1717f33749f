/** The descriptions of all routes, for tests that iterate over them. */
import { describeRoutes } from '../api-document.ts'
import { createFeatures } from '../features.ts'

export const descriptions = await describeRoutes(createFeatures())

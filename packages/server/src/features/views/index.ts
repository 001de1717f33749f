/** Feature of stored views of lists. */
import type { Feature } from '../../domain/feature.ts'
import { viewWriters } from './writers.ts'

export const views: Feature = { name: 'views', writers: () => ({ listviews: viewWriters }) }

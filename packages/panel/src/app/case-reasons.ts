/** Parts of the pages of cases that other features fill. */
import { lazyFeature } from '../ui/lazy-part.ts'

export const caseParts = {
  Reasons: lazyFeature(async () => (await import('../features/routing/why-here.tsx')).RoutingExplanation),
}

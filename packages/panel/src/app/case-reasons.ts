/** What the page of a case shows about how it was routed. */
import { lazyFeature } from '../ui/lazy-part.ts'

export const caseParts = {
  Reasons: lazyFeature(async () => (await import('../features/routing/why-here.tsx')).WhyHere),
}

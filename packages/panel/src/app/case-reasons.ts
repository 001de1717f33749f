/** What the page of a case shows about how it was routed. */
import { lazyFeature } from '../ui/lazy-part.ts'

export const CaseReasons = lazyFeature(async () => (await import('../features/routing/why-here.tsx')).WhyHere)

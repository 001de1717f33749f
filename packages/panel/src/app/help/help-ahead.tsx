/**
 * Loads the help in the background, so that it opens without a connection, and shows the offer of the tour.
 */
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { meQuery } from '../../api/session.ts'
import { useWrittenLocale } from '../../lib/i18n.ts'
import { useTourOffer } from '../../lib/tour-mark.ts'
import { lazyFeature, preload } from '../../ui/lazy-part.ts'
import { useHelpState } from './help-state.ts'
import { preloadHelpTexts } from './help-texts.ts'

const TourOffer = lazyFeature(async () => (await import('../tour/tour-offer.tsx')).TourOffer)

export function HelpPreload() {
  const locale = useWrittenLocale()
  const { data: me } = useQuery(meQuery)
  const { open, tour } = useHelpState()
  const isOffered = useTourOffer(me?.id)
  useEffect(() => {
    preload(() => import('./help-panel.tsx'))
    preloadHelpTexts(locale)
  }, [locale])
  if (!me || !isOffered || open || tour) return null
  return (
    <Suspense fallback={null}>
      <TourOffer id={me.id} />
    </Suspense>
  )
}

/** Help and tour, loaded when the page is quiet: their keys, and whichever of them is open. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent } from 'react'
import { meQuery } from '../../api/session.ts'
import { useLocale } from '../../lib/i18n.ts'
import { isPressed, shortcuts } from '../../lib/shortcuts.ts'
import { useTourOffer } from '../../lib/tour-mark.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { lazyFeature, preload } from '../../ui/lazy-part.ts'
import type { Section } from '../shell/sections.ts'
import { closeHelp, endTour, openHelp, useHelpState } from './help-state.ts'
import { helpTexts } from './help-texts.ts'

const loadPanel = async () => (await import('./help-panel.tsx')).HelpPanel
const HelpPanel = lazyFeature(loadPanel)
const Tour = lazyFeature(async () => (await import('../tour/tour.tsx')).Tour)
const TourOffer = lazyFeature(async () => (await import('../tour/tour-offer.tsx')).TourOffer)

export function HelpHost({ sections }: { sections: readonly Section[] }) {
  const locale = useLocale()
  const { data: me } = useQuery(meQuery)
  const { open, tour } = useHelpState()
  const isOffered = useTourOffer(me?.id)
  useEffect(() => {
    preload(loadPanel)
    preload(() => helpTexts(locale))
  }, [locale])
  useEffect(
    () => () => {
      // Whoever signs in next begins with neither.
      closeHelp()
      endTour()
    },
    [],
  )
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !isPressed(event, shortcuts.everywhere.guide)) return
    // The browser would open its own help.
    event.preventDefault()
    openHelp()
  })
  useEffect(() => {
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
  return (
    <>
      {open ? (
        <Awaited onGiveUp={closeHelp}>
          <HelpPanel />
        </Awaited>
      ) : null}
      {tour && me ? (
        <Awaited onGiveUp={endTour}>
          <Tour me={me} sections={sections} />
        </Awaited>
      ) : isOffered && me && !open ? (
        <Suspense fallback={null}>
          <TourOffer id={me.id} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Mounts help and tour: listens for the help key, and loads the code of each on demand. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent } from 'react'
import { meQuery } from '../../api/session.ts'
import { isPressed, shortcuts } from '../../lib/keys/shortcuts.ts'
import { AwaitedPart } from '../../ui/awaited.tsx'
import { lazyOptionalPart, lazyFeature } from '../../ui/lazy-part.ts'
import type { Section } from '../shell/menu/sections.ts'
import { closeHelp, endTour, openHelp, useHelpState } from './help-state.ts'

const HelpPanel = lazyFeature(async () => (await import('./help-panel.tsx')).HelpPanel)
const HelpPreload = lazyOptionalPart(async () => (await import('./help-ahead.tsx')).HelpPreload)
const Tour = lazyFeature(async () => (await import('../tour/tour.tsx')).Tour)

export function HelpSlot({ sections }: { sections: readonly Section[] }) {
  const { data: me } = useQuery(meQuery)
  const { open, tour } = useHelpState()
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !isPressed(event, shortcuts.everywhere.guide)) return
    // The key F1 must not open the browser's own help.
    event.preventDefault()
    openHelp()
  })
  useEffect(() => {
    window.addEventListener('keydown', handleKey)
    return () => {
      window.removeEventListener('keydown', handleKey)
      // Help and tour are closed at sign-out, so that the next user starts without them.
      closeHelp()
      endTour()
    }
  }, [])
  return (
    <>
      {open ? (
        <AwaitedPart onGiveUp={closeHelp}>
          <HelpPanel />
        </AwaitedPart>
      ) : null}
      {tour && me ? (
        <AwaitedPart onGiveUp={endTour}>
          <Tour me={me} sections={sections} />
        </AwaitedPart>
      ) : null}
      <Suspense fallback={null}>
        <HelpPreload />
      </Suspense>
    </>
  )
}

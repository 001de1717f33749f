/**
 * Passes the user's preferences to the libraries: the direction to the components, the language to the
 * catalogues.
 */
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { type ReactNode, useEffect } from 'react'
import { activateLanguage } from '../lib/i18n.ts'
import { usePreferences, writtenLanguage } from '../lib/preferences.ts'
import { storeShell } from './offline-shell.ts'

export function PreferredScreen({ children }: { children: ReactNode }) {
  const preferences = usePreferences()
  const written = writtenLanguage(preferences)
  useEffect(() => {
    void activateLanguage(written)
    void storeShell(written, false)
  }, [written])
  return <DirectionProvider direction={preferences.direction}>{children}</DirectionProvider>
}

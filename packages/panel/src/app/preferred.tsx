/**
 * Passes the user's preferences to the libraries: the direction to the components, the language to the
 * catalogues.
 */
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { type ReactNode, useEffect } from 'react'
import { activateLanguage } from '../lib/i18n.ts'
import { usePreferences } from '../lib/preferences.ts'
import { storeShell } from './offline-shell.ts'

export function PreferredScreen({ children }: { children: ReactNode }) {
  const { direction, language } = usePreferences()
  useEffect(() => {
    void activateLanguage(language)
    void storeShell(language, false)
  }, [language])
  return <DirectionProvider direction={direction}>{children}</DirectionProvider>
}

/** Applies the row height of a saved view to the page. */
import { useEffect } from 'react'
import { getPreferences } from '../../lib/preferences.ts'

/** Applies the row height of an open view to the whole page, as the user's own setting does. */
export function useDensity(density: string | undefined): void {
  useEffect(() => {
    if (density === undefined) return
    const { dataset } = document.documentElement
    dataset['density'] = density
    return () => {
      dataset['density'] = getPreferences().density
    }
  }, [density])
}

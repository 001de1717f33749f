/** The height of rows that a saved view asks for. */
import { useEffect } from 'react'
import { getPreferences } from '../../lib/preferences.ts'

/** The density of a view holds for the whole page, as the user's own does, while the view is open. */
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

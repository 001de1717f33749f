/** Loads the panel behind the sign-in pages: its routes, its first list, its messages and its styles. */
import { loadPanelMessages } from '../lib/i18n.ts'
import stylesAddress from '../styles.css?url'
import type { PanelRoutes } from './panel-routes.tsx'

let styles: Promise<void> | undefined

/** Loads the styles of the panel; retried after a failure, unlike the bundler's own loader. */
export function loadStyles(): Promise<void> {
  styles ??= new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = stylesAddress
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      styles = undefined
      link.remove()
      reject(new Error('The stylesheet could not be loaded'))
    })
    document.head.append(link)
  })
  return styles
}

/** Loads the routes of the panel and the code of its first list. */
export async function loadPanel(): Promise<PanelRoutes> {
  const [{ buildPanelRoutes }] = await Promise.all([import('./panel-routes.tsx'), loadPanelMessages(), loadStyles()])
  return buildPanelRoutes()
}

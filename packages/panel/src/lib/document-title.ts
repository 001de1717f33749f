/** The title of the browser tab. */
import { useEffect } from 'react'
import { useT } from './i18n.ts'

/** Names the tab after the page while the component is shown. */
export function useDocumentTitle(title: string): void {
  const t = useT()
  const product = t('app.shortTitle')
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product
  }, [title, product])
}

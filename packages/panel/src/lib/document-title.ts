/** The title of the browser tab, with the number of waiting items before it. */
import { useEffect } from 'react'
import { useT } from './i18n.ts'

let screenTitle = ''
let unreadCount = 0

function show(): void {
  document.title = unreadCount > 0 ? `(${unreadCount}) ${screenTitle}` : screenTitle
}

/** Shows a count before the title of the browser tab on every page; no count for 0. */
export function setTitleCount(count: number): void {
  unreadCount = count
  if (screenTitle) show()
}

/** Sets the title of the tab to that of the page while the component is shown. */
export function useDocumentTitle(title: string): void {
  const t = useT()
  const product = t('app.shortTitle')
  useEffect(() => {
    screenTitle = title ? `${title} · ${product}` : product
    show()
  }, [title, product])
}

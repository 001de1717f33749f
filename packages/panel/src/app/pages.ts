/** Pages below /app that show no single resource and stand in no section of the menu; other pages lead to them. */
import type { MessageId } from '@dala/model'
import type { ComponentType } from 'react'

export interface Page {
  path: string
  /** Its name in the breadcrumbs. */
  title: MessageId
  load: () => Promise<ComponentType>
}

export const pages: readonly Page[] = [
  {
    path: 'trash',
    title: 'page.trash',
    load: async () => (await import('../features/trash/trash-screen.tsx')).TrashScreen,
  },
]

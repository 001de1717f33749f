/** Lets its children open the history of the record or of one field; the dialog is loaded on first use. */
import type { Entry, Locale, Resource } from '@dala/model'
import { createContext, type ReactNode, useCallback, useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.ts'
import { AwaitedPart } from '../../ui/awaited.tsx'

const HistoryDialog = lazyPart(async () => (await import('./dialog.tsx')).HistoryDialog)

/** Opens the history of the record; undefined for a resource without a history. */
export const HistoryContext = createContext<((field?: string) => void) | undefined>(undefined)

interface WithHistoryProps {
  resource: Resource
  /** Record with a history; null for a new record. */
  record: Entry | null
  language: Locale
  children: ReactNode
}

export function WithHistory({ resource, record, language, children }: WithHistoryProps) {
  const [openHistory, setOpenHistory] = useState<{ field: string | undefined } | null>(null)
  const openDialog = useCallback((field?: string) => setOpenHistory({ field }), [])
  if (!record || resource.single || resource.appendOnly) return children
  return (
    <HistoryContext value={openDialog}>
      {children}
      {openHistory ? (
        <AwaitedPart onGiveUp={() => setOpenHistory(null)}>
          <HistoryDialog
            resource={resource}
            record={record}
            language={language}
            field={openHistory.field}
            onClose={() => setOpenHistory(null)}
          />
        </AwaitedPart>
      ) : null}
    </HistoryContext>
  )
}

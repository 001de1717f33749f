/** Collapsible section of the pane about a room: its data is loaded when it is opened. */
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { LoadedPart } from '../../../resource/part.tsx'
import { Collapsible } from '../../../ui/layout/collapsible.tsx'

interface RoomSectionProps<D, K extends readonly unknown[]> {
  title: string
  query: UseQueryOptions<D, Error, D, K>
  isEmpty: (data: D) => boolean
  children: (data: D) => ReactNode
}

export function RoomSection<D, K extends readonly unknown[]>({
  title,
  query,
  isEmpty,
  children,
}: RoomSectionProps<D, K>) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const answer = useQuery({ ...query, enabled: isOpen })
  return (
    <Collapsible title={title} isOpen={isOpen} onToggle={setOpen} className="border-t border-line">
      <LoadedPart query={answer} rows={2}>
        {(data) => (isEmpty(data) ? <p className="text-muted">{t('empty.noData')}</p> : children(data))}
      </LoadedPart>
    </Collapsible>
  )
}

/** The tools in the rows of a list: keys, cells, handles, running jobs, and prefetching. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { meQuery } from '../../../api/session.ts'
import { phoneQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { lazyOptionalPart } from '../../../ui/lazy-part.ts'
import type { RowToolsProps } from './row-tools-props.ts'
import { editAddress } from '../../screen-address.ts'
import { useMay } from '../../use-may.ts'
import { Cells } from '../cells/cells.tsx'
import { JobLines } from '../bulk/job-lines.tsx'
import { useListKeys } from './list-keys.ts'
import { useRestoredFocus } from './use-kept-focus.ts'
import { usePrefetch } from './use-prefetch.ts'

const RowHandles = lazyOptionalPart(async () => (await import('./row-handles.tsx')).RowHandles)

export function RowTools(props: RowToolsProps) {
  const { list, entries, total, selection, onMove, root } = props
  const { screen } = list
  const navigate = useNavigate()
  const may = useMay(screen.resource)
  const { data: me } = useQuery(meQuery)
  const isPhone = useMedia(phoneQuery)
  const isTable = list.display.mode === 'list' && !isPhone
  usePrefetch(root, list, total)
  useRestoredFocus(root, screen.path, entries, selection)
  const entryOf = (id: number) => entries.find((entry) => entry.id === id)
  useListKeys(root, {
    onToggle: (id) => {
      const entry = entryOf(id)
      if (entry) selection?.toggleEntry(entries, entry)
    },
    onEdit: (id) => {
      const entry = entryOf(id)
      if (entry && may('update', entry)) void navigate(editAddress(screen, id))
    },
    onClear: () => {
      if (!selection || selection.count() === 0) return false
      selection.clear()
      return true
    },
  })
  return (
    <>
      <JobLines wire={screen.resource.wire} />
      {isTable && me ? <Cells {...props} me={me} /> : null}
      {isTable && onMove && entries.length > 1 ? (
        <Suspense fallback={null}>
          <RowHandles {...props} />
        </Suspense>
      ) : null}
    </>
  )
}

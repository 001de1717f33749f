/**
 * Notice above the list about fields that an address or a view names but that no longer exist; it can be
 * closed.
 */
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { labelOf } from '../../fields/field-display.tsx'
import { formatList } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { FormNotice } from '../form/notices.tsx'
import { droppedFromSearch } from './dropped.ts'
import type { ResourceList } from './use-resource-list.ts'

export function ListNotices({ list }: { list: ResourceList }) {
  const t = useT()
  const [closedKey, setClosedKey] = useState('')
  const { requestedSearch: requestedAddress, searchParams, isLost } = list.view
  const droppedFilters = droppedFromSearch(
    requestedAddress.searchParams,
    searchParams,
    requestedAddress.columns,
    list.columns.selectedColumns,
  )
  const names = droppedFilters.map((name) =>
    name === '' ? t('views.conditions') : labelOf(list.screen.resource, name),
  )
  const text = [
    isLost ? t('views.lost') : '',
    names.length > 0 ? t('views.dropped', { names: formatList(t, names) }) : '',
  ]
    .filter(Boolean)
    .join(' ')
  if (text === '' || text === closedKey) return null
  return (
    <div className="mb-4">
      <FormNotice
        tone="info"
        action={
          <IconButton
            label={t('action.close')}
            icon={<X size={18} aria-hidden />}
            onClick={() => setClosedKey(text)}
            className="-my-1.5 text-current!"
          />
        }
      >
        {text}
      </FormNotice>
    </div>
  )
}

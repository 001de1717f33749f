/**
 * Lists the fields that an address or a view names but that no longer exist, above the list, until it is
 * closed.
 */
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { labelOf } from '../../fields/field-display.tsx'
import { formatList } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../form/notices.tsx'
import { droppedFrom } from './dropped.ts'
import type { ResourceList } from './use-resource-list.ts'

export function ListNotices({ list }: { list: ResourceList }) {
  const t = useT()
  const [closed, setClosed] = useState('')
  const { asked, words, isLost } = list.view
  const dropped = droppedFrom(asked.words, words, asked.columns, list.columns.chosen)
  const names = dropped.map((name) => (name === '' ? t('views.conditions') : labelOf(list.screen.resource, name)))
  const text = [
    isLost ? t('views.lost') : '',
    names.length > 0 ? t('views.dropped', { names: formatList(t, names) }) : '',
  ]
    .filter(Boolean)
    .join(' ')
  if (text === '' || text === closed) return null
  return (
    <div className="mb-4">
      <Notice
        tone="info"
        action={
          <IconButton
            label={t('action.close')}
            icon={<X size={18} aria-hidden />}
            onClick={() => setClosed(text)}
            className="-my-1.5 text-current!"
          />
        }
      >
        {text}
      </Notice>
    </div>
  )
}

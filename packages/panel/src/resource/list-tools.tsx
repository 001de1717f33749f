/** The buttons at the end of the filter row: how the list stands, the file of what is shown, and the import from a sheet. */
import { useQuery } from '@tanstack/react-query'
import Columns3 from 'lucide-react/icons/columns-3'
import Download from 'lucide-react/icons/download'
import { useEffect } from 'react'
import { askerOf, meQuery } from '../api/session.ts'
import { useT } from '../lib/i18n.ts'
import { getPreferences } from '../lib/preferences.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Popover } from '../ui/popover.tsx'
import { ImportLink } from './import-link.tsx'
import { ListColumns } from './list-columns-panel.tsx'
import { ListExport } from './list-export.tsx'
import type { ListParts } from './screen-parts.ts'
import { seesCards } from './seen-screen.ts'
import type { ResourceList } from './use-resource-list.ts'

/** The density of a view holds for the whole page, as the reader's own does, while the view is open. */
function useDensity(density: string | undefined): void {
  useEffect(() => {
    if (density === undefined) return
    const { dataset } = document.documentElement
    dataset['density'] = density
    return () => {
      dataset['density'] = getPreferences().density
    }
  }, [density])
}

export function ListTools({ list, parts }: { list: ResourceList; parts: ListParts }) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  useDensity(list.layout.density)
  // Of a card only what stands on it is known: there is nothing to choose from.
  if (!me || seesCards(list.screen.resource, askerOf(me))) return null
  return (
    <>
      <Popover
        title={t('columns.title')}
        trigger={<IconButton label={t('columns.title')} icon={<Columns3 size={18} aria-hidden />} />}
      >
        {() => <ListColumns list={list} parts={parts} asker={askerOf(me)} />}
      </Popover>
      <Popover
        title={t('export.title')}
        trigger={<IconButton label={t('export.title')} icon={<Download size={18} aria-hidden />} />}
      >
        {(close) => <ListExport list={list} onDone={close} />}
      </Popover>
      <ImportLink resource={list.screen.resource} look="icon" />
    </>
  )
}

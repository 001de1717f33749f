/** The buttons at the end of the filter row: sorting where no table head has it, columns, export, import. */
import { useQuery } from '@tanstack/react-query'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import Columns3 from 'lucide-react/icons/columns-3'
import Download from 'lucide-react/icons/download'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { ImportLink } from '../import-link.tsx'
import { ListColumns } from './columns-panel.tsx'
import { ListExport } from './export.tsx'
import { ModeSwitch } from './modes.tsx'
import { ListSort } from './sort.tsx'
import type { ListSlots } from '../screen-parts.ts'
import { seesCards } from '../screen-for-user.ts'
import type { ResourceList } from './use-resource-list.ts'

interface ListToolsProps {
  list: ResourceList
  slots: ListSlots
  /** Whether the filter row has no space for the display mode. */
  hasModeSwitch: boolean
}

export function ListTools({ list, slots, hasModeSwitch: withMode }: ListToolsProps) {
  const t = useT()
  const { data: me } = useQuery(meQuery)
  if (!me) return null
  const sort =
    list.display.mode === 'list' ? null : (
      <Popover
        title={t('list.sortBy')}
        trigger={<IconButton label={t('list.sortBy')} icon={<ArrowUpDown size={18} aria-hidden />} />}
      >
        {() => <ListSort list={list} />}
      </Popover>
    )
  // A user who sees only cards of records has no columns to choose from.
  if (seesCards(list.screen.resource, callerRoleOf(me))) return sort
  return (
    <>
      {sort}
      <Popover
        title={t('columns.title')}
        trigger={<IconButton label={t('columns.title')} icon={<Columns3 size={18} aria-hidden />} />}
      >
        {() => (
          <>
            {withMode ? <ModeSwitch list={list} /> : null}
            <ListColumns list={list} slots={slots} callerRole={callerRoleOf(me)} />
          </>
        )}
      </Popover>
      <Popover
        title={t('export.title')}
        trigger={<IconButton label={t('export.title')} icon={<Download size={18} aria-hidden />} />}
      >
        {(closePopover) => <ListExport list={list} onDone={closePopover} />}
      </Popover>
      <ImportLink resource={slots.imports ?? list.screen.resource} variant="icon" />
    </>
  )
}

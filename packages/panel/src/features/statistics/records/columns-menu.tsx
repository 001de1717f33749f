/** The menu that chooses the columns of the records behind a figure, on the screen and in their sheet. */
import { type RecordColumn, recordColumns } from '@dala/model'
import Columns3 from 'lucide-react/icons/columns-3'
import { useT } from '../../../lib/i18n.ts'
import { ColumnList } from '../../../resource/list/column-list.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/overlays/popover.tsx'
import type { RecordColumns } from './record-columns.ts'

/** Message keys of the names of columns. */
const columnNames = {
  at: 'statistics.recordTime',
  id: 'field.id',
  value: 'statistics.recordValue',
  person: 'statistics.recordPerson',
  resource: 'statistics.recordKind',
} as const satisfies Record<RecordColumn, string>

const isColumn = (name: string): name is RecordColumn => recordColumns.some((column) => column === name)

export function ColumnsMenu({
  columns: { shownColumns, hiddenColumns, chosenColumns, choose },
}: {
  columns: RecordColumns
}) {
  const t = useT()
  return (
    <Popover
      title={t('columns.shown')}
      trigger={<IconButton label={t('columns.shown')} icon={<Columns3 size={18} aria-hidden />} />}
    >
      {() => (
        <div className="grid gap-4">
          <ColumnList
            firstColumn="title"
            shownColumns={shownColumns}
            hiddenColumns={hiddenColumns}
            nameOf={(name) => t(isColumn(name) ? columnNames[name] : 'statistics.record')}
            onChange={(names) => choose(names.filter(isColumn))}
          />
          {chosenColumns ? (
            <div>
              <LinkButton onClick={() => choose(undefined)}>{t('columns.reset')}</LinkButton>
            </div>
          ) : null}
        </div>
      )}
    </Popover>
  )
}

/** Panel for the layout of a list: its columns and their order, the grouping of its rows, the row height. */
import type { CallerRole } from '@dala/model'
import { labelOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import { densities, usePreferences } from '../../lib/preferences.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Field } from '../../ui/inputs/field.tsx'
import { SegmentedControl } from '../../ui/inputs/segmented.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { ColumnList } from './column-list.tsx'
import { allColumns } from './columns.ts'
import { isGroupable } from './search.ts'
import type { ListSlots } from '../screen-parts.ts'
import { setLayout, setSearch } from './list-session.ts'
import type { ResourceList } from './use-resource-list.ts'

interface ListColumnsProps {
  list: ResourceList
  slots: ListSlots
  callerRole: CallerRole
}

export function ListColumns({ list, slots, callerRole }: ListColumnsProps) {
  const t = useT()
  const preferredDensity = usePreferences().density
  const isPhone = useMedia(phoneQuery)
  const { screen, query, order, columns, display } = list
  const groups = Object.keys(screen.resource.fields).filter(
    (name) => isGroupable(screen.resource, name, callerRole) && !(name in query.rows),
  )
  const [firstColumn = '', ...shownColumns] = columns.names
  const hiddenColumns = allColumns(screen.resource, slots, callerRole).filter((name) => !columns.names.includes(name))
  return (
    <div className="grid gap-4">
      <ColumnList
        firstColumn={firstColumn}
        shownColumns={shownColumns}
        hiddenColumns={hiddenColumns}
        nameOf={(name) => labelOf(screen.resource, name)}
        onChange={(chosenColumns) => list.store(setLayout(list, { columns: chosenColumns }))}
      />
      {(columns.selectedColumns ?? columns.widths) ? (
        <div>
          <LinkButton onClick={() => list.store(setLayout(list, { columns: undefined, widths: undefined }))}>
            {t('columns.reset')}
          </LinkButton>
        </div>
      ) : null}
      {groups.length > 0 ? (
        <Field label={t('columns.groupBy')}>
          <Select
            value={order.group ?? ''}
            onValueChange={(name) => list.go(setSearch(list, { group: name || undefined }))}
            choices={[
              { value: '', label: t('columns.ungrouped') },
              ...groups.map((name) => ({ value: name, label: labelOf(screen.resource, name) })),
            ]}
          />
        </Field>
      ) : null}
      {isPhone ? null : (
        <Field label={t('columns.density')} group>
          <SegmentedControl
            label={t('columns.density')}
            value={display.density ?? preferredDensity}
            onValueChange={(density) => list.store(setLayout(list, { density }))}
            segments={densities.map((value) => ({ value, label: t(`columns.density.${value}`) }))}
          />
        </Field>
      )}
    </div>
  )
}

/** The data list of wide windows: a table whose columns come from the declaration. */
import type { Entry } from '@dala/model'
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table'
import { useMemo } from 'react'
import { useT } from '../lib/i18n.ts'
import { columnsOf, isForWide } from './list-columns.ts'
import { ColumnHead } from './list-head.tsx'
import { ListRow, type ListRowsProps } from './list-row.tsx'

const features = tableFeatures({})
const helper = createColumnHelper<typeof features, Entry>()

export function ListTable({ list, parts, entries, onDelete }: ListRowsProps) {
  const t = useT()
  const { screen } = list
  const { resource } = screen
  const names = columnsOf(resource, parts)
  const columns = useMemo(
    () =>
      helper.columns(columnsOf(resource, parts).map((name) => helper.accessor((entry) => entry[name], { id: name }))),
    [resource, parts],
  )
  const table = useTable({ features, columns, data: entries, getRowId: (entry) => String(entry.id) })
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {names.map((name, index) => (
              <ColumnHead
                key={name}
                resource={resource}
                name={name}
                list={list}
                wide={isForWide(resource, name, index)}
              />
            ))}
            <th scope="col" className="w-13 border-y border-line">
              <span className="sr-only">{t('field.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <ListRow
              key={row.id}
              list={list}
              parts={parts}
              entries={entries}
              entry={row.original}
              names={names}
              onDelete={onDelete}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

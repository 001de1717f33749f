/** The columns of a report's records that the user has chosen, stored by report and kind of record. */
import { type RecordColumn, recordColumns, type ReportKey } from '@dala/model'
import { useState } from 'react'
import { listKey, readStorage, writeStorage } from '../../../lib/storage-keys.ts'

/** The usual columns; the kind of a record is shown on request, because its screen shows it too. */
const usualColumns: readonly RecordColumn[] = recordColumns.filter((column) => column !== 'resource')

/** Resources of the desk, whose records are behind the same figures. */
const deskResources = ['consultations', 'chatrooms', 'faqs']

const storageKeyOf = (report: ReportKey, resource: string) =>
  listKey(`statistics/${report}/${deskResources.includes(resource) ? 'desk' : resource}`)

function readColumns(key: string): readonly RecordColumn[] | undefined {
  const storedNames = readStorage(key)?.split(',')
  return (
    storedNames &&
    recordColumns
      .filter((column) => storedNames.includes(column))
      .toSorted((left, right) => storedNames.indexOf(left) - storedNames.indexOf(right))
  )
}

export interface RecordColumns {
  /** The shown columns after the name of a record, in order. */
  shownColumns: readonly RecordColumn[]
  hiddenColumns: readonly RecordColumn[]
  /** The chosen columns; undefined while they are the usual ones. */
  chosenColumns: readonly RecordColumn[] | undefined
  /** Stores the shown columns; without them the usual ones are shown. */
  choose: (columns: readonly RecordColumn[] | undefined) => void
}

/** Returns the columns of the records behind a report's figures, by the resource of the records. */
export function useRecordColumns(report: ReportKey, resource: string): RecordColumns {
  const key = storageKeyOf(report, resource)
  const [choice, setChoice] = useState<{ key: string; columns: readonly RecordColumn[] | undefined }>()
  const chosenColumns = choice?.key === key ? choice.columns : readColumns(key)
  const shownColumns = chosenColumns ?? usualColumns
  return {
    shownColumns,
    hiddenColumns: recordColumns.filter((column) => !shownColumns.includes(column)),
    chosenColumns,
    choose: (columns) => {
      writeStorage(key, columns ? columns.join(',') : null)
      setChoice({ key, columns })
    },
  }
}

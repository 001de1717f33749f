/** Validates a correction against the fields of its columns and reports all errors together. */
import {
  type ImportColumn,
  type ImportCorrection,
  type ImportField,
  type ImportMapping,
  type ImportPlace,
  type Issue,
  unprocessableFault,
} from '@dala/model'
import { nameKey } from './names/resolve-names.ts'

export interface Correction {
  version: number
  sheet: string | undefined
  headingRow: number | undefined
  date: string | null | undefined
  columns: ReadonlyMap<string, string | null>
  mustRemember: boolean | undefined
  aliases: boolean | undefined
  leftNames: readonly ImportPlace[] | undefined
  isRestLeft: boolean | undefined
  names: readonly { key: string; name: string; target: number | null }[]
  rows: readonly { row: number; values: Readonly<Record<string, string | null>> }[]
  skip: readonly number[]
  keep: readonly number[]
  confirm: readonly number[]
  unconfirm: readonly number[]
}

/**
 * Parses a correction of an import.
 *
 * @param correction - The correction as it was sent.
 * @param fields - The fields that columns can fill.
 * @returns The corrections.
 * @throws 422 with every key that is no field, or no link where a name is corrected.
 */
export function readCorrection(correction: ImportCorrection, fields: readonly ImportField[]): Correction {
  const {
    sheet,
    heading_row,
    date,
    columns = {},
    remember: mustRemember,
    aliases,
    left,
    left_rest,
  } = correction.mapping ?? {}
  const keys = new Map(fields.map((field) => [field.key, field]))
  const issues: Issue[] = []
  const wrongFault = (field: string, code: Issue['code'], params: Issue['params'] = {}) =>
    issues.push({ path: [field], code, params: { field, ...params } })
  const isLink = ({ key }: { key: string }) => keys.get(key)?.target !== undefined

  for (const leftName of left ?? []) if (!isLink(leftName)) wrongFault('left', 'validation.relation')
  const leftByKey = left && new Map(left.map((leftName) => [nameKey(leftName.key, leftName.name), leftName]))
  const chosenColumns = new Map(Object.entries(columns))
  for (const [letter, key] of chosenColumns) {
    if (!/^[A-Z]{1,3}$/.test(letter) || !(key === null || keys.has(key)))
      wrongFault('columns', 'validation.choice', { values: [...keys.keys()].join(', ') })
  }
  const names = correction.names ?? []
  for (const name of names) if (!isLink(name)) wrongFault('names', 'validation.relation')
  const rows = correction.rows ?? []
  for (const { values } of rows) {
    if (!Object.keys(values).every((key) => keys.has(key))) wrongFault('rows', 'validation.text')
  }
  if (issues.length > 0) throw unprocessableFault(issues)
  return {
    version: correction.version,
    sheet,
    headingRow: heading_row,
    date,
    columns: chosenColumns,
    mustRemember,
    aliases,
    leftNames: leftByKey && [...leftByKey.values()],
    isRestLeft: left_rest,
    names,
    rows,
    skip: correction.skip ?? [],
    keep: correction.keep ?? [],
    confirm: correction.confirm ?? [],
    unconfirm: correction.unconfirm ?? [],
  }
}

/**
 * Assigns fields to the imported columns. A field of another column is removed from that column.
 *
 * @param mapping - The present mapping.
 * @param columnChoices - Fields by the letter of the column, null for columns that are not loaded.
 * @returns The columns.
 */
export function applyColumns(
  { columns }: ImportMapping,
  columnChoices: ReadonlyMap<string, string | null>,
): ImportColumn[] {
  const takenKeys = new Set([...columnChoices.values()].filter((key) => key !== null))
  return columns.map((column): ImportColumn => {
    const key = columnChoices.get(column.letter)
    if (key !== undefined)
      return { ...column, key, status: key === null ? 'skipped' : 'matched', why: 'person', since: null }
    const isTaken = column.key !== null && takenKeys.has(column.key)
    return isTaken ? { ...column, key: null, status: 'open', why: 'several' } : column
  })
}

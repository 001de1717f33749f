/**
 * Decisions on columns and names: shown immediately, sent one call at a time, and reverted when the server
 * refuses.
 */
import type { ImportColumn, ImportCorrection, ImportLink, ImportMapping, ImportName } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { useT } from '../../../lib/i18n.ts'
import { correct, type Import, reread } from '../import-api.ts'
import { type LeftNames, leftNames } from './left-names.ts'

/** Decisions that the server has not answered yet. */
interface Decisions {
  /** Fields by the letter of the column; null skips the column. */
  columns: Readonly<Record<string, string | null>>
  names: readonly { key: string; name: string; target: ImportLink | null }[]
  mapping: Omit<NonNullable<ImportCorrection['mapping']>, 'columns'>
}

const nothing: Decisions = { columns: {}, names: [], mapping: {} }

const isNothing = ({ columns, names, mapping }: Decisions) =>
  Object.keys(columns).length === 0 && names.length === 0 && Object.keys(mapping).length === 0

const isSameName = (left: { key: string; name: string }, right: { key: string; name: string }) =>
  left.key === right.key && left.name === right.name

const join = (before: Decisions, next: Partial<Decisions>): Decisions => ({
  columns: { ...before.columns, ...next.columns },
  names: [...before.names.filter((one) => !next.names?.some((other) => isSameName(one, other))), ...(next.names ?? [])],
  mapping: { ...before.mapping, ...next.mapping },
})

/** Decisions made since the request: those that the answer does not contain. */
const without = (all: Decisions, sent: Decisions): Decisions => ({
  columns: Object.fromEntries(Object.entries(all.columns).filter(([letter, key]) => sent.columns[letter] !== key)),
  names: all.names.filter((name) => !sent.names.includes(name)),
  mapping: Object.fromEntries(
    Object.entries(all.mapping).filter(
      ([key, value]) => !Object.entries(sent.mapping).some(([other, was]) => other === key && was === value),
    ),
  ),
})

function bodyOf({ columns, names, mapping }: Decisions, version: number): ImportCorrection {
  const hasColumns = Object.keys(columns).length > 0
  return {
    version,
    ...((hasColumns || Object.keys(mapping).length > 0) && { mapping: { ...mapping, ...(hasColumns && { columns }) } }),
    ...(names.length > 0 && {
      names: names.map(({ key, name, target }) => ({ key, name, target: target?.id ?? null })),
    }),
  }
}

/** A column with its pending decision. */
function withColumn(column: ImportColumn, { columns }: Decisions): ImportColumn {
  const decided = columns[column.letter]
  if (decided === undefined) return column
  return { ...column, key: decided, status: decided === null ? 'skipped' : 'matched', why: 'person', candidates: [] }
}

const withName = (name: ImportName, { names }: Decisions): ImportName => {
  const decided = names.find((one) => isSameName(one, name))
  return decided ? { ...name, target: decided.target } : name
}

export interface ColumnDecisions {
  columns: readonly ImportColumn[]
  names: readonly ImportName[]
  left: LeftNames
  /** Number of columns and names that need a decision, including names beyond the listed ones. */
  open: { columns: number; names: number }
  remember: boolean
  aliases: boolean
  isSaving: boolean
  failure: string | undefined
  decide: (next: Partial<Decisions>) => void
}

export function useDecisions(record: Import, mapping: ImportMapping): ColumnDecisions {
  const t = useT()
  const cache = useQueryClient()
  const [waiting, setWaiting] = useState(nothing)
  // An answer that the page does not show yet: its decisions are shown until then.
  const [answered, setAnswered] = useState<{ decided: Decisions; version: number }>()
  const save = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t('import.steps.columns') }) },
    mutationFn: (decided: Decisions) => correct(cache, record.id, bodyOf(decided, record.version)),
    onSuccess: ({ version }, decided) => setAnswered({ decided, version }),
    // A refused decision is reverted to the server's state.
    onError: (error, decided) => {
      setWaiting((all) => without(all, decided))
      if (error instanceof ApiError && error.status === 409) void reread(cache, record.id)
    },
  })
  if (answered && record.version >= answered.version) {
    setAnswered(undefined)
    setWaiting(without(waiting, answered.decided))
  }
  // The server checks many rows again after the answer, and accepts nothing meanwhile.
  const isSaving = save.isPending || answered !== undefined || record.state === 'parsing'
  const flush = useEffectEvent(() => {
    if (!isSaving && !isNothing(waiting)) save.mutate(waiting)
  })
  // One call at a time: the next one carries all decisions made meanwhile.
  useEffect(() => flush(), [waiting, isSaving])

  const decide = (next: Partial<Decisions>) => setWaiting((before) => join(before, next))
  const left = leftNames({ ...mapping, ...waiting.mapping }, (next) => decide({ mapping: next }))
  const columns = mapping.columns.map((column) => withColumn(column, waiting))
  const names = mapping.names.map((name) => withName(name, waiting))
  // The count of open names is from the last check: later decisions are visible in the listed names only.
  const unlisted = Math.min(
    mapping.open_names - mapping.names.filter(({ target }) => target === null).length,
    mapping.names_count - mapping.names.length,
  )
  return {
    columns,
    names,
    left,
    open: {
      columns: columns.filter(({ status }) => status === 'open').length,
      names:
        (left.hasUnlisted ? 0 : Math.max(0, unlisted)) +
        names.filter((name) => name.target === null && !left.has(name)).length,
    },
    remember: waiting.mapping.remember ?? mapping.remember,
    aliases: waiting.mapping.aliases ?? mapping.aliases,
    isSaving: isSaving || !isNothing(waiting),
    failure: save.error
      ? save.error instanceof ApiError && save.error.status === 409
        ? t('import.stale')
        : messageOfFailure(save.error)
      : undefined,
    decide: (next) => {
      if (next.names) left.takeBack(next.names)
      decide(next)
    },
  }
}

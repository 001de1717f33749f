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
import { correctRows, type Import, refetchImport } from '../import-api.ts'
import { type SkippedNames, createSkippedNames } from './left-names.ts'

/** Decisions on an import's columns and names that the server has not answered yet. */
interface PendingDecisions {
  /** Chosen fields by the letter of their column; null skips the column. */
  columns: Readonly<Record<string, string | null>>
  names: readonly { key: string; name: string; target: ImportLink | null }[]
  mapping: Omit<NonNullable<ImportCorrection['mapping']>, 'columns'>
}

const noDecisions: PendingDecisions = { columns: {}, names: [], mapping: {} }

const isNothing = ({ columns, names, mapping }: PendingDecisions) =>
  Object.keys(columns).length === 0 && names.length === 0 && Object.keys(mapping).length === 0

const isSameName = (left: { key: string; name: string }, right: { key: string; name: string }) =>
  left.key === right.key && left.name === right.name

const mergeDecisions = (
  formerDecisions: PendingDecisions,
  newDecisions: Partial<PendingDecisions>,
): PendingDecisions => ({
  columns: { ...formerDecisions.columns, ...newDecisions.columns },
  names: [
    ...formerDecisions.names.filter(
      (formerName) => !newDecisions.names?.some((newName) => isSameName(formerName, newName)),
    ),
    ...(newDecisions.names ?? []),
  ],
  mapping: { ...formerDecisions.mapping, ...newDecisions.mapping },
})

/** Returns the decisions made since a request: those that its answer does not contain. */
const dropSentDecisions = (allDecisions: PendingDecisions, sentDecisions: PendingDecisions): PendingDecisions => ({
  columns: Object.fromEntries(
    Object.entries(allDecisions.columns).filter(([letter, key]) => sentDecisions.columns[letter] !== key),
  ),
  names: allDecisions.names.filter((name) => !sentDecisions.names.includes(name)),
  mapping: Object.fromEntries(
    Object.entries(allDecisions.mapping).filter(
      ([key, value]) =>
        !Object.entries(sentDecisions.mapping).some(([sentKey, sentValue]) => sentKey === key && sentValue === value),
    ),
  ),
})

function bodyOf({ columns, names, mapping }: PendingDecisions, version: number): ImportCorrection {
  const hasColumns = Object.keys(columns).length > 0
  return {
    version,
    ...((hasColumns || Object.keys(mapping).length > 0) && { mapping: { ...mapping, ...(hasColumns && { columns }) } }),
    ...(names.length > 0 && {
      names: names.map(({ key, name, target }) => ({ key, name, target: target?.id ?? null })),
    }),
  }
}

/** Column of the file with its pending decision. */
function setColumn(column: ImportColumn, { columns }: PendingDecisions): ImportColumn {
  const decidedField = columns[column.letter]
  if (decidedField === undefined) return column
  return {
    ...column,
    key: decidedField,
    status: decidedField === null ? 'skipped' : 'matched',
    why: 'person',
    candidates: [],
  }
}

const setName = (name: ImportName, { names }: PendingDecisions): ImportName => {
  const decidedName = names.find((decisionName) => isSameName(decisionName, name))
  return decidedName ? { ...name, target: decidedName.target } : name
}

export interface ColumnDecisions {
  columns: readonly ImportColumn[]
  names: readonly ImportName[]
  skippedNames: SkippedNames
  /** Number of columns and names that need a decision, including names beyond the listed ones. */
  open: { columns: number; names: number }
  remember: boolean
  aliases: boolean
  isSaving: boolean
  failure: string | undefined
  sendDecision: (decisionChange: Partial<PendingDecisions>) => void
}

export function useDecisions(record: Import, mapping: ImportMapping): ColumnDecisions {
  const t = useT()
  const cache = useQueryClient()
  const [pendingDecisions, setPending] = useState(noDecisions)
  // Decisions that were answered by the server, but are not in the page's data yet, are shown until then.
  const [answeredDecisions, setAnswered] = useState<{ decided: PendingDecisions; version: number }>()
  const save = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t('import.steps.columns') }) },
    mutationFn: (submittedDecisions: PendingDecisions) =>
      correctRows(cache, record.id, bodyOf(submittedDecisions, record.version)),
    onSuccess: ({ version }, submittedDecisions) => setAnswered({ decided: submittedDecisions, version }),
    // A refused decision on a column or a name is reverted to the server's state.
    onError: (error, submittedDecisions) => {
      setPending((allDecisions) => dropSentDecisions(allDecisions, submittedDecisions))
      if (error instanceof ApiError && error.status === 409) void refetchImport(cache, record.id)
    },
  })
  if (answeredDecisions && record.version >= answeredDecisions.version) {
    setAnswered(undefined)
    setPending(dropSentDecisions(pendingDecisions, answeredDecisions.decided))
  }
  // After a decision the server checks many imported rows again, and accepts no further decision meanwhile.
  const isSaving = save.isPending || answeredDecisions !== undefined || record.state === 'parsing'
  const sendPendingDecisions = useEffectEvent(() => {
    if (!isSaving && !isNothing(pendingDecisions)) save.mutate(pendingDecisions)
  })
  // Only one call with decisions runs at a time: the next call sends all decisions made during it.
  useEffect(() => sendPendingDecisions(), [pendingDecisions, isSaving])

  const sendDecision = (newDecisions: Partial<PendingDecisions>) =>
    setPending((formerDecisions) => mergeDecisions(formerDecisions, newDecisions))
  const skippedNames = createSkippedNames({ ...mapping, ...pendingDecisions.mapping }, (newMapping) =>
    sendDecision({ mapping: newMapping }),
  )
  const columns = mapping.columns.map((column) => setColumn(column, pendingDecisions))
  const names = mapping.names.map((name) => setName(name, pendingDecisions))
  // The count of open names is from the server's last check: later decisions are visible in the listed names
  // only.
  const unlistedCount = Math.min(
    mapping.open_names - mapping.names.filter(({ target }) => target === null).length,
    mapping.names_count - mapping.names.length,
  )
  return {
    columns,
    names,
    skippedNames,
    open: {
      columns: columns.filter(({ status }) => status === 'open').length,
      names:
        (skippedNames.hasUnlisted ? 0 : Math.max(0, unlistedCount)) +
        names.filter((name) => name.target === null && !skippedNames.has(name)).length,
    },
    remember: pendingDecisions.mapping.remember ?? mapping.remember,
    aliases: pendingDecisions.mapping.aliases ?? mapping.aliases,
    isSaving: isSaving || !isNothing(pendingDecisions),
    failure: save.error
      ? save.error instanceof ApiError && save.error.status === 409
        ? t('import.stale')
        : messageOfFailure(save.error)
      : undefined,
    sendDecision: (newDecisions) => {
      if (newDecisions.names) skippedNames.unskipNames(newDecisions.names)
      sendDecision(newDecisions)
    },
  }
}

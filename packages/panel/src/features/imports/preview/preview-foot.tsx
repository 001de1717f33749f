/** The foot of the preview: the number of rows to write, the mode, and the button that writes them. */
import { importModes, type ImportMode, type ImportSummary } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import { type RefObject, useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { formatList, formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { phoneQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { commitImport, refetchImport } from '../import-api.ts'
import { writtenRows } from './preview-grid.ts'
import type { ImportPreview } from './use-preview.ts'

const emptySummary: ImportSummary = {
  total: 0,
  create: 0,
  update: 0,
  same: 0,
  skip: 0,
  error: 0,
  warning: 0,
  issues: 0,
}

/** Error code for records that have changed since the preview: their rows are compared again. */
const changedCode = 'import.changed'

export function PreviewFoot({ ref, preview }: { ref: RefObject<HTMLDivElement | null>; preview: ImportPreview }) {
  const t = useT()
  const locale = useLocale()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const isPhone = useMedia(phoneQuery)
  const { record, corrections } = preview
  const [mode, setMode] = useState<ImportMode>('valid_only')
  const [includesWarnings, setIncludesWarnings] = useState(false)
  // Idempotency key of an attempt to write; after a response the next attempt gets a new key.
  const key = useRef<string>(undefined)
  const write = useMutation({
    meta: { inPlace: true, missed: t('message.notDone', { what: t('import.title') }) },
    mutationFn: () => {
      key.current ??= crypto.randomUUID()
      const body = { version: record.version, mode, confirm_warnings: includesWarnings }
      return commitImport(cache, record.id, body, key.current)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status > 0) key.current = undefined
      if (error instanceof ApiError && error.status === 409) void refetchImport(cache, record.id)
    },
    // Other screens of the panel may show data from before the import.
    onSuccess: () => void cache.invalidateQueries({ queryKey: ['resource'], refetchType: 'none' }),
  })
  const { summary, mapping } = record
  const counts = summary ?? emptySummary
  const count = writtenRows(counts, includesWarnings)
  const openColumns = mapping?.open_columns ?? 0
  const isAllOrNothing = mode === 'all_or_nothing'
  const reason =
    obstacle ??
    (corrections.count('failed', 'kept') > 0
      ? t('import.mendsFirst')
      : corrections.count() > 0 || record.state === 'parsing'
        ? t('import.rechecking')
        : openColumns > 0
          ? t('import.columnsFirst')
          : isAllOrNothing && counts.error > 0
            ? t('import.errorsFirst', { count: counts.error })
            : count === 0
              ? t('import.nothingToWrite')
              : undefined)
  const failure = write.error ? failureOf(write.error) : undefined
  const label = t('import.write', { count })
  const button = (
    <Button
      kind="primary"
      data-write=""
      icon={isPhone ? undefined : <Check size={17} aria-hidden />}
      isBusy={write.isPending}
      disabled={reason}
      onClick={() => write.mutate()}
    >
      {label}
    </Button>
  )
  const modes = importModes.map((value) => ({ value, label: t(`import.mode.${value}`) }))
  const warnings =
    counts.warning > 0 ? (
      <label className="inline-flex min-h-6 items-center gap-2 text-sm font-medium max-md:min-h-11">
        <input
          type="checkbox"
          className="check"
          checked={includesWarnings}
          onChange={({ target }) => setIncludesWarnings(target.checked)}
        />
        {t('import.withWarnings', { count: counts.warning })}
      </label>
    ) : null
  const skippedRows = [
    ...(counts.same > 0 ? [t('import.sameRows', { count: counts.same })] : []),
    ...(counts.skip > 0 ? [t('import.skippedRows', { count: counts.skip })] : []),
    ...(counts.error > 0 ? [t('import.errorRows', { count: counts.error })] : []),
  ]
  return (
    <div ref={ref} data-save-bar className="save-bar border-t border-line bg-surface px-6 py-3 max-md:px-3.5">
      <FailureLine>{failure}</FailureLine>
      {isPhone ? (
        <div className="grid gap-2">
          {warnings}
          <div className="grid grid-cols-2 gap-2">
            <Select aria-label={t('import.modeName')} value={mode} onValueChange={setMode} choices={modes} />
            {button}
          </div>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2">
          <output className="min-w-[240px] flex-1 text-sm text-muted">
            {isAllOrNothing && counts.error > 0
              ? t('import.errorsFirst', { count: counts.error })
              : t('import.willBeWritten', {
                  written: formatNumber(locale, count),
                  all: formatNumber(locale, counts.total),
                  created: formatNumber(locale, counts.create),
                  updated: formatNumber(locale, counts.update),
                })}
            {skippedRows.length > 0 ? (
              <span className="block">{t('import.stayOut', { what: formatList(t, skippedRows) })}</span>
            ) : null}
          </output>
          {warnings}
          <SegmentedControl label={t('import.modeName')} value={mode} onValueChange={setMode} segments={modes} />
          {button}
        </div>
      )}
    </div>
  )

  function failureOf(error: Error): string {
    if (!(error instanceof ApiError) || error.code !== changedCode) return messageOfFailure(error)
    const { count: changedCount } = error.details
    return t('import.changedSince', { count: typeof changedCount === 'number' ? changedCount : 0 })
  }
}

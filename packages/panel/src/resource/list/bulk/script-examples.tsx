/** Examples of the texts that a bulk job converts to another script, before and after. */
import { type BulkJob, type Field, type Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { labelOf } from '../../../fields/field-display.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx'
import { ScriptChange } from '../../script/script-change.tsx'
import { type BulkAction, rowsOf } from './api.ts'

/** Maximum number of records in the preview. */
const maxExamples = 5

interface ScriptExamplesProps {
  resource: Resource
  /** The dry run. */
  job: BulkJob
  action: Extract<BulkAction, { kind: 'script' }>
}

export function ScriptExamples({ resource, job, action: { locale, script } }: ScriptExamplesProps) {
  const t = useT()
  const reader = useLocale()
  const { data } = useQuery({
    queryKey: ['bulk', job.id, 'changed'],
    queryFn: () => rowsOf(job.id, 'changed', maxExamples),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const changes = (data?.rows ?? []).flatMap(({ id, name, changes: rowChanges = {} }) =>
    Object.entries<Field>(resource.fields).flatMap(([fieldName, field]) => {
      const { before, after } = rowChanges[fieldName] ?? {}
      if (typeof before !== 'string' || typeof after !== 'string') return []
      const title = name ?? t('record.untitled', { id: formatNumber(reader, id) })
      return [{ key: `${id}/${fieldName}`, field, before, after, label: `${title} · ${labelOf(resource, fieldName)}` }]
    }),
  )
  return (
    <>
      <p>{t('bulk.textsChange', { count: job.changedFields })}</p>
      {changes.length > 0 ? (
        <ScrollRegion
          className="max-h-[40dvh] divide-y divide-line overflow-y-auto rounded-2 border border-line"
          aria-label={t('bulk.examples')}
        >
          {changes.map(({ key, ...change }) => (
            <ScriptChange key={key} {...change} locale={locale} script={script} />
          ))}
        </ScrollRegion>
      ) : null}
    </>
  )
}

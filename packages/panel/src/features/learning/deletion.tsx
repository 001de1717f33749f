/**
 * Counts of the learners and contents that a deletion concerns, and the choice for the lessons of a group.
 */
import { resources } from '@dala/model'
import type { DeletionUsage } from '@dala/model/api/progress'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { resourceQueries } from '../../api/resource-queries.ts'
import { callRoute } from '../../api/route.ts'
import { cx } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import type { DeletionProps, RemoveRecord } from '../../resource/record/deletion.ts'

type RecordPartKind = 'courses' | 'lessongroups' | 'lessons'

const usageQuery = (partKind: RecordPartKind, id: number) =>
  queryOptions({
    queryKey: [...resourceQueries(resources[partKind]).all, 'usage', id],
    queryFn: async ({ signal }) => (await callRoute(`GET /api/${partKind}/:id/usage`, { params: { id }, signal })).data,
    staleTime: 0,
    retry: false,
    meta: { inPlace: true },
  })

export function CourseDeletion({ record }: DeletionProps) {
  const t = useT()
  return (
    <DeletionUsage part="courses" id={record.id}>
      {({ learners, completed }) => (
        <>
          {learners > 0 ? <p>{t('learning.usage.atOnce')}</p> : null}
          {completed > 0 ? <p>{t('learning.usage.certificates')}</p> : null}
        </>
      )}
    </DeletionUsage>
  )
}

export function LessonDeletion({ record }: DeletionProps) {
  return (
    <DeletionUsage part="lessons" id={record.id}>
      {({ learners }) => <UntilPublishedNote learners={learners} />}
    </DeletionUsage>
  )
}

const deleteWithLessons: RemoveRecord = (id) =>
  callRoute('DELETE /api/lessongroups/:id/with-lessons', { params: { id } })

export function GroupDeletion({ record, onChoose }: DeletionProps) {
  const t = useT()
  const id = useId()
  const [isWhole, setWhole] = useState(false)
  const choose = (removesLessons: boolean) => {
    setWhole(removesLessons)
    onChoose(removesLessons ? deleteWithLessons : undefined)
  }
  return (
    <DeletionUsage part="lessongroups" id={record.id}>
      {({ lessons, learners }) => (
        <>
          <UntilPublishedNote learners={learners} />
          {lessons > 0 ? (
            <fieldset>
              <legend className="mb-1.5 font-semibold text-ink">
                {t('learning.groupDeletion', { count: lessons })}
              </legend>
              <div className="grid gap-2">
                {[false, true].map((removesLessons) => (
                  <label
                    key={String(removesLessons)}
                    className={cx(
                      'flex min-h-(--control) cursor-pointer items-center gap-2.5 rounded-2 border px-3 py-1.5 text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-coarse:min-h-11',
                      isWhole === removesLessons ? 'border-brand bg-brand-soft' : 'border-line-strong hover:bg-hover',
                    )}
                  >
                    <input
                      type="radio"
                      name={id}
                      checked={isWhole === removesLessons}
                      onChange={() => choose(removesLessons)}
                      className="size-4 shrink-0 accent-(--brand)"
                    />
                    {t(removesLessons ? 'learning.groupDeletion.delete' : 'learning.groupDeletion.move')}
                  </label>
                ))}
              </div>
            </fieldset>
          ) : null}
        </>
      )}
    </DeletionUsage>
  )
}

/** Learners read the published copy, so a deletion in the draft waits for the next publication. */
function UntilPublishedNote({ learners }: { learners: number }) {
  const t = useT()
  return learners > 0 ? <p>{t('learning.usage.untilPublished')}</p> : null
}

interface UsageProps {
  part: RecordPartKind
  id: number
  /** Sentences and choices below the counts of a deletion. */
  children: (usage: DeletionUsage) => ReactNode
}

/** The counts of a deletion that are not zero. When their request fails, the user may delete nevertheless. */
function DeletionUsage({ part, id, children }: UsageProps) {
  const t = useT()
  const locale = useLocale()
  const { data, isLoading } = useQuery(usageQuery(part, id))
  if (isLoading) return <p className="text-sm text-muted">{t('trash.looking')}</p>
  if (!data) return null
  const counts: readonly (readonly [label: string, count: number])[] = [
    [t('learning.usage.learners'), data.learners],
    [t('learning.usage.completed'), data.completed],
    [t('lessons.many'), data.lessons],
    [t('learning.usage.translations'), data.translations],
    [t('attachments.many'), data.attachments],
    [t('learning.usage.files'), data.files],
  ]
  return (
    <div className="grid gap-2.5 text-sm">
      <dl aria-label={t('learning.usage')} className="grid gap-y-1">
        {counts.map(([label, count]) =>
          count > 0 ? (
            <div key={label} className="flex justify-between gap-x-4 border-b border-line pb-1">
              <dt className="text-muted">{label}</dt>
              <dd className="font-medium tabular-nums">{formatNumber(locale, count)}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {children(data)}
    </div>
  )
}

/**
 * A section of a record's page: a sheet with a heading and, where the section loads its own data, its own
 * states.
 */
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { ApiError } from '../api/api-error.ts'
import { messageOfError } from '../api/error-toasts.ts'
import { formatNumber } from '../lib/format.ts'
import { useLocale, useT } from '../lib/i18n.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/inputs/field.tsx'
import { Sheet } from '../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../ui/feedback/skeleton.tsx'
import type { Address } from './screen-address.ts'

export interface PartProps {
  title: string
  /** Total shown beside the heading of the section, in light figures. */
  total?: number | undefined
  /** Address of the link to all records of the section. */
  all?: Address | undefined
  /** Contents at the end of the line with the section's heading. */
  aside?: ReactNode
  children: ReactNode
}

export function Part({ title, total, all, aside, children }: PartProps) {
  const t = useT()
  const locale = useLocale()
  const id = useId()
  return (
    <Sheet hasPadding aria-labelledby={id}>
      <div className="mb-3.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 id={id} className="text-lg leading-tight font-semibold">
          {title}
          {total ? <span className="ms-2 font-light text-muted">{formatNumber(locale, total)}</span> : null}
        </h2>
        {all ? (
          <Link
            to={all.to}
            search={all.search}
            aria-label={`${t('section.showAll')}: ${title}`}
            className="inline-flex min-h-6 shrink-0 items-center text-sm font-semibold text-brand-text hover:underline pointer-coarse:min-h-11"
          >
            {t('section.showAll')}
          </Link>
        ) : null}
        {aside}
      </div>
      {children}
    </Sheet>
  )
}

export interface LoadedPartProps<D> {
  query: UseQueryResult<D>
  /** Number of rows in the section's skeleton. */
  rows?: number
  children: (data: D) => ReactNode
}

/**
 * Result of a section's query: a skeleton while it loads, and a retry button after a failure. The rest of the
 * page stays.
 */
export function LoadedPart<D>({ query, rows = 3, children }: LoadedPartProps<D>) {
  const t = useT()
  const { data, error, isFetching } = query
  if (data !== undefined) return children(data)
  if (error) {
    const isAnswered = error instanceof ApiError && error.status > 0
    return (
      <div role="alert" className="grid justify-items-start gap-2.5">
        <FieldError>{t('section.failed')}</FieldError>
        <p className="text-sm text-muted">{isAnswered ? messageOfError(error) : t('error.network.message')}</p>
        <Button isBusy={isFetching} onClick={() => void query.refetch()}>
          {t('action.retry')}
        </Button>
      </div>
    )
  }
  return (
    <DelayedContent>
      <div className="grid gap-3">
        {Array.from({ length: rows }, (_, index) => (
          <Skeleton key={index} className="h-6 w-full" />
        ))}
      </div>
    </DelayedContent>
  )
}

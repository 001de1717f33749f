/** Pager of a list; drawn only when total divided by page size is above 1 (requirements §2). */
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { cx } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { IconButton } from '../icon-button.tsx'

/** Number of a list's pages: total divided by page size, rounded up (requirements §2). */
export function pageCountOf(total: number, pageSize: number): number {
  return Math.ceil(total / pageSize)
}

/**
 * Page numbers of the pager: the first, the last and the neighbours of the current page; null marks a gap.
 */
export function pagesToShow(page: number, count: number): (number | null)[] {
  const candidates = [1, page - 1, page, page + 1, count]
  if (page <= 3) candidates.push(2, 3)
  if (page >= count - 2) candidates.push(count - 1, count - 2)
  const pages = [...new Set(candidates)]
    .filter((candidate) => candidate >= 1 && candidate <= count)
    .sort((a, b) => a - b)
  return pages.flatMap((candidate, index) => {
    const formerPage = pages[index - 1]
    if (formerPage === undefined || candidate - formerPage === 1) return [candidate]
    return candidate - formerPage === 2 ? [candidate - 1, candidate] : [null, candidate]
  })
}

export interface PagerProps {
  page: number
  pageSize: number
  total: number
  onPageChange: (page: number) => void
}

export function Pager({ page, pageSize, total, onPageChange }: PagerProps) {
  const t = useT()
  const locale = useLocale()
  const count = pageCountOf(total, pageSize)
  if (count <= 1) return null
  return (
    <nav aria-label={t('a11y.pagination')} className="flex items-center gap-0.5">
      <IconButton
        label={t('action.previous')}
        icon={<ChevronLeft size={18} aria-hidden className="mirrored" />}
        disabled={page <= 1 && t('list.atFirstPage')}
        onClick={() => onPageChange(page - 1)}
      />
      {pagesToShow(page, count).map((pageNumber, index) =>
        pageNumber === null ? (
          <span key={`gap-${index}`} aria-hidden className="px-1.5 max-md:px-0">
            …
          </span>
        ) : (
          <button
            key={pageNumber}
            type="button"
            aria-label={t('a11y.goToPage', { page: formatNumber(locale, pageNumber) })}
            aria-current={pageNumber === page ? 'page' : undefined}
            onClick={() => onPageChange(pageNumber)}
            className={cx(
              'h-9 min-w-9 rounded-2 px-1 text-sm font-medium tabular-nums hover:bg-hover aria-[current]:bg-brand aria-[current]:font-semibold aria-[current]:text-on-brand max-md:h-11 max-md:min-w-10',
              pageNumber !== page && pageNumber !== 1 && pageNumber !== count && 'max-md:hidden',
            )}
          >
            {formatNumber(locale, pageNumber)}
          </button>
        ),
      )}
      <IconButton
        label={t('action.next')}
        icon={<ChevronRight size={18} aria-hidden className="mirrored" />}
        disabled={page >= count && t('list.atLastPage')}
        onClick={() => onPageChange(page + 1)}
      />
    </nav>
  )
}

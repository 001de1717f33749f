/** Links to the reports: in the section menu, and below the report that opens first. */
import { type Entry, resources } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { meQuery } from '../../api/session.ts'
import { FieldDisplay, useTitleOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import type { MenuNoteProps } from '../../resource/screen-parts.ts'
import { menuEntryClass } from '../../ui/menu-note.ts'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { firstReport, reportAddress, reportsQuery } from './reports.ts'

const { statistics } = resources

/**
 * Returns whether an address belongs to a report: by key, by id, or the address of the section for the first
 * report.
 */
function isReportOpen(pathname: string, root: string, report: Entry, first: Entry | undefined): boolean {
  const subPath = pathname.replace(/\/$/, '').slice(root.length + 1)
  return subPath === '' ? report === first : subPath === reportAddress(report) || subPath === String(report.id)
}

export function ReportEntries({ screen, onGo }: MenuNoteProps) {
  const { pathname } = useLocation()
  const titleOf = useTitleOf(statistics)
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery({ ...reportsQuery, enabled: me !== undefined })
  const reports = data?.entries ?? []
  const root = `/app/${screen.path}`
  const first = firstReport(reports)
  return reports.map((report) => (
    <Link
      key={report.id}
      to={`${root}/${reportAddress(report)}`}
      aria-current={isReportOpen(pathname, root, report, first) ? 'page' : undefined}
      {...(onGo ? { onClick: onGo } : {})}
      className={menuEntryClass}
    >
      <span className="min-w-0 flex-1">{titleOf(report)}</span>
    </Link>
  ))
}

/** Links to all reports, with a description of each. */
export function ReportList({ root, reports }: { root: string; reports: readonly Entry[] }) {
  const t = useT()
  const titleOf = useTitleOf(statistics)
  const title = t('statistics.all')
  return (
    <Sheet padded aria-label={title} className="no-print mt-5">
      <h2 className="mb-2 text-lg font-semibold">{title}</h2>
      <ul className="grid gap-x-8 gap-y-1 md:grid-cols-2">
        {reports.map((report) => (
          <li key={report.id} className="py-1.5">
            <Link
              to={`${root}/${reportAddress(report)}`}
              className="inline-flex min-h-6 items-center font-semibold text-brand-text hover:underline max-md:min-h-11"
            >
              {titleOf(report)}
            </Link>
            <div className="text-sm text-muted">
              <FieldDisplay resource={statistics} name="description" value={report.description} />
            </div>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

/** Links to the reports: in the section menu, and below the report that opens first. */
import { type Entry, resources, type SavedReport } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { Fragment } from 'react'
import { meQuery } from '../../api/session.ts'
import { FieldDisplay, useTitleOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import type { MenuNoteProps } from '../../resource/screen-parts.ts'
import { menuEntryClass, menuNoteClass } from '../../ui/menu-note.ts'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { readReportSearch, writeReportSearch } from './report-search.ts'
import { findReport, firstReport, reportAddress, reportsQuery } from './reports.ts'
import { savedReportsQuery, searchOfSaved } from './saved/saved-reports.ts'

const { statistics } = resources

/**
 * Returns whether an address belongs to a report: by key, by id, or the address of the section for the first
 * report.
 */
function isReportOpen(pathname: string, root: string, report: Entry, defaultReport: Entry | undefined): boolean {
  const subPath = pathname.replace(/\/$/, '').slice(root.length + 1)
  return subPath === '' ? report === defaultReport : findReport([report], subPath) !== undefined
}

export function ReportEntries({ screen, onGo }: MenuNoteProps) {
  const { pathname } = useLocation()
  const titleOf = useTitleOf(statistics)
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery({ ...reportsQuery, enabled: me !== undefined })
  const { data: savedReports = [] } = useQuery({ ...savedReportsQuery, enabled: me !== undefined })
  const reports = data?.entries ?? []
  const root = `/app/${screen.path}`
  const defaultReport = firstReport(reports)
  const { saved: openId } = readReportSearch(useSearch({ strict: false }))
  const openSavedReport = savedReports.find(({ id, key }) => id === openId && pathname === `${root}/${key}`)
  return reports.map((report) => (
    <Fragment key={report.id}>
      <Link
        to={`${root}/${reportAddress(report)}`}
        activeOptions={{ exact: true }}
        aria-current={!openSavedReport && isReportOpen(pathname, root, report, defaultReport) ? 'page' : undefined}
        {...(onGo ? { onClick: onGo } : {})}
        className={menuEntryClass}
      >
        <span className="min-w-0 flex-1">{titleOf(report)}</span>
      </Link>
      {savedReports
        .filter(({ key }) => key === report.key)
        .map((savedReport) => (
          <SavedLink
            key={savedReport.id}
            root={root}
            saved={savedReport}
            isOpen={savedReport === openSavedReport}
            className={menuNoteClass}
            onGo={onGo}
          />
        ))}
    </Fragment>
  ))
}

interface SavedLinkProps {
  root: string
  saved: SavedReport
  isOpen?: boolean
  className: string
  onGo?: (() => void) | undefined
}

function SavedLink({ root, saved, isOpen = false, className, onGo }: SavedLinkProps) {
  return (
    <Link
      to={`${root}/${saved.key}`}
      search={writeReportSearch(searchOfSaved(saved))}
      aria-current={isOpen ? 'page' : undefined}
      {...(onGo ? { onClick: onGo } : {})}
      className={className}
    >
      <span className="min-w-0 flex-1 wrap-anywhere">{saved.title}</span>
    </Link>
  )
}

const listLinkClass = 'inline-flex min-h-6 items-center font-semibold text-brand-text hover:underline max-md:min-h-11'

/** Links to all reports, with a description of each, and to the saved ones. */
export function ReportList({ root, reports }: { root: string; reports: readonly Entry[] }) {
  const t = useT()
  const titleOf = useTitleOf(statistics)
  const { data: savedReports = [] } = useQuery(savedReportsQuery)
  const title = t('statistics.all')
  const savedTitle = t('statistics.saved.title')
  return (
    <>
      <Sheet hasPadding aria-label={title} className="no-print mt-5">
        <h2 className="mb-2 text-lg font-semibold">{title}</h2>
        <ul className="grid gap-x-8 gap-y-1 md:grid-cols-2">
          {reports.map((report) => (
            <li key={report.id} className="py-1.5">
              <Link to={`${root}/${reportAddress(report)}`} className={listLinkClass}>
                {titleOf(report)}
              </Link>
              <div className="text-sm text-muted">
                <FieldDisplay resource={statistics} name="description" value={report.description} />
              </div>
            </li>
          ))}
        </ul>
      </Sheet>
      {savedReports.length > 0 ? (
        <Sheet hasPadding aria-label={savedTitle} className="no-print mt-5">
          <h2 className="mb-2 text-lg font-semibold">{savedTitle}</h2>
          <ul className="grid gap-x-8 gap-y-1 md:grid-cols-2">
            {savedReports.map((savedReport) => (
              <li key={savedReport.id} className="py-1.5">
                <SavedLink root={root} saved={savedReport} className={listLinkClass} />
                <div className="text-sm text-muted">
                  {[
                    titleOf(reports.find(({ key }) => key === savedReport.key) ?? { id: 0 }),
                    savedReport.own ? '' : (savedReport.by?.name ?? t('statistics.removedPerson')),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </div>
              </li>
            ))}
          </ul>
        </Sheet>
      ) : null}
    </>
  )
}

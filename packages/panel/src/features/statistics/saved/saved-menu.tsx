/** Menu of saved reports: the open one, the others of the report, and the actions on them (statistics §7). */
import type { ReportKey, SavedReport } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Bookmark from 'lucide-react/icons/bookmark'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Save from 'lucide-react/icons/save'
import Trash2 from 'lucide-react/icons/trash-2'
import Undo2 from 'lucide-react/icons/undo-2'
import { useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import { Menu } from '../../../ui/overlays/menu.tsx'
import type { ReportState } from '../use-report.ts'
import { ScheduleDialog } from '../schedules/schedule-dialog.tsx'
import { SavedDialog } from './saved-dialog.tsx'
import { isChangedFrom, savedReportsQuery, searchOfSaved, useSavedActions } from './saved-reports.ts'

/** Value of the menu option for the report without a saved one. */
const noReportValue = 'none'

export function SavedMenu({ report, state }: { report: ReportKey; state: ReportState }) {
  const t = useT()
  const { data = [] } = useQuery(savedReportsQuery)
  const [openDialog, setOpenDialog] = useState<'new' | 'open' | 'schedule' | null>(null)
  const { search } = state
  const openSavedReport = (savedReport: SavedReport | undefined) =>
    state.replace(savedReport ? searchOfSaved(savedReport) : { filters: {} })
  const { create, change, reorder, remove } = useSavedActions(openSavedReport)
  const listedReports = data.filter(({ key }) => key === report)
  const openReport = listedReports.find(({ id }) => id === search.saved)
  const isChanged = openReport !== undefined && isChangedFrom(openReport, search)
  const ownReports = data.filter((listedReport) => listedReport.own)
  const reportIndex = ownReports.findIndex(({ id }) => id === openReport?.id)
  const moveReport = (offset: -1 | 1) => {
    const [movedReport, neighbourReport] = [ownReports[reportIndex], ownReports[reportIndex + offset]]
    if (movedReport && neighbourReport)
      reorder.mutate(ownReports.with(reportIndex, neighbourReport).with(reportIndex + offset, movedReport))
  }
  const saveChanges = (savedReport: SavedReport) =>
    change.mutate(
      { saved: savedReport, search },
      { onError: (error) => showToast({ kind: 'error', title: messageOfFailure(error) }) },
    )
  return (
    <>
      <Menu
        trigger={
          openReport ? (
            <button type="button" className={buttonClass('plain', 'min-w-11 font-normal! px-3!')}>
              <Bookmark size={17} aria-hidden className="shrink-0 text-brand-text" />
              <span className="max-w-[22ch] truncate max-lg:max-w-[14ch]">{openReport.title}</span>
              {isChanged ? <span className="text-sm text-muted"> {t('views.changed')}</span> : null}
            </button>
          ) : (
            <IconButton label={t('statistics.saved.title')} icon={<Bookmark size={17} aria-hidden />} />
          )
        }
      >
        {({ Item, Choice }) => (
          <>
            {listedReports.length > 0 ? (
              <Choice
                closesMenu
                label={t('statistics.saved.title')}
                value={openReport ? String(openReport.id) : noReportValue}
                onValueChange={(id) =>
                  openSavedReport(listedReports.find((listedReport) => String(listedReport.id) === id))
                }
                choices={[
                  { value: noReportValue, label: t('statistics.saved.none') },
                  ...listedReports.map((listedReport) => ({
                    value: String(listedReport.id),
                    label: (
                      <>
                        <span className="min-w-0 wrap-anywhere">{listedReport.title}</span>
                        {listedReport.own ? null : (
                          <span className="text-sm text-muted">
                            {listedReport.by?.name ?? t('statistics.removedPerson')}
                          </span>
                        )}
                      </>
                    ),
                  })),
                ]}
              />
            ) : null}
            <div className={cx(listedReports.length > 0 && 'mt-1 border-t border-line pt-1')}>
              {openReport?.own && isChanged ? (
                <Item icon={<Save size={16} aria-hidden />} onClick={() => saveChanges(openReport)}>
                  {t('views.save')}
                </Item>
              ) : null}
              {isChanged ? (
                <Item icon={<Undo2 size={16} aria-hidden />} onClick={() => openSavedReport(openReport)}>
                  {t('statistics.saved.revert')}
                </Item>
              ) : null}
              <Item icon={<Plus size={16} aria-hidden />} onClick={() => setOpenDialog('new')}>
                {t('statistics.saved.save')}
              </Item>
              {openReport ? (
                <Item icon={<CalendarClock size={16} aria-hidden />} onClick={() => setOpenDialog('schedule')}>
                  {t('statistics.schedules.add')}
                </Item>
              ) : null}
              {openReport?.own ? (
                <>
                  <Item icon={<Pencil size={16} aria-hidden />} onClick={() => setOpenDialog('open')}>
                    {t('views.settings')}
                  </Item>
                  {reportIndex > 0 ? (
                    <Item icon={<ArrowUp size={16} aria-hidden />} onClick={() => moveReport(-1)}>
                      {t('action.moveUp')}
                    </Item>
                  ) : null}
                  {reportIndex < ownReports.length - 1 ? (
                    <Item icon={<ArrowDown size={16} aria-hidden />} onClick={() => moveReport(1)}>
                      {t('action.moveDown')}
                    </Item>
                  ) : null}
                  <Item isDangerous icon={<Trash2 size={16} aria-hidden />} onClick={() => remove.mutate(openReport)}>
                    {t('statistics.saved.delete')}
                  </Item>
                </>
              ) : null}
            </div>
          </>
        )}
      </Menu>
      <SavedDialog
        key={openDialog}
        saved={openDialog === 'open' ? openReport : undefined}
        isOpen={openDialog === 'new' || openDialog === 'open'}
        saveMutation={openDialog === 'open' ? change : create}
        onSave={(naming, onSaved) =>
          openDialog === 'open' && openReport
            ? change.mutate({ ...naming, saved: openReport }, { onSuccess: onSaved })
            : create.mutate({ ...naming, key: report, search }, { onSuccess: onSaved })
        }
        onClose={() => setOpenDialog(null)}
      />
      {openReport ? (
        <ScheduleDialog
          key={`schedule ${openReport.id} ${openDialog}`}
          subject={{ saved: openReport }}
          isOpen={openDialog === 'schedule'}
          onClose={() => setOpenDialog(null)}
        />
      ) : null}
    </>
  )
}

/** The export of a report as it is shown: its format, its language and its contents (statistics §7). */
import { reportFormats, type ReportKey, reportParts, writtenLocaleNames, writtenLocales } from '@dala/model'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { formatPercent } from '../../../lib/format.ts'
import { useT, useWrittenLocale } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { FailureLine } from '../../../ui/inputs/field.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { SegmentedControl } from '../../../ui/inputs/segmented.tsx'
import { Popover } from '../../../ui/overlays/popover.tsx'
import type { ReportState } from '../use-report.ts'
import { formatNames } from './format-names.ts'
import { type FileChoice, useReportFile } from './use-report-file.ts'

interface ReportExportProps {
  report: ReportKey
  state: ReportState
}

export function ReportExport({ report, state }: ReportExportProps) {
  const t = useT()
  const file = useReportFile(report, state.search)
  const written = useWrittenLocale()
  const [choice, setChoice] = useState<FileChoice>({ format: 'pdf', locale: written, parts: reportParts })
  return (
    <Popover
      title={t('export.title')}
      trigger={<IconButton label={t('export.title')} icon={<Download size={18} aria-hidden />} />}
    >
      {(closeExport) => (
        <ExportForm
          choice={choice}
          onChoice={setChoice}
          file={file}
          locale={state.locale}
          onMake={() => file.makeReportFile(choice, closeExport)}
        />
      )}
    </Popover>
  )
}

interface ExportFormProps {
  choice: FileChoice
  onChoice: (choice: FileChoice) => void
  file: ReturnType<typeof useReportFile>
  locale: ReportState['locale']
  onMake: () => void
}

function ExportForm({ choice, onChoice, file, locale, onMake }: ExportFormProps) {
  const t = useT()
  const { format, parts } = choice
  return (
    <div className="grid gap-4">
      <SegmentedControl
        label={t('statistics.files.format')}
        value={format}
        onValueChange={(chosenFormat) => onChoice({ ...choice, format: chosenFormat })}
        segments={reportFormats.map((value) => ({ value, label: formatNames[value] }))}
      />
      <Select
        aria-label={t('field.language')}
        value={choice.locale}
        onValueChange={(chosenLocale) => onChoice({ ...choice, locale: chosenLocale })}
        choices={writtenLocales.map((value) => ({ value, label: writtenLocaleNames[value] }))}
      />
      <fieldset className="grid gap-0.5">
        <legend className="mb-1 text-sm text-muted">{t('statistics.files.contents')}</legend>
        {reportParts.map((reportPart) => (
          <label key={reportPart} className="flex min-h-8 items-center gap-2.5 max-md:min-h-11">
            <input
              type="checkbox"
              className="check shrink-0"
              checked={parts.includes(reportPart)}
              onChange={({ target }) =>
                onChoice({
                  ...choice,
                  parts: reportParts.filter((listedPart) =>
                    listedPart === reportPart ? target.checked : parts.includes(listedPart),
                  ),
                })
              }
            />
            {t(`statistics.files.parts.${reportPart}`)}
          </label>
        ))}
      </fieldset>
      <Button
        kind="primary"
        isBusy={file.isMaking}
        disabled={parts.length === 0 && t('statistics.files.nothing')}
        onClick={onMake}
      >
        {t('statistics.files.save')}
      </Button>
      <output className="text-sm text-muted empty:hidden">
        {file.isMaking
          ? `${t('export.working')} ${file.progress > 0 ? formatPercent(locale, file.progress) : ''}`.trim()
          : null}
      </output>
      <FailureLine>{file.failure}</FailureLine>
    </div>
  )
}

/** The export of exactly what a list shows: columns in order, filters, sorting, in the user's language. */
import { type ExportFormat, exportFormats } from '@dala/model'
import { useMutation } from '@tanstack/react-query'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callFile } from '../../api/route.ts'
import { useT, useWrittenLocale } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FailureLine } from '../../ui/inputs/field.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { isExportedColumn } from './columns.ts'
import { exportBody, fileOf, saveFile } from './file.ts'
import { type ResourceList, useListPage } from './use-resource-list.ts'

export function ListExport({ list, onDone }: { list: ResourceList; onDone: () => void }) {
  const t = useT()
  const language = useWrittenLocale()
  const { data } = useListPage(list)
  const save = useMutation({
    mutationFn: (format: ExportFormat) =>
      callFile('POST /api/export', { body: { data: exportBody(list, format, language) } }, fileOf),
    meta: { inPlace: true },
    onSuccess: (file) => {
      saveFile(file)
      showToast({ kind: 'success', title: t('export.done', { name: file.name }) })
      onDone()
    },
  })
  const columns = list.columns.names.filter((name) => isExportedColumn(list.screen.resource, name)).length
  return (
    <div className="grid gap-4">
      <p className="text-muted">
        {t('export.rows', { count: data?.total ?? 0 })} {t('export.columns', { count: columns })}
      </p>
      <div className="grid grid-cols-2 gap-2">
        {exportFormats.map((format) => (
          <Button
            key={format}
            kind={format === 'xlsx' ? 'primary' : 'plain'}
            isBusy={save.isPending && save.variables === format}
            disabled={save.isPending && save.variables !== format && t('export.isRunning')}
            onClick={() => save.mutate(format)}
          >
            {t(`export.as.${format}`)}
          </Button>
        ))}
      </div>
      <output className="text-sm text-muted empty:hidden">{save.isPending ? t('export.working') : null}</output>
      <FailureLine>{save.error ? messageOfFailure(save.error) : undefined}</FailureLine>
    </div>
  )
}

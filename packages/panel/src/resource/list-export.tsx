/** The file of exactly what a list shows: its columns in order, its filters, its sorting, in the reader's language. */
import { useMutation } from '@tanstack/react-query'
import { wordsOfFailure } from '../api/error-toasts.ts'
import { call } from '../api/client.ts'
import { languageOf } from '../api/resource-queries.ts'
import { findResource } from '../fields/targets.ts'
import { readerZone } from '../lib/format.ts'
import { useLocale, useT } from '../lib/i18n.ts'
import { Button } from '../ui/button.tsx'
import { FailureLine } from '../ui/field.tsx'
import { showToast } from '../ui/toast.ts'
import { isExported } from './list-columns.ts'
import { narrowedBy } from './list-conditions.ts'
import { sorting } from './list-search.ts'
import { type ResourceList, useListPage } from './use-resource-list.ts'

const formats = ['xlsx', 'csv'] as const
type Format = (typeof formats)[number]

interface ExportedFile {
  content: Blob
  name: string
}

/** The file of an answer and the name that the server gave it. */
async function fileOf(answer: Response): Promise<ExportedFile> {
  const [, name = 'export'] = /filename="?([^";]+)/.exec(answer.headers.get('Content-Disposition') ?? '') ?? []
  return { content: await answer.blob(), name }
}

/** Hands a file to the browser, which keeps it where the reader's downloads are. */
function saveFile({ content, name }: ExportedFile): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** What is asked of the server. */
function exportBody(list: ResourceList, format: Format, language: string) {
  const { screen, search, rows, columns } = list
  const { resource } = screen
  return {
    resource: resource.wire,
    format,
    columns: columns.filter((name) => isExported(resource, name)),
    query: {
      ...languageOf(resource, list.language),
      ...sorting(resource, search, findResource),
      ...narrowedBy(resource, search, rows),
    },
    language,
    timeZone: readerZone(),
  }
}

export function ListExport({ list, onDone }: { list: ResourceList; onDone: () => void }) {
  const t = useT()
  const language = useLocale()
  const { data } = useListPage(list)
  const save = useMutation({
    mutationFn: (format: Format) =>
      call<ExportedFile>('POST', '/export', { body: { data: exportBody(list, format, language) } }, fileOf),
    meta: { inPlace: true },
    onSuccess: (file) => {
      saveFile(file)
      showToast({ kind: 'success', title: t('export.done', { name: file.name }) })
      onDone()
    },
  })
  const columns = list.columns.filter((name) => isExported(list.screen.resource, name)).length
  return (
    <div className="grid gap-4">
      <p className="text-muted">
        {t('export.rows', { count: data?.total ?? 0 })} {t('export.columns', { count: columns })}
      </p>
      <div className="grid grid-cols-2 gap-2">
        {formats.map((format) => (
          <Button
            key={format}
            kind={format === 'xlsx' ? 'primary' : 'plain'}
            busy={save.isPending && save.variables === format}
            disabled={save.isPending && save.variables !== format}
            onClick={() => save.mutate(format)}
          >
            {t(`export.as.${format}`)}
          </Button>
        ))}
      </div>
      <output className="text-sm text-muted empty:hidden">{save.isPending ? t('export.working') : null}</output>
      <FailureLine>{save.error ? wordsOfFailure(save.error) : undefined}</FailureLine>
    </div>
  )
}

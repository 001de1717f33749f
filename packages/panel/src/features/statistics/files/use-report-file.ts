/** Makes a file of a report, follows it while the server makes it, and saves it. */
import {
  localeOf,
  type ReportFile,
  type ReportFormat,
  type ReportKey,
  type ReportPart,
  type WrittenLocale,
} from '@dala/model'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callFile, callRoute } from '../../../api/route.ts'
import { t } from '../../../lib/i18n.ts'
import { fileOf, saveFile } from '../../../resource/list/file.ts'
import { showToast } from '../../../ui/feedback/toast.ts'
import { type ReportSearch, reportQueryOf } from '../report-search.ts'

export interface FileChoice {
  format: ReportFormat
  /** Language of the file, with its script. */
  locale: WrittenLocale
  parts: readonly ReportPart[]
}

/** Milliseconds between two questions about a file that is being made. */
const pollEvery = 1_000

const pause = () => new Promise((resolve) => setTimeout(resolve, pollEvery))

async function makeFile(
  key: ReportKey,
  search: ReportSearch,
  { format, locale, parts }: FileChoice,
  onProgress: (progress: number) => void,
): Promise<ReportFile> {
  const { locale: _locale, ...query } = reportQueryOf(search, localeOf(locale))
  const begunExport = await callRoute('POST /api/statistics/exports', {
    body: { data: { key, query, format, locale, parts } },
  })
  let file = begunExport.data
  while (file.state === 'running') {
    onProgress(file.progress)
    await pause()
    file = (await callRoute('GET /api/statistics/exports/:id', { params: { id: file.id } })).data
  }
  return file
}

/** The file of a report that the user requests; `make` calls `onSaved` when the file has been saved. */
export function useReportFile(key: ReportKey, search: ReportSearch) {
  const [progress, setProgress] = useState(0)
  const save = useMutation({
    mutationFn: async (choice: FileChoice) => {
      setProgress(0)
      const file = await makeFile(key, search, choice, setProgress)
      if (file.state === 'failed') return undefined
      return callFile('GET /api/statistics/exports/:id/file', { params: { id: file.id } }, fileOf)
    },
    meta: { inPlace: true },
    onSuccess: (file) => {
      if (!file) return
      saveFile(file)
      showToast({ kind: 'success', title: t('export.done', { name: file.name }) })
    },
  })
  const hasFailed = save.isSuccess && save.data === undefined
  return {
    makeReportFile: (choice: FileChoice, onSaved: () => void) =>
      save.mutate(choice, { onSuccess: (file) => (file ? onSaved() : undefined) }),
    isMaking: save.isPending,
    progress,
    failure: save.error ? messageOfFailure(save.error) : hasFailed ? t('statistics.files.failed') : undefined,
  }
}

/** Downloads an exported file, with a message about the outcome. */
import { useMutation } from '@tanstack/react-query'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useT } from '../../lib/i18n.ts'
import { type ExportedFile, saveFile } from './file.ts'
import { showToast } from '../../ui/feedback/toast.ts'

export function useDownload(load: () => Promise<ExportedFile>) {
  const t = useT()
  return useMutation({
    mutationFn: load,
    meta: { inPlace: true },
    onSuccess: (file) => {
      saveFile(file)
      showToast({ kind: 'success', title: t('export.done', { name: file.name }) })
    },
    onError: (error) => showToast({ kind: 'error', title: t('bulk.notExported'), text: messageOfFailure(error) }),
  })
}

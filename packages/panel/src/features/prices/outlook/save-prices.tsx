/** The file with the prices that a page is made of. */
import { useMutation } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import { wordsOfFailure } from '../../../api/error-toasts.ts'
import { call } from '../../../api/client.ts'
import type { Query } from '../../../api/query-string.ts'
import { useT } from '../../../lib/i18n.ts'
import { type ExportedFile, fileOf, type Format, saveFile } from '../../../resource/list-file.ts'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/toast.ts'

export function SavePrices({ query, format = 'xlsx' }: { query: Query; format?: Format }) {
  const t = useT()
  const save = useMutation({
    mutationFn: () => call<ExportedFile>('GET', '/pricelists/export', { query: { ...query, format } }, fileOf),
    meta: { inPlace: true },
    onSuccess: (file) => {
      saveFile(file)
      showToast({ kind: 'success', title: t('export.done', { name: file.name }) })
    },
    onError: (error) => showToast({ kind: 'error', title: t('bulk.notExported'), text: wordsOfFailure(error) }),
  })
  return (
    <Button icon={<Download size={18} aria-hidden />} busy={save.isPending} onClick={() => save.mutate()}>
      {t(`export.as.${format}`)}
    </Button>
  )
}

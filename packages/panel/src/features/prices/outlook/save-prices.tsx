/** The file with the prices that a page is made of; for writers of prices also with the earlier ones. */
import { resources } from '@dala/model'
import { useMutation } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import { wordsOfFailure } from '../../../api/error-toasts.ts'
import { call } from '../../../api/client.ts'
import type { Query } from '../../../api/query-string.ts'
import { useT } from '../../../lib/i18n.ts'
import { type ExportedFile, fileOf, type Format, formats, saveFile } from '../../../resource/list/file.ts'
import { useMay } from '../../../resource/use-may.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'

interface Choice {
  format: Format
  /** With the earlier prices. */
  trail?: true
}

export function SavePrices({ query }: { query: Query }) {
  const t = useT()
  const may = useMay(resources.pricelists)
  const save = useMutation({
    mutationFn: (choice: Choice) =>
      call<ExportedFile>('GET', '/pricelists/export', { query: { ...query, ...choice } }, fileOf),
    meta: { inPlace: true },
    onSuccess: (file) => {
      saveFile(file)
      showToast({ kind: 'success', title: t('export.done', { name: file.name }) })
    },
    onError: (error) => showToast({ kind: 'error', title: t('bulk.notExported'), text: wordsOfFailure(error) }),
  })
  return (
    <Menu
      trigger={
        <Button icon={<Download size={18} aria-hidden />} busy={save.isPending}>
          {t('export.title')}
        </Button>
      }
    >
      {({ Item }) => (
        <>
          {formats.map((format) => (
            <Item key={format} onClick={() => save.mutate({ format })}>
              {t(`export.as.${format}`)}
            </Item>
          ))}
          {may('update')
            ? formats.map((format) => (
                <Item key={format} onClick={() => save.mutate({ format, trail: true })}>
                  {t(`prices.trail.${format}`)}
                </Item>
              ))
            : null}
        </>
      )}
    </Menu>
  )
}

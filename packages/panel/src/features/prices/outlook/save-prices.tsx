/** Exports the prices of a page; users who may write prices can include replaced ones. */
import { type PriceExportFormat, priceExportFormats, resources } from '@dala/model'
import { useMutation } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { callFile } from '../../../api/route.ts'
import { useT, useWrittenLocale } from '../../../lib/i18n.ts'
import { fileOf, saveFile } from '../../../resource/list/file.ts'
import { useMay } from '../../../resource/use-may.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { showToast } from '../../../ui/feedback/toast.ts'
import type { PricesQuery } from './outlook-queries.ts'

interface Choice {
  format: PriceExportFormat
  /** Whether the export includes replaced prices. */
  trail?: true
}

export function SavePrices({ query }: { query: PricesQuery }) {
  const t = useT()
  const locale = useWrittenLocale()
  const may = useMay(resources.pricelists)
  const save = useMutation({
    mutationFn: (choice: Choice) =>
      callFile('GET /api/pricelists/export', { query: { ...query, locale, ...choice } }, fileOf),
    meta: { inPlace: true },
    onSuccess: (file) => {
      saveFile(file)
      showToast({ kind: 'success', title: t('export.done', { name: file.name }) })
    },
    onError: (error) => showToast({ kind: 'error', title: t('bulk.notExported'), text: messageOfFailure(error) }),
  })
  return (
    <Menu
      trigger={
        <Button icon={<Download size={18} aria-hidden />} isBusy={save.isPending}>
          {t('export.title')}
        </Button>
      }
    >
      {({ Item }) => (
        <>
          {priceExportFormats.map((format) => (
            <Item key={format} onClick={() => save.mutate({ format })}>
              {t(`export.as.${format}`)}
            </Item>
          ))}
          {may('update')
            ? priceExportFormats.map((format) => (
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

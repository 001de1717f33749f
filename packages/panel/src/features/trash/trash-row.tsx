/** One deleted record: name and kind, deletion time and user, and the restore button. */
import {
  type DeletedRecord,
  isLocale,
  localeNames,
  type Resource,
  resources,
  resourceTitle,
  screensOf,
} from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { nameOfPerson, messageOfFailure } from '../../api/error-toasts.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { formatDate, formatDateTime, formatList, formatNumber } from '../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { restoreRevision } from '../../resource/history/queries.ts'
import { editAddress } from '../../resource/screen-address.ts'
import { Button } from '../../ui/button.tsx'
import { FailureLine } from '../../ui/inputs/field.tsx'
import { showToast } from '../../ui/feedback/toast.ts'

export function TrashRow({ line, onRestored }: { line: DeletedRecord; onRestored: () => void }) {
  const t = useT()
  const obstacle = useObstacle()
  const locale = useLocale()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const resource = Object.values<Resource>(resources).find(({ wire }) => wire === line.resource)
  const [screen] = resource ? screensOf(resource) : []
  const name = line.name ?? t('record.untitled', { id: formatNumber(locale, line.id) })
  const restoreMutation = useMutation({
    meta: { inPlace: true },
    mutationFn: () => restoreRevision(line.resource, line.id),
    onSuccess: async () => {
      onRestored()
      const singularName = resource ? firstTranslation([`${screen?.labelPrefix ?? resource.name}.one`]) : name
      showToast({
        kind: 'success',
        title: t('message.restored', { resource: singularName }),
        text: name,
        ...(screen && {
          action: { label: t('trash.open'), run: () => void navigate({ ...editAddress(screen, line.id) }) },
        }),
      })
      await cache.invalidateQueries({ queryKey: ['resource'] })
    },
  })
  const languages = line.locales.filter(isLocale).map((lineLocale) => localeNames[lineLocale])
  const removerName = nameOfPerson(line.by)
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line px-6 py-3 last:border-0 max-md:px-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="text-sm text-muted">
          {resource ? firstTranslation([resourceTitle(resource)]) : line.resource}
          {languages.length > 0 ? ` · ${formatList(t, languages)}` : ''}
        </p>
      </div>
      <div className="text-sm md:w-60">
        <p>
          <span className="text-muted">{t('trash.deletedAt')}:</span>{' '}
          <time className="tabular-nums">{formatDateTime(line.at)}</time>
        </p>
        {removerName === undefined ? null : (
          <p className="wrap-anywhere">
            <span className="text-muted">{t('trash.deletedBy')}:</span> {removerName}
          </p>
        )}
        <p>
          <span className="text-muted">{t('trash.until')}:</span>{' '}
          <time className="tabular-nums">{formatDate(line.until)}</time>
        </p>
      </div>
      <Button
        icon={<RotateCcw size={16} aria-hidden />}
        aria-label={t('trash.restoreNamed', { name })}
        isBusy={restoreMutation.isPending}
        disabled={obstacle ?? false}
        onClick={() => restoreMutation.mutate()}
      >
        {t('action.restore')}
      </Button>
      <div className="basis-full empty:hidden">
        <FailureLine>{restoreMutation.error ? messageOfFailure(restoreMutation.error) : undefined}</FailureLine>
      </div>
    </li>
  )
}

/** The last changes of the organisation's settings: when, who, and what became what. */
import type { OrganisationChange } from '@dala/model'
import { formatDateTime } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Part } from '../../resource/part.tsx'
import { changeText } from './value-text.ts'

export function HistoryPart({ history }: { history: readonly OrganisationChange[] }) {
  const t = useT()
  const locale = useLocale()
  return (
    <Part title={t('history.title')}>
      {history.length === 0 ? (
        <p className="text-muted">{t('organisation.noHistory')}</p>
      ) : (
        <ol className="divide-y divide-line text-sm">
          {history.map((change) => (
            <li
              key={change.id}
              className="grid grid-cols-[9.5rem_minmax(0,12rem)_minmax(0,1fr)] gap-x-4 gap-y-0.5 py-2 max-md:grid-cols-1"
            >
              <time dateTime={change.at} className="text-muted tabular-nums">
                {formatDateTime(change.at)}
              </time>
              <span className="wrap-anywhere">{change.by?.name ?? t('organisation.formerUser')}</span>
              <span className="whitespace-pre-line wrap-anywhere">
                <span className="font-medium">{t(`organisation.settings.${change.key}`)}:</span>{' '}
                {changeText(t, locale, change)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Part>
  )
}

/** The warnings of the System page: what happened, since when, and what to do. */
import type { Locale, SystemWarning } from '@dala/model'
import { Link } from '@tanstack/react-router'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { formatBytes, formatClock, formatDateTime, formatNumber, type Translate } from '../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { copiesId } from './backups-sheet.tsx'

/** Names of the values that are sizes in bytes. */
const sizes: readonly string[] = ['free', 'total', 'daily']

/** Returns the values of a warning's text in the form of the user's language. */
function valuesOf(t: Translate, locale: Locale, { params, since }: SystemWarning): Record<string, string | number> {
  const shownParams = Object.entries(params).map(([name, value]) => {
    if (sizes.includes(name) && typeof value === 'number') return [name, formatBytes(t, locale, value)] as const
    if (name === 'delay' && typeof value === 'number') return [name, formatNumber(locale, value)] as const
    return name === 'queue' ? ([name, firstTranslation([`system.queue.${value}`])] as const) : ([name, value] as const)
  })
  return { ...Object.fromEntries(shownParams), time: formatClock(since), moment: formatDateTime(since) }
}

/** Leads to the copies on the same page, for the keyboard too. */
function showCopies(): void {
  const copies = document.getElementById(copiesId)
  copies?.focus({ preventScroll: true })
  copies?.scrollIntoView()
}

export function WarningsSheet({ warnings }: { warnings: readonly SystemWarning[] }) {
  const t = useT()
  const locale = useLocale()
  if (warnings.length === 0) return null
  return (
    <Sheet aria-label={t('system.warnings')} className="mb-4 border-warning">
      <ul className="divide-y divide-line">
        {warnings.map((warning) => {
          const { code, action, params } = warning
          const values = valuesOf(t, locale, warning)
          return (
            <li
              key={`${code} ${params['queue'] ?? ''}`}
              className="flex items-center gap-4 px-5 py-3 max-md:flex-wrap max-md:px-4"
            >
              <TriangleAlert size={18} aria-hidden className="mt-0.5 shrink-0 self-start text-warning-text" />
              <div className="min-w-0 flex-1 max-md:min-w-[calc(100%-34px)]">
                <h2 className="font-semibold wrap-anywhere">{t(`system.warning.${code}.title`, values)}</h2>
                <p className="text-sm text-muted wrap-anywhere">
                  {t(`system.warning.${code}.text`, values)}{' '}
                  <strong className="font-semibold text-ink">{t('system.toDo')}</strong>{' '}
                  {t(`system.warning.${code}.advice`, values)}
                </p>
              </div>
              {action === 'copies' ? (
                <Button className="shrink-0 max-md:w-full" onClick={showCopies}>
                  {t('system.action.copies')}
                </Button>
              ) : action ? (
                <Link to={`/app/${action}`} className={buttonClass('plain', 'shrink-0 max-md:w-full')}>
                  {t(`system.action.${action}`)}
                </Link>
              ) : null}
            </li>
          )
        })}
      </ul>
    </Sheet>
  )
}

/**
 * The overview of the translations workspace: every resource in every language, with current, outdated and
 * missing counts.
 */
import { localeNames, locales, type TranslationProgress } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import Files from 'lucide-react/icons/files'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfError } from '../../api/error-toasts.ts'
import { meQuery } from '../../api/session.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { formatNumber } from '../../lib/format.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { AwaitedPart } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useWasEverTrue } from '../../ui/use-ever.ts'
import { ProgressCell } from './progress-cell.tsx'
import { sumOf, translatedScreen, translationsQuery, translationQueueAddress } from './translations.ts'

const MemoryDialog = lazyPart(async () => (await import('./memory-dialog.tsx')).MemoryDialog)

export function DeskPage() {
  const t = useT()
  const locale = useLocale()
  const { data: me } = useQuery(meQuery)
  const { data, error, refetch } = useQuery(translationsQuery)
  const title = t('page.translations')
  useDocumentTitle(title)
  const rows = me && data ? rowsOf(data, (wire) => translatedScreen(wire, me)) : undefined
  const remainingCount = rows ? sumOf(rows.flatMap(({ parts }) => parts)) : undefined
  return (
    <>
      <PageHead
        title={title}
        total={remainingCount && formatNumber(locale, remainingCount.missing + remainingCount.outdated)}
        about={t('desk.about')}
        actions={rows && rows.length > 0 ? <MemoryButton /> : undefined}
      />
      <Sheet isStrip>
        {error && !data ? (
          <FailureState
            title={t('desk.failed')}
            text={error instanceof ApiError && error.status > 0 ? messageOfError(error) : t('error.network.message')}
            {...(error instanceof ApiError && error.status > 0 ? { status: error.status } : {})}
            onRetry={() => void refetch()}
          />
        ) : !rows ? (
          <DelayedContent>
            <div className="grid gap-4 p-4">
              {Array.from({ length: 8 }, (_, index) => (
                <Skeleton key={index} className="h-9 w-full" />
              ))}
            </div>
          </DelayedContent>
        ) : rows.length === 0 ? (
          <EmptyState title={t('empty.noData')} text={t('desk.nothing')} />
        ) : (
          <DeskTable rows={rows} title={title} />
        )}
      </Sheet>
    </>
  )
}

/** Button that opens the translation memory as files. */
function MemoryButton() {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Files size={17} aria-hidden />} onClick={() => setOpen(true)}>
        {t('memory.tmx')}
      </Button>
      {useWasEverTrue(isOpen) ? (
        <AwaitedPart onGiveUp={() => setOpen(false)}>
          <MemoryDialog open={isOpen} onClose={() => setOpen(false)} />
        </AwaitedPart>
      ) : null}
    </>
  )
}

interface Row {
  wire: string
  labelPrefix: string
  /** Progress of translations by language, in the order of the languages. */
  parts: readonly TranslationProgress[]
}

/**
 * Resources whose translations the user may change, in the order of the answer, which is that of the menu.
 */
function rowsOf(
  allProgress: readonly TranslationProgress[],
  screenOf: (wire: string) => { labelPrefix: string } | undefined,
): Row[] {
  return [...new Set(allProgress.map(({ resource }) => resource))].flatMap((wire) => {
    const screen = screenOf(wire)
    const parts = locales.flatMap((locale) =>
      allProgress.filter((localeProgress) => localeProgress.resource === wire && localeProgress.locale === locale),
    )
    return screen && parts.length === locales.length ? [{ wire, labelPrefix: screen.labelPrefix, parts }] : []
  })
}

const headClass = 'border-b border-line px-4 py-2.5 text-start text-sm font-medium text-muted'

function DeskTable({ rows, title }: { rows: readonly Row[]; title: string }) {
  const t = useT()
  return (
    <ScrollRegion aria-label={title} className="overflow-x-auto -outline-offset-2">
      <table className="w-full min-w-[620px] border-collapse">
        <thead>
          <tr>
            <th scope="col" className={headClass}>
              {t('desk.what')}
            </th>
            {locales.map((locale) => (
              <th key={locale} scope="col" lang={locale} className={headClass}>
                {localeNames[locale]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ wire, labelPrefix, parts }) => (
            <tr key={wire} className="hover:bg-hover">
              <th scope="row" className="border-b border-line px-4 py-2 text-start align-top font-semibold">
                {firstTranslation([`${labelPrefix}.many`])}
              </th>
              {parts.map((languageProgress) => (
                <td key={languageProgress.locale} className="border-b border-line px-1.5 py-0.5 align-top">
                  <ProgressCell counts={languageProgress} to={translationQueueAddress(wire, languageProgress.locale)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="bg-sunken">
            <th scope="row" className="px-4 py-2 text-start align-top font-semibold">
              {t('list.total')}
            </th>
            {locales.map((locale, index) => (
              <td key={locale} className="px-1.5 py-0.5 align-top">
                <ProgressCell
                  counts={sumOf(
                    rows.flatMap(({ parts }) => {
                      const languageProgress = parts[index]
                      return languageProgress ? [languageProgress] : []
                    }),
                  )}
                />
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </ScrollRegion>
  )
}

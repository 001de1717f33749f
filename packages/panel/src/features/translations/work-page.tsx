/**
 * The work list of one resource in one language: missing or outdated records on one side, the texts of one on
 * the other.
 */
import { isLocale, type Locale, localeNames, type Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import Files from 'lucide-react/icons/files'
import { useState } from 'react'
import { type CurrentUser, meQuery } from '../../api/session.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { firstTranslation, useLocale, useT } from '../../lib/i18n.ts'
import { useNameRecord } from '../../lib/record-name.ts'
import { narrowQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { RecordLoading, useRecord } from '../../resource/record/record-state.tsx'
import { AwaitedPart } from '../../ui/awaited.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useWasEverTrue } from '../../ui/use-ever.ts'
import { DeskEditor } from './editor.tsx'
import { isOpenTranslationKind, translatedScreen, type OpenTranslationKind } from './translations.ts'
import { useTranslationQueue } from './use-work.ts'
import { WorkList } from './work-list.tsx'

const WorkDialog = lazyPart(async () => (await import('./work-dialog.tsx')).WorkDialog)

export function WorkPage() {
  const t = useT()
  const { resource: wire = '', locale }: { resource?: string; locale?: string } = useParams({ strict: false })
  const { data: me } = useQuery(meQuery)
  const screen = me && translatedScreen(wire, me)
  if (!me) return null
  if (!screen || !isLocale(locale))
    return (
      <Sheet className="mt-6">
        <FailureState title={t('error.404.title')} text={t('error.404.message')} status={404} />
        <p className="-mt-8 pb-12 text-center">
          <Link to="/app/translations" className={buttonClass('plain')}>
            {t('page.translations')}
          </Link>
        </p>
      </Sheet>
    )
  return <TranslationWork key={`${wire}/${locale}`} screen={screen} locale={locale} me={me} />
}

interface WorkProps {
  screen: Screen
  locale: Locale
  me: CurrentUser
}

function TranslationWork({ screen, locale, me }: WorkProps) {
  const t = useT()
  const isNarrow = useMedia(narrowQuery)
  const navigate = useNavigate()
  const { of, record }: { of?: unknown; record?: unknown } = useSearch({ strict: false })
  const kind = isOpenTranslationKind(of) ? of : 'missing'
  const queue = useTranslationQueue(screen, locale, kind)
  const name = firstTranslation([`${screen.labelPrefix}.many`])
  const title = t('desk.work', { resource: name, language: localeNames[locale] })
  useDocumentTitle(title)
  useNameRecord(title)
  // A user who came by "next" continues writing; a user who has just opened the page reads first.
  const [isGoing, setIsGoing] = useState(false)

  const requestedId = typeof record === 'string' && /^\d{1,10}$/.test(record) ? Number(record) : undefined
  // The first record to translate opens by default, and stays open when saving removes it from the list.
  const [firstEntry] = queue.entries ?? []
  const [openedRecord, setOpenedRecord] = useState<{ kind: OpenTranslationKind; id: number }>()
  if (firstEntry && !queue.isOld && openedRecord?.kind !== kind) setOpenedRecord({ kind, id: firstEntry.id })
  const shownId = requestedId ?? (isNarrow || openedRecord?.kind !== kind ? undefined : openedRecord.id)
  const openRecord = (id: number | undefined) => {
    setIsGoing(true)
    void navigate({
      to: '.',
      search: (formerSearch: object) => ({ ...formerSearch, record: id === undefined ? '' : String(id) }),
      replace: true,
      resetScroll: false,
    })
  }
  const step = (offset: 1 | -1): number | undefined => {
    const ids = (queue.entries ?? []).map(({ id }) => id)
    const position = shownId === undefined ? -1 : ids.indexOf(shownId)
    // A record saved a moment ago may have left the list: the first other record is next.
    if (position === -1) return offset === 1 ? ids.find((id) => id !== shownId) : undefined
    return ids[position + offset] ?? (offset === 1 ? ids.find((id) => id !== shownId) : undefined)
  }

  const isAlone = isNarrow && shownId !== undefined
  return (
    <>
      <PageHead
        title={title}
        about={t('desk.workAbout')}
        actions={<WorkButton screen={screen} locale={locale} kind={kind} />}
      />
      {isAlone ? (
        <p className="pb-3">
          <button type="button" className={buttonClass('plain')} onClick={() => openRecord(undefined)}>
            <ChevronLeft size={17} aria-hidden className="mirrored" />
            {t('form.backToList')}
          </button>
        </p>
      ) : null}
      <div className="grid items-start gap-5 min-[1100px]:grid-cols-[300px_minmax(0,1fr)]">
        {isAlone ? null : <WorkList queue={queue} screen={screen} locale={locale} kind={kind} shownId={shownId} />}
        {shownId === undefined ? (
          isNarrow ? null : (
            <Sheet>
              <EmptyState title={t('desk.nothingShown')} text={t('desk.choose')} />
            </Sheet>
          )
        ) : (
          <ShownRecord
            key={shownId}
            screen={screen}
            locale={locale}
            me={me}
            id={shownId}
            isGoing={isGoing}
            next={step(1)}
            previous={step(-1)}
            onGo={openRecord}
          />
        )}
      </div>
    </>
  )
}

/** Button that opens the work list as a file for translators. */
function WorkButton(work: Pick<WorkProps, 'screen' | 'locale'> & { kind: OpenTranslationKind }) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Files size={17} aria-hidden />} onClick={() => setOpen(true)}>
        {t('memory.files')}
      </Button>
      {useWasEverTrue(isOpen) ? (
        <AwaitedPart onGiveUp={() => setOpen(false)}>
          <WorkDialog {...work} open={isOpen} onClose={() => setOpen(false)} />
        </AwaitedPart>
      ) : null}
    </>
  )
}

interface ShownProps extends WorkProps {
  id: number
  isGoing: boolean
  next: number | undefined
  previous: number | undefined
  onGo: (id: number | undefined) => void
}

/** Shows a record from the list of open translations, once the record is loaded. */
function ShownRecord({ screen, id, ...otherProps }: ShownProps) {
  const reader = useLocale()
  const [readingLanguage] = useState(reader)
  const state = useRecord(screen.resource, String(id), readingLanguage)
  if (!state.record) return <RecordLoading screen={screen} state={state} />
  const index = screen.resource.single ? 'single' : String(id)
  return (
    <DeskEditor screen={screen} record={state.record} index={index} readingLanguage={readingLanguage} {...otherProps} />
  )
}

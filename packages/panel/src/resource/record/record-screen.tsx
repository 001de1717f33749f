/** Page that shows one record: its head with the actions, and below the content that the screen provides. */
import { type Entry, isLocale, type Locale, type Screen } from '@dala/model'
import { Link, useSearch } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import { useTitleOf } from '../../fields/field-display.tsx'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { useNameRecord } from '../../lib/record-name.ts'
import { buttonClass } from '../../ui/button.tsx'
import { iconButtonClass } from '../../ui/icon-button.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { entryInLanguage } from '../entry-languages.ts'
import { FormScreen } from '../form/form-screen.tsx'
import { RecordMenu } from './menu.tsx'
import { RecordLoading, useRecord } from './record-state.tsx'
import { editAddress } from '../screen-address.ts'
import type { FormSlots, OverviewSlots } from '../screen-parts.ts'
import { useMay } from '../use-may.ts'
import { WithHistory } from '../history/with-history.tsx'

export interface RecordScreenProps {
  screen: Screen
  /** Id of the record in the address, or `new`. */
  index: string
  slots: OverviewSlots
  formSlots?: FormSlots | undefined
}

/**
 * The page of a record in the language of the address or the user's. Shows the form where the address asks
 * for it or the record is new.
 */
export function RecordScreen({ screen, index, slots, formSlots }: RecordScreenProps) {
  const { view, lang }: { view?: unknown; lang?: unknown } = useSearch({ strict: false })
  const reader = useLocale()
  const language = isLocale(lang) ? lang : reader
  // A record that only the program changes has no form, because the form would have no field.
  const hasForm = screen.readPath === screen.editPath && !screen.resource.appendOnly
  const isForm = index === 'new' || (view === 'edit' && hasForm)
  const state = useRecord(screen.resource, isForm ? 'new' : index, language)
  if (isForm) return <FormScreen screen={screen} index={index} slots={formSlots} />
  if (state.record === undefined || state.record === null) return <RecordLoading screen={screen} state={state} />
  return (
    <RecordInLanguage screen={screen} stored={state.record} language={language} slots={slots} formSlots={formSlots} />
  )
}

interface RecordInLanguageProps extends Omit<RecordScreenProps, 'index'> {
  stored: Entry
  language: Locale
}

/**
 * Reads a record with its links in the language of the requested entry: the entry of this language is read
 * too if it differs.
 */
function RecordInLanguage({ screen, stored, language, slots, formSlots }: RecordInLanguageProps) {
  const translation = entryInLanguage(stored, language)
  const ownLanguageQuery = useRecord(
    screen.resource,
    translation.id === stored.id ? 'new' : String(translation.id),
    language,
  )
  const record = ownLanguageQuery.record ?? translation
  return (
    <WithHistory resource={screen.resource} record={record} language={language}>
      <RecordPage screen={screen} record={record} slots={slots} home={formSlots?.homeOf?.(record)} />
    </WithHistory>
  )
}

interface RecordPageProps {
  screen: Screen
  record: Entry
  slots: OverviewSlots
  home: string | undefined
}

function RecordPage({ screen, record, slots, home }: RecordPageProps) {
  const t = useT()
  const may = useMay(screen.resource)
  const name = useTitleOf(screen.resource)(record)
  const { titleOf, isDense, fillsWindow, Overview, Lead, Line, Actions, editLabel = 'action.edit' } = slots
  const title = titleOf?.(t, record) ?? name
  useDocumentTitle(title)
  useNameRecord(title)
  const page = (
    <>
      <PageHead
        title={title}
        isDense={isDense}
        leadContent={Lead && <Lead record={record} />}
        text={Line && <Line record={record} />}
        actions={
          <>
            {Actions ? <Actions screen={screen} record={record} /> : null}
            {/* When the buttons of the head wrap, the menu stays on the line of the edit button. */}
            <span className="flex items-center gap-2 empty:hidden">
              {may('update', record) ? (
                <EditLink screen={screen} record={record} label={t(editLabel)} isIcon={isDense === true} />
              ) : null}
              <RecordMenu
                screen={screen}
                record={record}
                name={name}
                {...(home && { home })}
                {...(slots.duplicate && { duplicate: slots.duplicate })}
              />
            </span>
          </>
        }
      />
      <Overview screen={screen} record={record} />
    </>
  )
  // Content that scrolls fills the window below the record's head, whose buttons may take several rows.
  if (isDense)
    return (
      <div className="md:-mb-5 md:flex md:h-[calc(100dvh-var(--top-h)-var(--lines-h)-20px)] md:min-h-[480px] md:flex-col">
        {page}
      </div>
    )
  if (fillsWindow)
    return (
      <div className="lg:-mb-5 lg:flex lg:h-[calc(100dvh-var(--top-h)-var(--lines-h)-20px)] lg:min-h-[560px] lg:flex-col">
        {page}
      </div>
    )
  return page
}

/** Link to the form of a record; in a head of one line an icon replaces its label. */
function EditLink({
  screen,
  record,
  label,
  isIcon,
}: Pick<RecordPageProps, 'screen' | 'record'> & { label: string; isIcon: boolean }) {
  return (
    <Link
      {...editAddress(screen, record.id)}
      className={isIcon ? iconButtonClass : buttonClass('plain')}
      {...(isIcon && { 'aria-label': label, 'data-tip': label })}
    >
      <Pencil size={isIcon ? 18 : 16} aria-hidden />
      {isIcon ? null : label}
    </Link>
  )
}

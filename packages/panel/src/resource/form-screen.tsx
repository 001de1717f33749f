/** The form of any resource: sections in the middle, pictures and translations beside, one save bar below. */
import { type Entry, isLocale, type Locale, localeNames, locales, type Resource, type Screen } from '@dala/model'
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import Languages from 'lucide-react/icons/languages'
import { useState } from 'react'
import { useTitleOf } from '../fields/field-display.tsx'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatDateTime } from '../lib/format.ts'
import { tFirst, useLocale, useT } from '../lib/i18n.ts'
import { useNameRecord } from '../lib/record-name.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Select } from '../ui/select.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { StatusDot } from '../ui/status-dot.tsx'
import { FormAside } from './form-aside.tsx'
import { FormNotices } from './form-notices.tsx'
import { FormSections } from './form-sections.tsx'
import { RecordMenu } from './record-menu.tsx'
import { RecordLoading, useRecord } from './record-state.tsx'
import { SaveBar } from './save-bar.tsx'
import { type Address, editAddress, seenAddress } from './screen-address.ts'
import type { FormParts } from './screen-parts.ts'
import { useMay } from './use-may.ts'
import { useResourceForm } from './use-resource-form.ts'

export interface FormScreenProps {
  screen: Screen
  /** An id or `new`; a single type has none. */
  index?: string
  /** What this form draws in its own way. */
  parts?: FormParts | undefined
}

/** Loads the record, then draws the form; a new record needs no loading. */
export function FormScreen({ screen, index = 'single', parts = {} }: FormScreenProps) {
  const reader = useLocale()
  // The language of populated links only; the form shows every language of the record.
  const [language] = useState(reader)
  const state = useRecord(screen.resource, index, language)
  if (state.record === undefined) return <RecordLoading screen={screen} state={state} />
  return <RecordForm key={index} screen={screen} parts={parts} record={state.record} index={index} />
}

/** The language of the texts: the address's, else the reader's (design, forms). */
function useContentLanguage(): [Locale, (locale: Locale) => void] {
  const reader = useLocale()
  const { lang }: { lang?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const language = isLocale(lang) ? lang : reader
  return [
    language,
    (locale) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, lang: locale }),
        replace: true,
        resetScroll: false,
      }),
  ]
}

interface RecordFormProps {
  screen: Screen
  parts: FormParts
  record: Entry | null
  index: string
}

function RecordForm({ screen, parts, record, index }: RecordFormProps) {
  const t = useT()
  const { resource } = screen
  const navigate = useNavigate()
  const titleOf = useTitleOf(resource)
  const may = useMay(resource)
  const [language, setLanguage] = useContentLanguage()
  const form = useResourceForm({
    screen,
    record,
    index,
    language,
    onSaved: (id) => {
      // A new record gets the address of its own, in the language it was written in.
      if (index !== 'new') return
      const address = parts.opensPage ? seenAddress(screen, id) : editAddress(screen, id)
      void navigate({ ...withLanguage(address, language), replace: true, ignoreBlocker: true })
    },
  })
  const blocker = useBlocker({
    // A session that ended leads to the sign-in page; the draft waits there for the way back.
    shouldBlockFn: ({ current, next }) =>
      form.isDirty && !form.save.isPending && next.pathname !== current.pathname && !next.pathname.startsWith('/user'),
    enableBeforeUnload: false,
    withResolver: true,
  })

  const one = tFirst([`${screen.words}.one`])
  const title = resource.single
    ? tFirst([`${screen.words}.many`])
    : record
      ? titleOf(entryIn(record, language))
      : t('content.new', { resource: one })
  useDocumentTitle(title)
  useNameRecord(title)

  const focusField = (name: string | undefined) => {
    if (name === undefined) return
    const [, locale] = /^texts\.(\w+)\./.exec(name) ?? []
    if (isLocale(locale) && locale !== language) setLanguage(locale)
    // The language may have to be drawn first.
    requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`[data-field="${name}"] :is(input, textarea, button, [role="textbox"])`)
        ?.focus(),
    )
  }

  return (
    <form
      noValidate
      className="flex min-h-[calc(100dvh-var(--top-h)-8px)] flex-col max-md:pb-24"
      onSubmit={(event) => {
        event.preventDefault()
        focusField(form.submit())
      }}
    >
      <PageHead
        title={title}
        text={record && <RecordState resource={resource} record={record} />}
        actions={
          <>
            {resource.localized ? <LanguageSelect language={language} onChange={setLanguage} /> : null}
            {parts.Actions ? <parts.Actions form={form} record={record} language={language} /> : null}
            {record && !resource.single && may('remove', record) ? (
              <RecordMenu
                screen={screen}
                record={record}
                name={title}
                {...(parts.homeOf && { home: parts.homeOf(record) })}
                onDeleted={form.forget}
              />
            ) : null}
          </>
        }
      />
      <FormNotices form={form} onFocusField={focusField} />
      <div className="mb-8 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
        <Sheet padded>
          <FormSections resource={resource} parts={parts} form={form} record={record} language={language} />
        </Sheet>
        <FormAside
          resource={resource}
          parts={parts}
          form={form}
          record={record}
          language={language}
          onLanguage={setLanguage}
        />
      </div>
      <SaveBar form={form} isNew={record === null} />
      <ConfirmDialog
        open={blocker.status === 'blocked'}
        onOpenChange={(open) => !open && blocker.reset?.()}
        title={t('dialog.unsaved.title')}
        description={t('dialog.unsaved.text')}
        cancelLabel={t('dialog.unsaved.stay')}
        confirmLabel={t('dialog.unsaved.leave')}
        danger
        onConfirm={() => {
          form.discard()
          blocker.proceed?.()
        }}
      />
    </form>
  )
}

const withLanguage = ({ to, search }: Address, lang: Locale) => ({ to, search: { ...search, lang } })

/** The record in a language, or as it came when that language is missing. */
function entryIn(record: Entry, language: Locale): Entry {
  const others: unknown[] = Array.isArray(record.localizations) ? record.localizations : []
  const found = others.find(
    (entry) => typeof entry === 'object' && entry !== null && 'locale' in entry && entry.locale === language,
  )
  return found ? { ...record, ...found } : record
}

function RecordState({ resource, record }: { resource: Resource; record: Entry }) {
  const t = useT()
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      {'active' in resource.fields ? <StatusDot active={record.active === true} /> : null}
      <span>
        {t('field.updatedAt')}: <time className="tabular-nums">{formatDateTime(String(record.updatedAt))}</time>
      </span>
    </span>
  )
}

function LanguageSelect({ language, onChange }: { language: Locale; onChange: (locale: Locale) => void }) {
  const t = useT()
  return (
    <div className="flex items-center gap-2.5">
      <span id="content-language" className="text-muted">
        {t('form.editingIn')}
      </span>
      <Select
        look="filter"
        aria-labelledby="content-language"
        icon={<Languages size={16} aria-hidden />}
        value={language}
        onValueChange={onChange}
        choices={locales.map((locale) => ({ value: locale, label: localeNames[locale], lang: locale }))}
        className="min-w-[184px]"
      />
    </div>
  )
}

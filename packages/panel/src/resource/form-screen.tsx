/** The form of any resource: sections in the middle, pictures and translations beside, one save bar below. */
import {
  type Entry,
  isLocale,
  type Locale,
  localeNames,
  locales,
  type Resource,
  resourceSingular,
  resourceTitle,
} from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import Languages from 'lucide-react/icons/languages'
import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { wordsOfError } from '../api/error-toasts.ts'
import { resourceQueries } from '../api/resource-queries.ts'
import { useTitleOf } from '../fields/field-display.tsx'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatDateTime } from '../lib/format.ts'
import { tFirst, useLocale, useT } from '../lib/i18n.ts'
import { useNameRecord } from '../lib/record-name.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { FailureState } from '../ui/failure-state.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Select } from '../ui/select.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Delayed, Skeleton } from '../ui/skeleton.tsx'
import { StatusDot } from '../ui/status-dot.tsx'
import { FormAside } from './form-aside.tsx'
import { FormNotices } from './form-notices.tsx'
import { FormSections } from './form-sections.tsx'
import { RecordMenu } from './record-menu.tsx'
import { SaveBar } from './save-bar.tsx'
import { useResourceForm } from './use-resource-form.ts'

export interface FormScreenProps {
  resource: Resource
  /** An id or `new`; a single type has none. */
  index?: string
}

/** Loads the record, then draws the form; a new record needs no loading. */
export function FormScreen({ resource, index = 'single' }: FormScreenProps) {
  const t = useT()
  const reader = useLocale()
  const queries = resourceQueries(resource)
  const isNew = index === 'new'
  const id = /^\d{1,10}$/.test(index) ? Number(index) : 0
  // The language of populated links only; the form shows every language of the record.
  const [language] = useState(reader)
  const one = useQuery({ ...queries.one(id, language), enabled: !isNew && !resource.single })
  const single = useQuery({ ...queries.single(language), enabled: resource.single === true })
  const { data, error, refetch } = resource.single ? single : one

  if (isNew) return <RecordForm key="new" resource={resource} record={null} index={index} />
  if (data !== undefined) return <RecordForm key={index} resource={resource} record={data} index={index} />
  if (error) {
    const answered = error instanceof ApiError && error.status > 0
    return (
      <Sheet className="mt-6">
        <FailureState
          title={t('form.failed')}
          text={answered ? wordsOfError(error) : t('error.network.message')}
          {...(answered ? { status: error.status } : {})}
          {...(answered && error.status === 404 ? {} : { onRetry: () => void refetch() })}
        />
      </Sheet>
    )
  }
  return (
    <Delayed>
      <Sheet padded className="mt-6 grid gap-5">
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} className="h-10 w-full" />
        ))}
      </Sheet>
    </Delayed>
  )
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

function RecordForm({ resource, record, index }: { resource: Resource; record: Entry | null; index: string }) {
  const t = useT()
  const navigate = useNavigate()
  const titleOf = useTitleOf(resource)
  const [language, setLanguage] = useContentLanguage()
  const form = useResourceForm({
    resource,
    record,
    index,
    language,
    onSaved: (id) => {
      // A new record gets the address of its own, in the language it was written in.
      if (index === 'new')
        void navigate({
          to: `/app/${resource.path}/${id}`,
          search: { lang: language },
          replace: true,
          ignoreBlocker: true,
        })
    },
  })
  const blocker = useBlocker({
    // A session that ended leads to the sign-in page; the draft waits there for the way back.
    shouldBlockFn: ({ current, next }) =>
      form.isDirty && !form.save.isPending && next.pathname !== current.pathname && !next.pathname.startsWith('/user'),
    enableBeforeUnload: false,
    withResolver: true,
  })

  const one = tFirst([resourceSingular(resource)])
  const title = resource.single
    ? tFirst([resourceTitle(resource)])
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
            {record && !resource.single ? (
              <RecordMenu resource={resource} record={record} name={title} onDeleted={form.forget} />
            ) : null}
          </>
        }
      />
      <FormNotices form={form} onFocusField={focusField} />
      <div className="mb-8 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
        <Sheet padded>
          <FormSections resource={resource} form={form} language={language} />
        </Sheet>
        <FormAside resource={resource} form={form} record={record} language={language} onLanguage={setLanguage} />
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

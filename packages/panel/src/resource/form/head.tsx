/** The head of a form: its state, its languages, the edited language, and the actions on its record. */
import { type Entry, isLocale, type Locale, localeNames, locales, type Resource, type Screen } from '@dala/model'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import Eye from 'lucide-react/icons/eye'
import Languages from 'lucide-react/icons/languages'
import { Suspense } from 'react'
import { useWatch } from 'react-hook-form'
import { formatDateTime } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { LanguageCoverage } from '../../ui/language-coverage.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { StatusDot } from '../../ui/feedback/status-dot.tsx'
import { hasText } from './values.ts'
import { lazyOptionalPart } from '../../ui/lazy-part.ts'
import { RecordMenu } from '../record/menu.tsx'
import { LanguageScripts } from './script/script-menu.tsx'
import { recordAddress } from '../screen-address.ts'
import type { FormSlotProps, FormSlots } from '../screen-parts.ts'
import type { ResourceForm } from './use-resource-form.ts'

const FormPresence = lazyOptionalPart(async () => (await import('./presence.tsx')).FormPresence)

/**
 * Language of the texts: that of the address, else the user's.
 *
 * @param key - Search parameter of the language.
 * @returns The language, and a function that changes it.
 */
export function useContentLanguage(key = 'lang'): [Locale, (locale: Locale) => void] {
  const reader = useLocale()
  const { [key]: lang }: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const language = isLocale(lang) ? lang : reader
  return [
    language,
    (locale) =>
      void navigate({
        to: '.',
        search: (formerSearch: object) => ({ ...formerSearch, [key]: locale }),
        replace: true,
        resetScroll: false,
      }),
  ]
}

interface FormHeadProps extends FormSlotProps {
  screen: Screen
  slots: FormSlots
  title: string
  isPart: boolean
  onLanguage: (locale: Locale) => void
}

export function FormHead({ screen, slots, title, isPart, form, record, language, onLanguage }: FormHeadProps) {
  const t = useT()
  const { resource } = screen
  return (
    <PageHead
      title={title}
      isPart={isPart}
      text={
        record && (
          <>
            <RecordState resource={resource} record={record} />
            <Suspense fallback={null}>
              <FormPresence resource={resource} id={record.id} language={language} />
            </Suspense>
          </>
        )
      }
      actions={
        <>
          {resource.localized ? <ContentLanguage form={form} language={language} onChange={onLanguage} /> : null}
          {resource.localized ? <LanguageScripts form={form} language={language} /> : null}
          {record && screen.overview ? (
            <Link {...recordAddress(screen, record.id)} className={buttonClass('plain')}>
              <Eye size={16} aria-hidden />
              <span className="max-md:sr-only">{t('action.view')}</span>
            </Link>
          ) : null}
          {slots.Actions ? <slots.Actions form={form} record={record} language={language} /> : null}
          {record ? (
            <RecordMenu
              screen={screen}
              record={record}
              name={title}
              {...(slots.homeOf && { home: slots.homeOf(record) })}
              onDeleted={form.forgetDraft}
            />
          ) : null}
        </>
      }
    />
  )
}

function RecordState({ resource, record }: { resource: Resource; record: Entry }) {
  const t = useT()
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      {'active' in resource.fields && 'active' in record ? <StatusDot active={record.active === true} /> : null}
      {typeof record.updatedAt === 'string' ? (
        <span>
          {t('field.updatedAt')}: <time className="tabular-nums">{formatDateTime(record.updatedAt)}</time>
        </span>
      ) : null}
    </span>
  )
}

interface ContentLanguageProps {
  form: ResourceForm
  language: Locale
  onChange: (locale: Locale) => void
}

function ContentLanguage({ form, language, onChange }: ContentLanguageProps) {
  const t = useT()
  // The head of the form renders when a language gets its first text or loses its last one, not with every
  // typed letter.
  const filledLanguages = useWatch({
    control: form.form.control,
    name: 'texts',
    compute: (texts) => locales.filter((locale) => hasText(texts[locale])),
  })
  const outdatedLocales = locales.filter((locale) => form.family.get(locale)?.outdated)
  const noteOf = (locale: Locale) =>
    outdatedLocales.includes(locale)
      ? t('form.outdated')
      : filledLanguages.includes(locale)
        ? undefined
        : t('form.notStarted')
  return (
    <>
      <div className="flex items-center pe-1 max-md:basis-full">
        <LanguageCoverage availableLocales={filledLanguages} outdated={outdatedLocales} />
      </div>
      <div data-tour="form" className="flex items-center gap-2.5">
        <span id="content-language" className="text-muted">
          {t('form.editingIn')}
        </span>
        <Select
          variant="filter"
          aria-labelledby="content-language"
          icon={<Languages size={16} aria-hidden />}
          value={language}
          onValueChange={onChange}
          choices={locales.map((locale) => {
            const note = noteOf(locale)
            return { value: locale, label: localeNames[locale], lang: locale, ...(note !== undefined && { note }) }
          })}
          className="md:min-w-[184px]"
        />
      </div>
    </>
  )
}

/** The side-by-side editor: each source text beside its field in the target language. */
import { type Entry, type Locale, localeNames, componentsOf, type Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import SquarePen from 'lucide-react/icons/square-pen'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { CurrentUser } from '../../api/session.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { keyCapsOf, isPressed, shortcuts } from '../../lib/keys/shortcuts.ts'
import { focusField, focusFirstField } from '../../resource/form/focus.ts'
import { FormNotices } from '../../resource/form/notices.tsx'
import { useFormValues } from '../../resource/form/sections.tsx'
import { sourceOf, sourcesOf } from '../../resource/memory/source-language.ts'
import { useGlossary } from '../../resource/memory/use-glossary.ts'
import { editAddress } from '../../resource/screen-address.ts'
import { useResourceForm } from '../../resource/form/use-resource-form.ts'
import { useSaveKey } from '../../resource/form/saving/use-save-key.ts'
import { buttonClass } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Select } from '../../ui/inputs/select.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DeskBar } from './save-bar.tsx'
import { DeskField } from './text-field.tsx'
import { OutdatedNotice } from './outdated-notice.tsx'
import { progressOf, textFields } from './texts.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const ConflictDialog = lazyPart(
  async () => (await import('../../resource/form/saving/conflict-dialog.tsx')).ConflictDialog,
)

interface DeskEditorProps {
  screen: Screen
  record: Entry
  /** Key of the record's draft, identical to the key in its form. */
  index: string
  /** Language in which the record to translate was loaded. */
  readingLanguage: Locale
  locale: Locale
  me: CurrentUser
  /** Whether the user came from the previous record and continues writing. */
  isGoing: boolean
  next: number | undefined
  previous: number | undefined
  onGo: (id: number | undefined) => void
}

const noPresets = {}

export function DeskEditor({
  screen,
  record,
  index,
  readingLanguage: initialLanguage,
  locale,
  me,
  isGoing,
  next,
  previous,
  onGo,
}: DeskEditorProps) {
  const t = useT()
  const reader = useLocale()
  const { resource } = screen
  const element = useRef<HTMLFormElement>(null)
  const pendingTarget = useRef<number | undefined>(undefined)
  const form = useResourceForm({
    screen,
    record,
    index,
    language: locale,
    me,
    presets: noPresets,
    initialLanguage,
    onSaved: () => {
      // A user who has opened another record during the save stays there.
      if (element.current && pendingTarget.current !== undefined) onGo(pendingTarget.current)
      pendingTarget.current = undefined
    },
  })
  const texts = useWatch({ control: form.form.control, name: 'texts' })
  const values = useFormValues(form, locale)
  const [chosenSource, setChosenSource] = useState<Locale>()
  const source = sourceOf(texts, locale, reader, chosenSource)
  const sourceLanguages = sourcesOf(texts, locale)
  const fields = textFields(resource).filter(([name]) => form.rights.mayRead(name))
  const names = fields.map(([name]) => name)
  // The server derives slugs that are empty.
  const writableNames = fields.filter(([, field]) => componentsOf(field).input !== 'slug').map(([name]) => name)
  const progress = progressOf(writableNames, source && texts[source], texts[locale])
  const terms = useGlossary(source, locale)
  const title = useTitleOf(resource)(record)

  const save = (targetId?: number) => {
    pendingTarget.current = targetId
    const invalidField = form.submit()
    if (invalidField !== undefined) focusField(invalidField)
  }
  /** The editor saves typed text before it is left; a record that was only viewed is not saved. */
  const goTo = (targetId: number | undefined) => {
    if (targetId === undefined || form.save.isPending) return
    if (form.isDirty && !form.isLocked) save(targetId)
    else onGo(targetId)
  }

  useSaveKey(element)
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const isNextKey = isPressed(event, shortcuts.desk.next)
      ? next
      : isPressed(event, shortcuts.desk.previous)
        ? previous
        : null
    const isElsewhere = event.target instanceof Element && event.target.closest('[role="dialog"], [role="alertdialog"]')
    if (isNextKey === null || isElsewhere) return
    event.preventDefault()
    goTo(isNextKey)
  })
  useEffect(() => {
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [])
  useEffect(() => {
    if (isGoing) focusFirstField(element.current)
  }, [isGoing])
  useCommands([
    {
      id: 'desk.next',
      title: t('desk.saveAndNext'),
      keys: shortcuts.desk.next.flatMap(keyCapsOf),
      run: () => goTo(next),
      isActive: next !== undefined,
    },
  ])

  const isOutdated = form.family.get(locale)?.outdated === true
  return (
    <form
      ref={element}
      noValidate
      className={form.failure ? 'max-md:pb-72' : 'max-md:pb-32'}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Sheet aria-label={title}>
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 border-b border-line px-6 py-4 max-md:px-4">
          <div className="min-w-48 flex-1">
            <h2
              lang={typeof record.locale === 'string' ? record.locale : undefined}
              className="text-lg leading-tight font-semibold wrap-anywhere"
            >
              {title}
            </h2>
            <output className="mt-1 block text-sm text-muted">
              {t('desk.progress', {
                filled: formatNumber(reader, progress.filled),
                all: formatNumber(reader, progress.all),
              })}
            </output>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            {source && sourceLanguages.length > 1 ? (
              <Select
                aria-label={t('desk.source')}
                value={source}
                onValueChange={setChosenSource}
                choices={sourceLanguages.map((sourceLanguage) => ({
                  value: sourceLanguage,
                  label: localeNames[sourceLanguage],
                }))}
                className="w-44!"
              />
            ) : null}
            <Link {...editAddress(screen, record.id)} className={buttonClass('plain')}>
              <SquarePen size={16} aria-hidden />
              {t('desk.openForm')}
            </Link>
          </div>
        </div>
        <div className="px-6 py-5 max-md:px-4">
          <FormNotices form={form} isPartlyReadOnly={false} onFocusField={focusField} />
          {isOutdated && !form.isLocked ? <OutdatedNotice {...{ screen, form, locale, fields: names }} /> : null}
          {source === undefined ? (
            <EmptyState title={t('desk.noSource')} text={t('desk.noSourceText')} />
          ) : (
            <div className="grid gap-6">
              {fields.map(([name, field]) => (
                <DeskField
                  key={`${name}/${source}`}
                  {...{ resource, form, record, name, field, source, target: locale, terms, values }}
                  text={texts[source]?.[name]}
                />
              ))}
            </div>
          )}
        </div>
        {form.conflicts.open.length > 0 ? (
          <Suspense fallback={null}>
            <ConflictDialog form={form} record={record} onWrong={(name) => name !== undefined && focusField(name)} />
          </Suspense>
        ) : null}
        <DeskBar screen={screen} form={form} hasNext={next !== undefined} onNext={() => goTo(next)} />
      </Sheet>
    </form>
  )
}

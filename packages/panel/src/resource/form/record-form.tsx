/** The form of one record: sections in the middle, pictures and translations beside, one save bar below. */
import type { Entry, Locale, Screen } from '@dala/model'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { CurrentUser } from '../../api/session.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { cx } from '../../lib/class-names.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { firstTranslation, useT } from '../../lib/i18n.ts'
import { useNameRecord } from '../../lib/record-name.ts'
import { useCommands } from '../../ui/commands.ts'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { entryInLanguage } from '../entry-languages.ts'
import { CreateInPlace } from './create/create-in-place.tsx'
import { FormAside } from './aside.tsx'
import { duplicateOf } from './duplicate.ts'
import { FormHead, useContentLanguage } from './head.tsx'
import { FormNotices } from './notices.tsx'
import { formRights, isPartlyReadOnly } from './rights.ts'
import { FormSections } from './sections.tsx'
import type { Values } from './values.ts'
import { nextLanguage } from './next-language.ts'
import { LeaveQuestion } from '../leave-question.tsx'
import { SaveBar } from './saving/save-bar.tsx'
import { type Address, editAddress, recordAddress } from '../screen-address.ts'
import type { FormPane, FormSlots } from '../screen-parts.ts'
import { useSaveKey } from './saving/use-save-key.ts'
import { useFormFocus } from './use-form-focus.ts'
import { useResourceForm } from './use-resource-form.ts'
import { WithHistory } from '../history/with-history.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'

const ConflictDialog = lazyPart(async () => (await import('./saving/conflict-dialog.tsx')).ConflictDialog)

interface RecordFormProps {
  screen: Screen
  slots: FormSlots
  record: Entry | null
  /** Record that the form of a duplicate copies. */
  source: Entry | null
  index: string
  pane: FormPane | undefined
  /** Language in which the record of the form was read. */
  initialLanguage: Locale
  me: CurrentUser
  presets: Readonly<Values>
  /** Whether the form was opened by "Save and add another". */
  isAnotherRecord: boolean
  onNext: () => void
}

export function RecordForm({
  screen,
  slots,
  record,
  source,
  index,
  pane,
  initialLanguage,
  me,
  presets,
  isAnotherRecord: isNext,
  onNext,
}: RecordFormProps) {
  const t = useT()
  const { resource } = screen
  const navigate = useNavigate()
  const titleOf = useTitleOf(resource)
  const [language, setLanguage] = useContentLanguage(pane?.languageKey)
  const element = useRef<HTMLFormElement>(null)
  const [initialValues] = useState(() => source && duplicateOf(formRights(resource, null, me).writableResource, source))
  const form = useResourceForm({
    screen,
    record,
    index: source ? `copy-${source.id}` : index,
    language,
    me,
    presets,
    initialLanguage,
    initialValues: initialValues ?? undefined,
    onSaved: (id, { startsNew: andNew, savesAsNew: asNew, nextLocale: andNext }) => {
      // The address stays as it is when the user has left the form during the save.
      if (!element.current) return
      if (andNew) return onNext()
      if (index !== 'new' && !asNew) {
        if (andNext) goToLanguage(andNext)
        return
      }
      // A new record opens its own address, in the language it was written in.
      const address = slots.opensPage && !andNext ? recordAddress(screen, id) : editAddress(screen, id)
      const state = { writesOn: andNext !== undefined }
      return navigate({ ...addLanguage(address, andNext ?? language), state, replace: true, ignoreBlocker: true })
    },
  })

  const singularName = firstTranslation([`${screen.labelPrefix}.one`])
  const title = resource.single
    ? firstTranslation([`${screen.labelPrefix}.many`])
    : record
      ? titleOf(entryInLanguage(record, language))
      : t('content.new', { resource: singularName })

  const { goTo, goToLanguage } = useFormFocus({
    element,
    writableResource: form.rights.writableResource,
    language,
    setLanguage,
    isAnotherRecord: isNext,
  })
  const saveAndNext = () => {
    const { locale } = nextLanguage(resource, form.form.getValues().texts, form.family, language)
    if (form.isDirty || (record === null && !resource.single)) goTo(form.submit({ nextLocale: locale }))
    else goToLanguage(locale)
  }

  useSaveKey(element)
  const isFree = !form.isLocked && !form.isUploading
  useCommands([
    {
      id: 'form.save',
      title: t('action.save'),
      keys: ['Ctrl', 'S'],
      run: () => goTo(form.submit()),
      isActive: form.isDirty && isFree,
    },
    { id: 'form.next', title: t('form.saveAndNext'), run: saveAndNext, isActive: resource.localized && isFree },
    {
      id: 'form.discard',
      title: t('form.discard'),
      run: form.discardChanges,
      isActive: form.isDirty && !form.isLocked,
    },
  ])

  const fixedFields = useMemo(() => Object.keys(screen.fixedValues ?? {}), [screen])
  const isClosedInPart = record !== null && isPartlyReadOnly(resource, form.rights, fixedFields)
  const sharedProps = { form, record, language }
  // The first change in a form renders the save bar immediately and the fields deferred, except locked
  // fields.
  const deferredForm = useDeferredValue(form)
  const fields = {
    ...sharedProps,
    form: deferredForm.isLocked === form.isLocked ? deferredForm : form,
    resource,
    slots,
    fixedFields,
  }
  return (
    <WithHistory resource={resource} record={record} language={language}>
      <CreateInPlace language={language}>
        <form
          ref={element}
          noValidate
          className={cx(
            // The form is as high as the window below the top bar, without the page's padding, which the save
            // bar covers.
            'flex flex-col',
            pane ? 'flex-auto' : 'md:min-h-[calc(100dvh-var(--top-h)-40px)]',
            form.failure ? 'max-md:pb-72' : 'max-md:pb-24',
          )}
          onSubmit={(event) => {
            event.preventDefault()
            goTo(form.submit())
          }}
        >
          {pane ? null : <NamedPage title={title} />}
          <FormHead
            screen={screen}
            slots={slots}
            title={title}
            isPart={pane !== undefined}
            {...sharedProps}
            onLanguage={setLanguage}
          />
          <FormNotices form={form} isPartlyReadOnly={isClosedInPart} onFocusField={goTo} />
          <div className={cx('mb-8 grid items-start gap-5', !pane && 'lg:grid-cols-[minmax(0,1fr)_320px]')}>
            <FormBody isFramed={!pane}>
              <FormSections {...fields} />
            </FormBody>
            <FormAside {...fields} onLanguage={setLanguage} />
          </div>
          {slots.Below ? <slots.Below {...sharedProps} /> : null}
          <SaveBar
            screen={screen}
            form={form}
            isNew={record === null && !resource.single}
            onSaveAndNext={resource.localized ? saveAndNext : undefined}
            onSaveAndNew={() => goTo(form.submit({ startsNew: true }))}
            onSaveAsNew={() => goTo(form.submit({ savesAsNew: true }))}
          />
          <LeaveQuestion
            {...(pane && { searchKey: pane.recordKey })}
            // Changes that can no longer be saved need no question when the form is left.
            isUnsaved={() => !form.isLocked && (form.isUploading || (form.isDirty && !form.save.isPending))}
            // Typed values survive the end of the page as a draft, a running upload does not.
            onUnload={form.isUploading}
            // The draft of a form does not contain a running upload.
            hasDraft={() => !form.isUploading && !form.save.isPending}
            // A running save of the form continues after the user leaves.
            onLeave={() => !form.save.isPending && form.discardChanges()}
          />
          {form.conflicts.open.length > 0 ? (
            <Suspense fallback={null}>
              <ConflictDialog form={form} record={record} onWrong={goTo} />
            </Suspense>
          ) : null}
        </form>
      </CreateInPlace>
    </WithHistory>
  )
}

/** The sections of the form; as a part of a page they are on its sheet. */
function FormBody({ isFramed, children }: { isFramed: boolean; children: ReactNode }) {
  const body = <div className="@container">{children}</div>
  return isFramed ? <Sheet hasPadding>{body}</Sheet> : body
}

/** Names the page after its record, in the tab and in the breadcrumbs. */
function NamedPage({ title }: { title: string }) {
  useDocumentTitle(title)
  useNameRecord(title)
  return null
}

const addLanguage = ({ to, search }: Address, lang: Locale) => ({ to, search: { ...search, lang } })

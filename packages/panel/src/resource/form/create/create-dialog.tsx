/** Dialog with a small form that creates a linked record: its name and its required fields. */
import { type Entry, type Field, type Locale, type Screen } from '@dala/model'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { resourceQueries } from '../../../api/resource-queries.ts'
import type { CurrentUser } from '../../../api/session.ts'
import { firstTranslation, useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { SaveFailureNotice } from '../saving/failure-notice.tsx'
import { FormField } from '../form-field.tsx'
import { focusField } from '../focus.ts'
import { useFormValues } from '../sections.tsx'
import { nameOfField, type Values, writableFields } from '../values.ts'
import { useResourceForm } from '../use-resource-form.ts'
import { useSecondsUntil } from '../../retry-after.ts'

interface CreateDialogProps {
  screen: Screen
  /** Name that the user has typed in the relation picker. */
  text: string
  onCreated: (entry: Entry) => void
  me: CurrentUser
  language: Locale
  onClose: () => void
}

/** Initial value of the new record's name, in the shape of its field. */
function initialValues({ resource }: Screen, text: string, language: Locale): Values {
  const field: Field | undefined = resource.fields[resource.title]
  if (field?.kind === 'translations') return { [resource.title]: { [language]: text } }
  return field?.kind === 'text' || field?.kind === 'longText' ? { [resource.title]: text } : {}
}

export function CreateDialog({ screen, text, onCreated, me, language, onClose }: CreateDialogProps) {
  const t = useT()
  const id = useId()
  const cache = useQueryClient()
  const { resource } = screen
  const [presets] = useState(() => initialValues(screen, text, language))
  // An answer that arrives after the user has closed the dialog neither selects the new record nor closes
  // anything.
  const hasLeft = useRef(false)
  const form = useResourceForm({
    screen,
    record: null,
    index: 'on-the-way',
    language,
    me,
    presets,
    initialLanguage: language,
    onSaved: async (createdId) => {
      // A new record that cannot be read now is not selected; the user can select it later.
      const entry = await cache.query(resourceQueries(resource).one(createdId, language)).catch(() => undefined)
      if (hasLeft.current) return
      if (entry) onCreated(entry)
      onClose()
    },
  })
  const values = useFormValues(form, language)
  const wait = useSecondsUntil(form.failure?.kind === 'busy' ? form.failure.until : undefined)
  const names = writableFields(form.rights.writableResource)
    .filter(([name, field]) => name === resource.title || field.required === true)
    .map(([name]) => name)
  const [firstName] = names
  useEffect(() => {
    if (firstName) focusField(nameOfField(resource, firstName, language))
  }, [resource, firstName, language])
  const closeDialog = () => {
    hasLeft.current = true
    form.discardChanges()
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && closeDialog()}
      title={t('content.new', { resource: firstTranslation([`${screen.labelPrefix}.one`]) })}
      description={t('form.createText')}
      actions={
        <>
          <Button onClick={closeDialog}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            type="submit"
            form={id}
            isBusy={form.save.isPending}
            disabled={wait > 0 ? t('form.serverBusy', { count: wait }) : form.isUploading && t('chat.uploading')}
          >
            {t('action.create')}
          </Button>
        </>
      }
    >
      {form.failure ? (
        <SaveFailureNotice screen={screen} form={form} failure={form.failure} wait={wait} onSaveAsNew={form.submit} />
      ) : null}
      <form
        id={id}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          // React bubbles the submit event to the form behind the dialog, which must not be submitted.
          event.stopPropagation()
          const invalidField = form.submit()
          if (invalidField) focusField(invalidField)
        }}
      >
        {names.map((name) => {
          const field = resource.fields[name]
          return field ? (
            <FormField
              key={name}
              resource={resource}
              slots={{}}
              form={form}
              record={null}
              language={language}
              name={name}
              field={field}
              values={values}
            />
          ) : null
        })}
      </form>
    </Dialog>
  )
}

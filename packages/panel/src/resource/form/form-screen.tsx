/** Form of any resource, with the record that it edits. */
import type { Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { meQuery } from '../../api/session.ts'
import { useLocale } from '../../lib/i18n.ts'
import { RecordDenied, RecordLoading, useRecord } from '../record/record-state.tsx'
import type { FormPane, FormSlots } from '../screen-parts.ts'
import { grantForUser } from '../use-may.ts'
import { usePresets } from './presets.ts'
import { RecordForm } from './record-form.tsx'

export interface FormScreenProps {
  screen: Screen
  /** Id of a record, or `new`; a single type has no index. */
  index?: string
  /** Parts of the form that its screen fills in its own way. */
  slots?: FormSlots | undefined
  /** Search parameters of a form that is a pane of another page; undefined for a page of its own. */
  pane?: FormPane | undefined
}

export function FormScreen({ screen, ...formProps }: FormScreenProps) {
  const FormWrapper = formProps.slots?.Around
  if (!FormWrapper) return <LoadedForm screen={screen} {...formProps} />
  return (
    <FormWrapper screen={screen}>
      {(effectiveScreen) => <LoadedForm screen={effectiveScreen} {...formProps} />}
    </FormWrapper>
  )
}

/** Loads the record, the user and the initial values, then renders the form. */
function LoadedForm({ screen, index = 'single', slots = {}, pane }: FormScreenProps) {
  const reader = useLocale()
  // Language in which a record is read first; the form shows every language of it.
  const [language] = useState(reader)
  const { data: me } = useQuery(meQuery)
  const state = useRecord(screen.resource, index, language)
  const presets = usePresets(screen, index === 'new', language)
  const { copy }: { copy?: unknown } = useSearch({ strict: false })
  const copiedRecord = index === 'new' && typeof copy === 'string' ? copy : undefined
  const source = useRecord(screen.resource, copiedRecord ?? 'new', language)
  // "Save and add another" opens an empty form with the same initial values.
  const [formKey, setFormKey] = useState(0)
  if (state.record === undefined || !me || !presets) return <RecordLoading screen={screen} state={state} />
  if (source.record === undefined) return <RecordLoading screen={screen} state={source} />
  if (
    state.record === null &&
    grantForUser(screen.resource, screen.resource.single ? 'update' : 'create', me) === false
  )
    return <RecordDenied screen={screen} />
  return (
    <RecordForm
      key={`${index}/${formKey}`}
      screen={screen}
      slots={slots}
      record={state.record}
      source={source.record}
      index={index}
      pane={pane}
      initialLanguage={language}
      me={me}
      presets={presets}
      isAnotherRecord={formKey > 0}
      onNext={() => setFormKey(formKey + 1)}
    />
  )
}

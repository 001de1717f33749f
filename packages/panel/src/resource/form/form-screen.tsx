/** The form of any resource, with the record that it edits. */
import type { Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { meQuery } from '../../api/session.ts'
import { useLocale } from '../../lib/i18n.ts'
import { RecordDenied, RecordLoading, useRecord } from '../record/record-state.tsx'
import type { FormParts } from '../screen-parts.ts'
import { grantOf } from '../use-may.ts'
import { usePresets } from './presets.ts'
import { RecordForm } from './record-form.tsx'

export interface FormScreenProps {
  screen: Screen
  /** An id or `new`; a single type has none. */
  index?: string
  /** The slots that this form fills in its own way. */
  parts?: FormParts | undefined
}

export function FormScreen({ screen, ...rest }: FormScreenProps) {
  const Around = rest.parts?.Around
  if (!Around) return <LoadedForm screen={screen} {...rest} />
  return <Around screen={screen}>{(own) => <LoadedForm screen={own} {...rest} />}</Around>
}

/** Loads the record, the user and the initial values, then renders the form. */
function LoadedForm({ screen, index = 'single', parts = {} }: FormScreenProps) {
  const reader = useLocale()
  // The language in which a record is read first; the form shows every language of it.
  const [language] = useState(reader)
  const { data: me } = useQuery(meQuery)
  const state = useRecord(screen.resource, index, language)
  const presets = usePresets(screen, index === 'new', language)
  const { copy }: { copy?: unknown } = useSearch({ strict: false })
  const copied = index === 'new' && typeof copy === 'string' ? copy : undefined
  const source = useRecord(screen.resource, copied ?? 'new', language)
  // "Save and add another" opens an empty form with the same initial values.
  const [round, setRound] = useState(0)
  if (state.record === undefined || !me || !presets) return <RecordLoading screen={screen} state={state} />
  if (source.record === undefined) return <RecordLoading screen={screen} state={source} />
  if (state.record === null && grantOf(screen.resource, screen.resource.single ? 'update' : 'create', me) === false)
    return <RecordDenied screen={screen} />
  return (
    <RecordForm
      key={`${index}/${round}`}
      screen={screen}
      parts={parts}
      record={state.record}
      source={source.record}
      index={index}
      readIn={language}
      me={me}
      presets={presets}
      isNext={round > 0}
      onNext={() => setRound(round + 1)}
    />
  )
}

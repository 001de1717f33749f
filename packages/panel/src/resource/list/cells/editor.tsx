/** The input over a cell of a list: the form's own input, with its check and its messages. */
import { choiceLabel, type Entry, type Locale, localeNames, type Resource } from '@dala/model'
import { useLayoutEffect, useRef, useState } from 'react'
import { labelOf, useTitleOf } from '../../../fields/field-display.tsx'
import { FieldInput } from '../../../fields/field-input.tsx'
import { RelatedScopeContext } from '../../../fields/relation/related-scope.ts'
import { firstTranslation, useLocale, useT } from '../../../lib/i18n.ts'
import { Field } from '../../../ui/inputs/field.tsx'
import { Input } from '../../../ui/inputs/input.tsx'
import { SelectRoot } from '../../../ui/inputs/select-root.tsx'
import { pickerFilter } from '../../form/dependent-links.ts'
import { cellOf, type CellMove, type CellPlace } from './grid.ts'
import { textIn, setTextIn } from './cell-text.ts'
import { CellOverlay } from './over-cell.tsx'

export interface CellEditorProps {
  root: HTMLElement
  at: CellPlace
  resource: Resource
  entry: Entry
  value: unknown
  fault: string | undefined
  /** Language of the value edited in the cell. */
  lang: Locale | undefined
  /** Language of the names of linked records in the cell. */
  language: Locale
  /** Saves the edited cell; returns the message about a value that cannot be saved. */
  onCommit: (value: unknown, cellMove: CellMove) => string | undefined
  onCancel: () => void
}

/** Kinds of inputs in which a choice is complete and saved immediately. */
const choiceKinds = new Set(['choice', 'bool', 'relation'])

export function CellEditor(props: CellEditorProps) {
  const { root, at, resource, entry, fault, lang, language, onCommit, onCancel } = props
  const t = useT()
  const reader = useLocale()
  const titleOf = useTitleOf(resource)
  const box = useRef<HTMLDialogElement>(null)
  const [value, setValue] = useState(props.value)
  const [error, setError] = useState(fault)
  const field = resource.fields[at.name]
  const fieldName = labelOf(resource, at.name)
  const label = t('bulk.cellEdit', {
    field: field?.kind === 'translations' ? `${fieldName} (${localeNames[reader]})` : fieldName,
    name: titleOf(entry),
  })
  const cell = cellOf(root, at)
  // The input of a cell takes the focus with its text selected, so that typing replaces it.
  useLayoutEffect(() => {
    const input = box.current?.querySelector<HTMLElement>('input:not([type=color]), textarea, [role=combobox], button')
    input?.focus({ preventScroll: true })
    if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) input.select()
  }, [])
  if (!field || !cell) return null

  const commitCell = (newValue: unknown, cellMove: CellMove) => setError(onCommit(newValue, cellMove))
  const handleKey = (event: KeyboardEvent) => {
    const { target, key, shiftKey } = event
    // An open list of choices handles its own keys.
    if (target instanceof Element && target.getAttribute('aria-expanded') === 'true') return
    if (key === 'Escape') onCancel()
    else if (target instanceof HTMLButtonElement) return
    else if (key === 'Enter' && !shiftKey) commitCell(value, 'down')
    else if (key === 'Tab') commitCell(value, shiftKey ? 'back' : 'next')
    else return
    event.preventDefault()
  }
  const change = (newValue: unknown) => {
    setValue(newValue)
    if (choiceKinds.has(field.kind)) commitCell(newValue, 'stay')
  }
  const scope = {
    language,
    shown: (_target: Resource, linkedEntry: Entry) => linkedEntry,
    ...pickerFilter(resource, at.name, entry),
  }
  return (
    <CellOverlay cell={cell} label={label} box={box} onKey={handleKey} onLeave={() => commitCell(value, 'stay')}>
      <RelatedScopeContext value={scope}>
        <Field label={<span className="sr-only">{label}</span>} error={error} className="gap-1">
          {field.kind === 'choice' || field.kind === 'bool' ? (
            <SelectRoot
              value={field.kind === 'bool' ? String(value === true) : typeof value === 'string' ? value : null}
              onValueChange={(chosenCode) => change(field.kind === 'bool' ? chosenCode === 'true' : chosenCode)}
              choices={
                field.kind === 'bool'
                  ? [
                      { value: 'true', label: t(at.name === 'active' ? 'status.active' : 'action.yes') },
                      { value: 'false', label: t(at.name === 'active' ? 'status.inactive' : 'action.no') },
                    ]
                  : field.values.map((code) => ({
                      value: code,
                      label: firstTranslation(choiceLabel(resource, at.name, code)),
                    }))
              }
            />
          ) : field.kind === 'translations' ? (
            // A cell edits the translation that the table shows, which is in the user's own language.
            <Input
              lang={reader}
              value={textIn(value, reader)}
              onChange={(event) => change(setTextIn(value, reader, event.target.value))}
            />
          ) : (
            <FieldInput
              resource={resource}
              name={at.name}
              field={field}
              lang={lang}
              value={value}
              values={entry}
              onChange={change}
              onBlur={() => undefined}
            />
          )}
        </Field>
      </RelatedScopeContext>
    </CellOverlay>
  )
}

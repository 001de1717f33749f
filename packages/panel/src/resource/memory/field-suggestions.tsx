/** Earlier translations below the field of a translation, and the glossary terms that it has or misses. */
import {
  componentsOf,
  decideAccess,
  type Entry,
  type Locale,
  memoryAccess,
  type MemorySuggestion,
  type Resource,
  segmentsOf,
} from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Check from 'lucide-react/icons/check'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { labelOf } from '../../fields/field-display.tsx'
import { formatDate, formatPercent } from '../../lib/format.ts'
import { useOnline } from '../../lib/hooks/use-online.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { isPressed, keyCapsOf, shortcuts } from '../../lib/keys/shortcuts.ts'
import { plainTextOf } from '../../lib/plain-text.ts'
import { LinkButton } from '../../ui/button.tsx'
import { KeyCaps } from '../../ui/key-caps.tsx'
import type { ResourceForm } from '../form/use-resource-form.ts'
import { recordAddress, screenOfRecords } from '../screen-address.ts'
import { findTerms, type GlossaryTerm, missedTerms } from './glossary.ts'
import { hasSuggestion, withSuggestion } from './insertion.ts'
import { MarkedTerms } from './marked-terms.tsx'
import { sourceOf } from './source-language.ts'
import { useGlossary } from './use-glossary.ts'
import { useSuggestions } from './use-suggestions.ts'

/** Number of segments of a long text that are looked up at first, and with each further step. */
const segmentStep = 5
/** Pause after typing in the source before it is looked up, in milliseconds. */
const typingPause = 500

export interface FieldSuggestionsProps {
  resource: Resource
  form: ResourceForm
  record: Entry | null
  name: string
  /** Language that the text is translated from; chosen by the form when undefined. */
  from: Locale | undefined
  target: Locale
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Insertion of a suggestion that can be undone. */
interface Insertion {
  /** Text of the field before it. */
  before: string
  /** Saved text of the field at that time: a save ends the undo. */
  saved: string
}

/** Returns a value once it has stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingPause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

export function FieldSuggestions({ resource, form, record, name, from, target }: FieldSuggestionsProps) {
  const t = useT()
  const reader = useLocale()
  const isOnline = useOnline()
  const { data: me } = useQuery(meQuery)
  const element = useRef<HTMLElement>(null)
  const [shownSegments, setShownSegments] = useState(segmentStep)
  const [insertion, setInsertion] = useState<Insertion>()
  const [insertedTexts, setInsertedTexts] = useState<readonly string[]>([])
  const texts = useWatch({ control: form.form.control, name: 'texts' })
  const source = from ?? sourceOf(texts, target, reader)
  const sourceText = useSettled(source ? textOf(texts[source]?.[name]) : '')
  const targetText = textOf(texts[target]?.[name])
  const field = resource.fields[name]
  const isRich = field !== undefined && componentsOf(field).input === 'rich'
  const sentences = segmentsOf(sourceText, isRich).flat()
  const segments = [...new Set(sentences)]
  const isAllowed = me !== undefined && decideAccess(memoryAccess, 'get', callerRoleOf(me)) !== false
  const state = useSuggestions({
    resource: resource.wire,
    record: record?.id,
    field: name,
    source: source ?? target,
    target,
    segments: segments.slice(0, shownSegments),
    locale: reader,
    isEnabled: isAllowed && source !== undefined && source !== target,
  })
  const terms = findTerms(isRich ? plainTextOf(sourceText) : sourceText, useGlossary(source, target))
  const translation = isRich ? plainTextOf(targetText) : targetText
  const isWhole = sentences.length === 1
  const savedText = textOf(form.form.formState.defaultValues?.texts?.[target]?.[name])
  const targetSegments = segmentsOf(targetText, isRich).flat()
  // A text that was inserted without a full stop is one segment with what follows it.
  const isInserted = (suggestion: string) =>
    hasSuggestion(targetSegments, suggestion) ||
    (insertedTexts.includes(suggestion) && targetSegments.join(' ').includes(suggestion))

  const setText = (text: string) =>
    form.form.setValue(`texts.${target}.${name}`, text, { shouldDirty: true, shouldTouch: true })
  const insert = (suggestion: string) => {
    setInsertion({ before: targetText, saved: savedText })
    setInsertedTexts([...insertedTexts, suggestion])
    setText(withSuggestion(targetText, suggestion, { isRich, isWhole }))
  }
  // The next segment whose translation the text does not have yet.
  const best = state.found.find(({ suggestions }) => !suggestions.some((one) => isInserted(one.target)))?.suggestions[0]
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || !isPressed(event, shortcuts.desk.insert)) return
    // A held key inserts once, and breaks no line afterwards.
    if (best || event.repeat) event.preventDefault()
    if (best && !event.repeat) insert(best.target)
  })
  useEffect(() => {
    const container = element.current?.closest('[data-field]')
    if (!(container instanceof HTMLElement)) return undefined
    container.addEventListener('keydown', handleKey)
    return () => container.removeEventListener('keydown', handleKey)
  }, [isAllowed, source, segments.length])

  if (!isAllowed || source === undefined || segments.length === 0) return null
  const canUndo = insertion?.saved === savedText && insertion.before !== targetText
  return (
    <section
      ref={element}
      aria-label={t('memory.suggestionsOf', { field: labelOf(resource, name) })}
      className="grid gap-2 pt-1 text-sm"
    >
      {translation.trim() === '' ? null : (
        <TermList terms={terms} missed={missedTerms(terms, translation)} source={source} target={target} />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-muted">
        <span className="flex items-center gap-2">
          {t('memory.suggestions')}
          {best ? (
            <span className="pointer-coarse:hidden">
              <KeyCaps caps={shortcuts.desk.insert.flatMap(keyCapsOf)} />
            </span>
          ) : null}
        </span>
        <output className="flex items-center gap-2 empty:hidden">
          {canUndo && insertion ? (
            <>
              {t('memory.applied')}
              <LinkButton
                onClick={() => {
                  setText(insertion.before)
                  setInsertion(undefined)
                }}
              >
                {t('memory.undoInsert')}
              </LinkButton>
            </>
          ) : null}
        </output>
      </div>
      {state.found.map(({ segment, suggestions }) => (
        <ul key={segment} className="grid gap-1.5">
          {suggestions.map((suggestion) => (
            <Suggestion
              key={suggestion.target}
              suggestion={suggestion}
              source={source}
              target={target}
              sourceTerms={terms.map((term) => term.source)}
              targetTerms={terms.map((term) => term.target)}
              isInserted={isInserted(suggestion.target)}
              onInsert={() => insert(suggestion.target)}
            />
          ))}
        </ul>
      ))}
      <SuggestionsNote state={state} isOnline={isOnline} />
      {segments.length > shownSegments ? (
        <LinkButton className="justify-self-start" onClick={() => setShownSegments(shownSegments + segmentStep)}>
          {t('action.showMore')}
        </LinkButton>
      ) : null}
    </section>
  )
}

interface TermListProps {
  /** Terms of the source. */
  terms: readonly GlossaryTerm[]
  /** Those of them that the translation does not use. */
  missed: readonly GlossaryTerm[]
  source: Locale
  target: Locale
}

/** Terms that the translation has, with a check mark, and those that it misses. */
function TermList({ terms, missed, source, target }: TermListProps) {
  const t = useT()
  const used = terms.filter((term) => !missed.includes(term))
  return (
    <>
      {used.length > 0 ? (
        <ul aria-label={t('memory.usedTerms')} className="flex flex-wrap gap-x-3 gap-y-1 text-muted">
          {used.map((term) => (
            <li key={term.source} className="flex items-center gap-1">
              <Check size={15} aria-hidden className="shrink-0 text-success-text" />
              <span className="sr-only">{t('memory.usedTerms')}: </span>
              <span lang={target}>{term.target}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {missed.length > 0 ? (
        <p className="flex flex-wrap gap-x-2 gap-y-1 text-warning-text">
          <span>{t('memory.missedTerms')}:</span>
          {missed.map((term) => (
            <span key={term.source}>
              <span lang={source}>{term.source}</span>
              {' → '}
              <strong lang={target} className="font-semibold">
                {term.target}
              </strong>
            </span>
          ))}
        </p>
      ) : null}
    </>
  )
}

/** State of the suggestions in one line: loading, offline, failed, none, or still being read. */
function SuggestionsNote({ state, isOnline }: { state: ReturnType<typeof useSuggestions>; isOnline: boolean }) {
  const t = useT()
  const isEmpty = state.found.length === 0
  if (!isOnline) return isEmpty ? <p className="text-muted">{t('memory.offline')}</p> : null
  if (state.isLoading) return isEmpty ? <p className="text-muted">{t('memory.loading')}</p> : null
  if (state.error)
    return (
      <p className="text-muted">
        {t('memory.failed')}. {messageOfFailure(state.error)}{' '}
        <LinkButton onClick={state.retry}>{t('action.retry')}</LinkButton>
      </p>
    )
  if (!isEmpty) return null
  return (
    <p className="text-muted">
      {t('memory.none')}
      {state.isReading ? ` ${t('memory.reading')}` : null}
    </p>
  )
}

interface SuggestionProps {
  suggestion: MemorySuggestion
  source: Locale
  target: Locale
  sourceTerms: readonly string[]
  targetTerms: readonly string[]
  /** Whether the text of the field has the suggestion already. */
  isInserted: boolean
  onInsert: () => void
}

function Suggestion({ suggestion, source, target, sourceTerms, targetTerms, isInserted, onInsert }: SuggestionProps) {
  const t = useT()
  const reader = useLocale()
  const { share, imported, uses } = suggestion
  return (
    <li className="flex items-start gap-x-3 rounded-2 border border-line bg-sunken px-3 py-2">
      <span className="min-w-11 pt-px font-semibold tabular-nums">{formatPercent(reader, share)}</span>
      <div className="min-w-0 flex-1">
        <p lang={target} className="wrap-anywhere">
          <MarkedTerms text={suggestion.target} terms={targetTerms} />
        </p>
        <p lang={source} className="text-muted wrap-anywhere">
          <MarkedTerms text={suggestion.source} terms={sourceTerms} />
        </p>
        {uses.length > 0 ? (
          <p className="flex flex-wrap gap-x-2 text-muted">
            <span>{t('memory.usedIn')}</span>
            {uses.map((use) => (
              <UseLink key={`${use.resource}/${use.id}/${use.field}`} use={use} />
            ))}
          </p>
        ) : null}
        {imported ? (
          <p className="text-muted">{t('memory.imported', { name: imported.name, date: formatDate(imported.at) })}</p>
        ) : null}
        <LinkButton
          aria-label={t('memory.applyOf', { text: suggestion.target })}
          disabled={isInserted && t('memory.applied')}
          onClick={onInsert}
        >
          {t('memory.apply')}
        </LinkButton>
      </div>
    </li>
  )
}

function UseLink({ use }: { use: MemorySuggestion['uses'][number] }) {
  const screen = screenOfRecords(use.resource)
  const label = `${use.name ?? use.id} · ${screen ? labelOf(screen.resource, use.field) : use.field}`
  return screen ? (
    <Link {...recordAddress(screen, use.id)} className="text-brand-text underline-offset-[3px] hover:underline">
      {label}
    </Link>
  ) : (
    <span>{label}</span>
  )
}

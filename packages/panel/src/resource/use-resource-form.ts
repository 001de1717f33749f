/** The state of a form: values of all languages, what was touched, checking, saving, and the draft kept meanwhile. */
import {
  type Entry,
  type Issue,
  labelOfCode,
  type Locale,
  type MessageId,
  type Screen,
  validateField,
} from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type FieldPath, useForm } from 'react-hook-form'
import { ApiError } from '../api/api-error.ts'
import { resourceQueries } from '../api/resource-queries.ts'
import { hasMessage, t, tFirst } from '../lib/i18n.ts'
import { showToast } from '../ui/toast.ts'
import { keepDraft, readDraft } from './form-draft.ts'
import {
  checkForm,
  familyOf,
  type FormValues,
  nameOfField,
  planSave,
  type SaveStep,
  toFormValues,
  type Touched,
} from './form-values.ts'

type Path = FieldPath<FormValues>
const pathOf = (name: string): Path => name as Path

/** The words of an issue in the reader's language. */
function wordsOfIssue(code: string, params: Readonly<Record<string, string | number>>, fallback = ''): string {
  const label = labelOfCode(code)
  return label !== undefined && hasMessage(label) ? t(label satisfies MessageId, params) : fallback
}

/** A save that stopped at one of its calls. */
class StepError extends Error {
  readonly step: SaveStep
  readonly reason: unknown
  constructor(step: SaveStep, reason: unknown) {
    super('A step of the save failed')
    this.step = step
    this.reason = reason
  }
}

/** Names of the fields whose marks are set, however deep the marks of their parts go. */
function touchedNames(marks: unknown): Set<string> {
  const entries = typeof marks === 'object' && marks !== null ? Object.entries(marks) : []
  return new Set(entries.filter(([, mark]) => isMarked(mark)).map(([name]) => name))
}
function isMarked(mark: unknown): boolean {
  if (mark === true) return true
  return typeof mark === 'object' && mark !== null && Object.values(mark).some(isMarked)
}

export interface ResourceFormOptions {
  screen: Screen
  /** The record on the server; null for a new one. */
  record: Entry | null
  /** Its id, `new`, or the name of a single type: the draft's key. */
  index: string
  language: Locale
  onSaved: (id: number) => void
}

export function useResourceForm({ screen, record, index, language, onSaved }: ResourceFormOptions) {
  const { resource, only } = screen
  const cache = useQueryClient()
  const queries = resourceQueries(resource)
  const family = useMemo(() => familyOf(resource, record), [resource, record])
  const stored = useMemo(() => toFormValues(resource, record, only), [resource, record, only])
  const [kept] = useState(() => readDraft(resource.name, index))
  const [restoredAt, setRestoredAt] = useState(kept?.at)
  const [conflict, setConflict] = useState(false)
  const form = useForm<FormValues>({ defaultValues: stored, shouldFocusError: false })
  const { dirtyFields, isDirty, errors } = form.formState

  // What was typed before a reload comes back as typed, not as saved.
  useEffect(() => {
    if (!kept) return
    for (const name of Object.keys(stored.shared)) {
      if (name in kept.values.shared)
        form.setValue(pathOf(`shared.${name}`), kept.values.shared[name], { shouldDirty: true })
    }
    for (const [locale, texts] of Object.entries(kept.values.texts)) {
      for (const [name, value] of Object.entries(texts))
        form.setValue(pathOf(`texts.${locale}.${name}`), value, { shouldDirty: true })
    }
  }, [form, kept, stored])

  // A newer record keeps what was changed here and renews the rest.
  const first = useRef(stored)
  useEffect(() => {
    if (first.current === stored) return
    first.current = stored
    form.reset(stored, { keepDirtyValues: true })
  }, [form, stored])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const keepNow = () => {
      clearTimeout(timer)
      timer = undefined
      if (form.formState.isDirty) keepDraft(resource.name, index, form.getValues())
    }
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer)
        timer = setTimeout(keepNow, 400)
      },
    })
    window.addEventListener('pagehide', keepNow)
    return () => {
      if (timer !== undefined) keepNow()
      window.removeEventListener('pagehide', keepNow)
      unsubscribe()
    }
  }, [form, resource.name, index])

  const touchedNow = (): Touched => {
    const marks = form.formState.dirtyFields
    const texts = Object.entries(marks.texts ?? {}).map(
      ([locale, names]) => [locale as Locale, touchedNames(names)] as const,
    )
    return { shared: touchedNames(marks.shared), texts: new Map(texts.filter(([, names]) => names.size > 0)) }
  }

  const run = async (step: SaveStep, id: number | undefined): Promise<number> => {
    if (resource.single && step.locale) return (await queries.saveSingle(step.locale, step.draft)).id
    if (step.kind === 'update') return (await queries.update(step.id, step.draft)).id
    if (step.kind === 'create') return (await queries.create(step.draft)).id
    const member = id ?? record?.id
    if (member === undefined) throw new Error('A translation needs a record')
    await queries.translate(member, { ...step.draft, locale: step.locale })
    return member
  }

  const showIssues = (
    issues: readonly {
      name: string
      code: string
      params: Readonly<Record<string, string | number>>
      message?: string
    }[],
  ) => {
    for (const { name, code, params, message } of issues) {
      form.setError(pathOf(name), { type: code, message: wordsOfIssue(code, params, message) })
    }
  }

  const save = useMutation({
    meta: { inPlace: true },
    mutationFn: async () => {
      let id: number | undefined
      for (const step of planSave(resource, form.getValues(), touchedNow(), family, language, record)) {
        try {
          id = (await run(step, id)) ?? id
        } catch (error) {
          throw new StepError(step, error)
        }
      }
      return id ?? record?.id
    },
    onSuccess: async (id) => {
      keepDraft(resource.name, index, null)
      setRestoredAt(undefined)
      setConflict(false)
      form.reset(form.getValues())
      const words = { resource: tFirst([`${screen.words}.one`]) }
      showToast({ kind: 'success', title: t(record ? 'message.updated' : 'message.created', words) })
      await cache.invalidateQueries({ queryKey: ['resource'] })
      if (id !== undefined) onSaved(id)
    },
    onError: (error) => {
      // Languages that were saved before the failure are renewed; what is left stays typed.
      void cache.invalidateQueries({ queryKey: queries.all })
      const reason = error instanceof StepError ? error.reason : error
      if (!(reason instanceof ApiError) || !(error instanceof StepError)) return
      setConflict(reason.status === 409 && reason.code === 'record.stale')
      showIssues(
        reason.issues.map((issue) => ({
          ...issue,
          name: nameOfField(resource, String(issue.path[0]), error.step.locale),
        })),
      )
    },
  })

  const submit = (): string | undefined => {
    form.clearErrors()
    const issues = checkForm(resource, form.getValues(), touchedNow(), family, language, record)
    showIssues(issues)
    if (issues.length > 0) return issues[0]?.name
    save.mutate()
    return undefined
  }

  /** Checks one field: when it is left, and at every change once it has failed. */
  const check = (name: string, field: string, value: unknown, failedBefore: boolean) => {
    const issue: Issue | undefined = validateField(resource, field, value, 'create')
    if (issue) form.setError(pathOf(name), { type: issue.code, message: wordsOfIssue(issue.code, issue.params ?? {}) })
    else if (failedBefore) form.clearErrors(pathOf(name))
  }

  const discard = () => {
    keepDraft(resource.name, index, null)
    setRestoredAt(undefined)
    setConflict(false)
    form.reset(stored)
  }

  return {
    form,
    family,
    isDirty,
    dirtyFields,
    errors,
    save,
    submit,
    check,
    discard,
    restoredAt,
    conflict,
    forget: () => keepDraft(resource.name, index, null),
  }
}

export type ResourceForm = ReturnType<typeof useResourceForm>

/** The state of a form: values of all languages, what was touched, the reader's rights, checking and saving. */
import { type Entry, type Field, isLocale, type Locale, type Screen, validateField } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../api/api-error.ts'
import { resourceQueries } from '../api/resource-queries.ts'
import type { CurrentUser } from '../api/session.ts'
import { t, tFirst } from '../lib/i18n.ts'
import { showToast } from '../ui/toast.ts'
import { keepDraft } from './form-draft.ts'
import { failureOf, isMissing, StepError } from './form-failure.ts'
import { showIssues } from './form-issues.ts'
import { useNames } from './form-names.ts'
import { allTouched, checkForm, planSave, type SaveStep, touchedOf } from './form-plan.ts'
import { formRights, needsReason } from './form-rights.ts'
import { runStep } from './form-steps.ts'
import { familyOf, type FormValues, nameOfField, toFormValues, type Touched, type Values } from './form-values.ts'
import { followingChanges } from './form-wholes.ts'
import { pathOf, typeIn, useFormDraft } from './use-form-draft.ts'

interface SaveOptions {
  /** An empty form follows instead of the record. */
  andNew?: boolean
  /** The record is gone: what is in the form becomes a new one. */
  asNew?: boolean
}

export interface ResourceFormOptions {
  screen: Screen
  /** The record on the server; null for a new one. */
  record: Entry | null
  /** Its id, `new`, or the name of a single type: the draft's key. */
  index: string
  language: Locale
  me: CurrentUser
  /** What a new record starts with. */
  presets: Readonly<Values>
  onSaved: (id: number, options: SaveOptions) => void
}

export function useResourceForm({ screen, record, index, language, me, presets, onSaved }: ResourceFormOptions) {
  const { resource } = screen
  const cache = useQueryClient()
  const queries = resourceQueries(resource)
  const [start] = useState({ values: presets, language })
  const rights = useMemo(() => formRights(resource, record, me), [resource, record, me])
  const family = useMemo(() => familyOf(resource, record), [resource, record])
  const stored = useMemo(() => toFormValues(resource, record, start), [resource, record, start])
  const form = useForm<FormValues>({ defaultValues: stored, shouldFocusError: false })
  const { dirtyFields, isDirty, errors } = form.formState
  const shown = useNames(resource, record, family, language)
  const draft = useFormDraft(form, resource.name, index, stored)

  // A newer record keeps what was changed here and renews the rest.
  const first = useRef(stored)
  useEffect(() => {
    if (first.current === stored) return
    first.current = stored
    form.reset(stored, { keepDirtyValues: true })
  }, [form, stored])

  const isReasonNeeded = (shared: Readonly<Values>) => needsReason(resource, rights, shared)

  const touchedNow = (): Touched => {
    const touched = touchedOf(form.formState.dirtyFields)
    // A reason goes with its step, although it may be the one that was given before.
    return isReasonNeeded(form.getValues().shared)
      ? { ...touched, shared: new Set([...touched.shared, 'reason']) }
      : touched
  }

  const keep = () => draft.keep(form.getValues())
  const run = (step: SaveStep, id: number | undefined) =>
    runStep(resource, step, id ?? record?.id, { attempts: draft.attempts.current, keep })

  /** A create that was sent in a language goes on in that language. */
  const homeLanguage = () => {
    const locale = draft.attempts.current['record']?.draft['locale']
    return isLocale(locale) ? locale : language
  }

  /** What a save works on: the record, or nothing when it is gone and made anew. */
  const baseOf = ({ asNew = false }: SaveOptions) =>
    asNew
      ? ([allTouched(form.getValues()), familyOf(resource, null), language, null] as const)
      : ([touchedNow(), family, record ? language : homeLanguage(), record] as const)

  /** A step found nothing: asks whether that is its language only. */
  const isRecordGone = async (step: SaveStep): Promise<boolean> => {
    if (!record || resource.single || (step.kind === 'update' && step.id === record.id)) return true
    const again = { ...queries.one(record.id, language), retry: false, staleTime: 0 }
    return cache.query(again).then(() => false, isMissing)
  }

  const save = useMutation({
    meta: { inPlace: true },
    mutationFn: async (options: SaveOptions) => {
      const sent = structuredClone(form.getValues())
      const [touched, ...base] = baseOf(options)
      let id: number | undefined
      for (const step of planSave(rights.written, sent, touched, ...base)) {
        try {
          id = (await run(step, id)) ?? id
        } catch (error) {
          throw new StepError(step, error, isMissing(error) && (await isRecordGone(step)))
        }
      }
      return { id: id ?? record?.id, sent }
    },
    onSuccess: async ({ id, sent }, options) => {
      draft.forget()
      // What was typed while the save was under way is typed still.
      const now = structuredClone(form.getValues())
      form.reset(sent)
      typeIn(form, now, sent)
      const words = { resource: tFirst([`${screen.words}.one`]) }
      showToast({ kind: 'success', title: t(record && !options.asNew ? 'message.updated' : 'message.created', words) })
      await cache.invalidateQueries({ queryKey: ['resource'] })
      if (id === undefined) return
      if (id !== record?.id && form.formState.isDirty) keepDraft(resource.name, String(id), now)
      onSaved(id, options)
    },
    onError: (error) => {
      const reason = error instanceof StepError ? error.reason : error
      // Languages that were saved before the failure are renewed; what is left stays typed.
      void cache.invalidateQueries({ queryKey: queries.all })
      if (!(reason instanceof ApiError) || !(error instanceof StepError)) return
      showIssues(
        form,
        reason.issues.map((issue) => ({
          ...issue,
          name: nameOfField(resource, String(issue.path[0]), error.step.locale),
        })),
      )
    },
  })

  /** Checks and saves; out: the first wrong field, when there is one. */
  const submit = (options: SaveOptions = {}): string | undefined => {
    form.clearErrors()
    const values = form.getValues()
    const issues = checkForm(rights.written, values, ...baseOf(options))
    const { reason } = values.shared
    const isSilent = isReasonNeeded(values.shared) && (typeof reason !== 'string' || reason.trim() === '')
    const missing = isSilent ? [{ name: 'shared.reason', code: 'state.reason', params: {} }] : []
    showIssues(form, [...issues, ...missing])
    const [wrong] = [...issues, ...missing]
    if (!wrong) save.mutate(options)
    return wrong?.name
  }

  /** Checks one field: when it is left, and at every change once it has failed. */
  const check = (name: string, field: string, value: unknown, failedBefore: boolean) => {
    // The password of an account that is there stays when nothing is typed.
    const isKept = record !== null && resource.fields[field]?.kind === 'password' && value === ''
    const issue = isKept ? undefined : validateField(resource, field, value, 'create')
    if (issue) showIssues(form, [{ name, code: issue.code, params: issue.params ?? {} }])
    else if (failedBefore) form.clearErrors(pathOf(name))
  }

  /** What a choice in one link does to others, done as if by hand. */
  const follow = (name: string, next: unknown) => {
    const { shared } = form.getValues()
    for (const [other, value] of Object.entries(followingChanges(rights.written, name, next, shared))) {
      form.setValue(pathOf(`shared.${other}`), value, { shouldDirty: true })
      if (value !== null) form.clearErrors(pathOf(`shared.${other}`))
    }
  }

  const failure = save.isError ? failureOf(save.error) : undefined
  return {
    form,
    resource,
    family,
    shown,
    rights,
    isDirty,
    dirtyFields,
    errors,
    save,
    submit,
    check,
    follow,
    failure,
    /** Nothing can be changed: there is no right to it, or not any more. */
    isLocked: !rights.may || failure?.kind === 'denied',
    isReadOnly: (name: string, field: Field) =>
      failure?.kind === 'denied' || field.readOnly === true || !rights.writes(name),
    isReasonNeeded,
    discard: () => {
      draft.forget()
      save.reset()
      form.reset(stored)
    },
    restoredAt: draft.restoredAt,
    forget: draft.forget,
  }
}

export type ResourceForm = ReturnType<typeof useResourceForm>

/** The state of a form: values of all languages, changed fields, the user's rights, checking and saving. */
import { type Entry, type Field, type Locale, type Screen, validateField } from '@dala/model'
import { useMemo, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { CurrentUser } from '../../api/session.ts'
import { usePendingUploads } from '../../fields/upload/pending-uploads.ts'
import { useIsMounted } from '../../lib/hooks/use-is-mounted.ts'
import { planNewRecord, planOf, submitPlan } from './form-session.ts'
import { useNames } from './names.ts'
import { formRights, needsReason } from './rights.ts'
import { failureOf, refusalOf } from './saving/failure.ts'
import { showIssues } from './saving/issues.ts'
import type { ConflictSide } from './saving/merge.ts'
import { type SavePlan, touchedFieldsOf } from './saving/plan.ts'
import { type SaveOptions, useSave } from './saving/use-save.ts'
import { useFormDraft } from './use-form-draft.ts'
import { useFormSession } from './use-form-session.ts'
import { familyOf, type FormValues, pathOf, toFormValues, type Values } from './values.ts'
import { dependentChanges } from './dependent-links.ts'

export interface ResourceFormOptions {
  screen: Screen
  /** Record of the form on the server; null for a new record. */
  record: Entry | null
  /** Key of the form's draft: an id, `new`, or the name of a single type. */
  index: string
  language: Locale
  me: CurrentUser
  /** Initial values of a new record. */
  presets: Readonly<Values>
  /** Language in which the record and its links were read. */
  initialLanguage: Locale
  /** Initial values of a new record that count as typed, in all its languages. */
  initialValues?: FormValues | undefined
  onSaved: (id: number, options: SaveOptions) => void | Promise<void>
}

/**
 * Opens the form of a record.
 *
 * @param options - The record, its user, and the callback after a save.
 * @returns The inputs, the user's rights in them, and functions to check, save and discard them.
 */
export function useResourceForm(options: ResourceFormOptions) {
  const { screen, record, index, language, me, presets, initialLanguage, initialValues, onSaved } = options
  const { resource } = screen
  const [start] = useState({ values: presets, language })
  const rights = useMemo(() => formRights(resource, record, me), [resource, record, me])
  const languageFamily = useMemo(() => familyOf(resource, record), [resource, record])
  const storedValues = useMemo(() => toFormValues(resource, record, start), [resource, record, start])
  const form = useForm<FormValues>({ defaultValues: storedValues, shouldFocusError: false })
  // React Hook Form reports a changed mark only to a component that has read the marks.
  const { dirtyFields: _marks, isDirty, errors } = form.formState
  const shownNames = useNames(resource, record, languageFamily, language)
  const session = useFormSession(form, resource, storedValues)
  const draft = useFormDraft(form, session, { user: me.id, resource: resource.name, index }, initialValues)
  const uploads = usePendingUploads()
  const isOpen = useIsMounted()
  const scope = { resource, rights, language }

  const makePlan = (now: Entry | null): SavePlan => {
    const touchedFields = touchedFieldsOf(form.formState.dirtyFields)
    return planOf(scope, now, { values: form.getValues(), touchedFields: touchedFields }, draft.attempts.current)
  }
  const save = useSave({
    screen,
    scope,
    initialLanguage,
    start,
    form,
    session,
    draft,
    makePlan: makePlan,
    waitForUploads: uploads.ended,
    onSaved,
  })

  /** Checks and saves the form. Returns its first wrong field, if any. */
  const submitForm = (options: SaveOptions = {}): string | undefined => {
    // A new record is being created, or its page is opening: a second save would create it twice.
    if (save.isPending && save.variables.plan.record === null) return undefined
    // A save of the form during an upload would lose the picture.
    if (uploads.isUnderWay) return undefined
    form.clearErrors()
    const plan = options.savesAsNew ? planNewRecord(scope, form.getValues()) : makePlan(record)
    const submission = submitPlan(session.get(), scope, plan)
    switch (submission.kind) {
      case 'wrong':
        showIssues(form, submission.issues)
        return submission.issues[0]?.name
      case 'conflict':
        session.ask(submission.conflicts)
        return undefined
      case 'send':
        save.mutate({ plan, options })
        return undefined
    }
  }
  const retry = () => submitForm(save.variables?.options)

  /** Checks one field of the form: when it loses the focus, and at every change once it is wrong. */
  const check = (name: string, field: string, value: unknown, failedBefore: boolean) => {
    // An account keeps its password when no password is typed.
    const isKept = record !== null && resource.fields[field]?.kind === 'password' && value === ''
    const issue = isKept ? undefined : validateField(resource, field, value, 'create')
    if (issue) showIssues(form, [{ name, code: issue.code, params: issue.params ?? {} }])
    else if (failedBefore) form.clearErrors(pathOf(name))
  }

  /** Changes links that follow from the choice of another link, as if the user had changed them. */
  const setWithDependents = (name: string, newValue: unknown) => {
    const { shared } = form.getValues()
    for (const [dependentName, value] of Object.entries(
      dependentChanges(rights.writableResource, name, newValue, shared),
    )) {
      form.setValue(pathOf(`shared.${dependentName}`), value, { shouldDirty: true })
      if (value !== null) form.clearErrors(pathOf(`shared.${dependentName}`))
    }
  }

  const failure = save.isError ? failureOf(save.error) : undefined
  return {
    form,
    resource,
    family: languageFamily,
    shown: shownNames,
    rights,
    /** Whether the form is still shown, for actions that are undone later. */
    isOpen,
    isDirty,
    errors,
    save,
    submit: submitForm,
    /** Repeats the failed save of the form. */
    retry,
    check,
    setLinkWithDependents: setWithDependents,
    /** Whether a picture is being uploaded: the save waits for it. */
    isUploading: uploads.isUnderWay,
    beginUpload: uploads.begin,
    failure,
    /** Colleague whose change stopped the last save, from the refusal. */
    refusedBy: refusalOf(save.error)?.details['changedBy'],
    /**
     * Conflicts with a colleague: the number pending, those that the user must decide now, and the answer.
     */
    conflicts: {
      waiting: session.pending,
      open: session.openConflicts,
      ask: () => session.ask(),
      leave: () => session.ask([]),
      choose: (sideByField: Readonly<Record<string, ConflictSide>>) => {
        session.choose(sideByField)
        return retry()
      },
    },
    /** Whether the form is read-only: the user has no permission to write, or has lost it. */
    isLocked: !rights.mayWrite || failure?.kind === 'denied',
    isReadOnly: (name: string, field: Field) =>
      failure?.kind === 'denied' || field.readOnly === true || !rights.mayWriteField(name),
    isReasonNeeded: (sharedValues: Readonly<Values>) => needsReason(resource, rights, sharedValues),
    discardChanges: () => {
      draft.forgetDraft()
      save.reset()
      session.settleValues(storedValues)
      form.reset(storedValues)
    },
    restoredAt: draft.restoredAt,
    forgetDraft: draft.forgetDraft,
  }
}

export type ResourceForm = ReturnType<typeof useResourceForm>

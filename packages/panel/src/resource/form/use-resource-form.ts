/** The state of a form: values of all languages, what was touched, the reader's rights, checking and saving. */
import { type Entry, type Field, isLocale, type Locale, type Screen, validateField } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../api/api-error.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import type { CurrentUser } from '../../api/session.ts'
import { useUnderWay } from '../../fields/upload/under-way.ts'
import { t, tFirst } from '../../lib/i18n.ts'
import { useIsThere } from '../../lib/hooks/use-is-there.ts'
import { failureOf, StepError } from './saving/failure.ts'
import { showIssues } from './saving/issues.ts'
import { useNames } from './names.ts'
import { allTouched, checkForm, touchedOf } from './saving/plan.ts'
import { formRights, needsReason } from './rights.ts'
import { saveForm, type SaveGround } from './saving/save.ts'
import { tellSaved } from './saving/saved.ts'
import {
  familyOf,
  type FormValues,
  nameOfField,
  pathOf,
  toFormValues,
  type Touched,
  typeIn,
  type Values,
} from './values.ts'
import { followingChanges } from './wholes.ts'
import { type Conflict, isSame } from './saving/merge.ts'
import { useFormBase } from './saving/use-form-base.ts'
import { useFormDraft } from './use-form-draft.ts'

export interface SaveOptions {
  /** An empty form follows instead of the record. */
  andNew?: boolean
  /** The record is gone: what is in the form becomes a new one. */
  asNew?: boolean
  /** The next language follows. */
  andNext?: Locale
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
  /** The language in which the record was read: its links come in it. */
  readIn: Locale
  /** What a new record starts with as if it had just been typed, in all its languages. */
  typed?: FormValues | undefined
  onSaved: (id: number, options: SaveOptions) => void | Promise<void>
}

/** The refusal that stopped a save. */
function reasonOf(error: unknown): ApiError | undefined {
  const reason = error instanceof StepError ? error.reason : error
  return reason instanceof ApiError ? reason : undefined
}

export function useResourceForm({
  screen,
  record,
  index,
  language,
  me,
  presets,
  readIn,
  typed,
  onSaved,
}: ResourceFormOptions) {
  const { resource } = screen
  const cache = useQueryClient()
  const isThere = useIsThere()
  const queries = resourceQueries(resource)
  const [start] = useState({ values: presets, language })
  const rights = useMemo(() => formRights(resource, record, me), [resource, record, me])
  const family = useMemo(() => familyOf(resource, record), [resource, record])
  const stored = useMemo(() => toFormValues(resource, record, start), [resource, record, start])
  const form = useForm<FormValues>({ defaultValues: stored, shouldFocusError: false })
  const { dirtyFields, isDirty, errors } = form.formState
  const shown = useNames(resource, record, family, language)
  const base = useFormBase(form, resource, stored)
  const draft = useFormDraft(form, base, { user: me.id, resource: resource.name, index }, typed)
  const uploads = useUnderWay()
  /** What a reader is asked to choose from. */
  const [asked, setAsked] = useState<readonly Conflict[]>([])

  const { renew } = base
  const known = useRef(stored)
  useEffect(() => {
    if (known.current === stored) return
    known.current = stored
    renew(stored)
  }, [renew, stored])

  const isReasonNeeded = (shared: Readonly<Values>) => needsReason(resource, rights, shared)

  const touchedNow = (): Touched => {
    const touched = touchedOf(form.formState.dirtyFields)
    // A reason goes with its step, although it may be the one that was given before.
    return isReasonNeeded(form.getValues().shared)
      ? { ...touched, shared: new Set([...touched.shared, 'reason']) }
      : touched
  }

  /** A create that was sent in a language goes on in that language. */
  const homeLanguage = () => {
    const locale = draft.attempts.current['record']?.draft['locale']
    return isLocale(locale) ? locale : language
  }

  /** What a save works on: the record, or nothing when it is gone and made anew. */
  const groundOf = (now: Entry | null, { asNew = false }: SaveOptions): SaveGround =>
    asNew
      ? { touched: allTouched(form.getValues()), family: familyOf(resource, null), language, record: null }
      : {
          touched: touchedNow(),
          family: familyOf(resource, now),
          language: now ? language : homeLanguage(),
          record: now,
        }

  const readAgain = async (): Promise<Entry | null> => {
    // In another language its links would all look changed.
    const fresh = { retry: false, staleTime: 0 }
    return resource.single
      ? cache.query({ ...queries.single(readIn), ...fresh })
      : cache.query({ ...queries.one(record?.id ?? 0, readIn), ...fresh })
  }
  const save = useMutation({
    meta: { inPlace: true, missed: t('message.notSaved', { resource: tFirst([`${screen.words}.one`]) }) },
    mutationFn: (options: SaveOptions) =>
      saveForm(
        {
          resource: rights.written,
          values: () => form.getValues(),
          groundOf: (now) => groundOf(now, options),
          tries: { attempts: draft.attempts.current, keep: draft.keep },
          readAgain,
          joinWith: (fresh) => {
            const taken = renew(toFormValues(resource, fresh, start))
            return { taken, isOpen: base.conflicts().length > 0 }
          },
        },
        options.asNew ? null : record,
      ),
    onSuccess: async (saved, options) => {
      draft.forget()
      const former = base.current()
      // What was typed while the save was under way is typed still.
      const now = structuredClone(form.getValues())
      form.reset(saved.sent)
      typeIn(form, now, saved.sent)
      base.settle(saved.sent)
      // Who has gone on to another page finds here what was typed since.
      if (!isThere() && !isSame(now, saved.sent)) draft.keep()
      const isNew = !record || options.asNew === true
      tellSaved({ screen, saved, isNew, former, written: rights.written, language, cache })
      const fresh = cache.invalidateQueries({ queryKey: ['resource'] })
      // A new record gets its own page at once: what is begun here until everything is read again would be cut short.
      if (!isNew || options.andNew) await fresh
      if (saved.id === undefined) return
      if (isNew) {
        // Its page is another form: a picture that was chosen behind the save would not arrive there.
        await uploads.ended()
        draft.goOn(saved.id)
      }
      await onSaved(saved.id, options)
    },
    onError: (error) => {
      // Languages that were saved before the failure are renewed; what is left stays typed.
      void cache.invalidateQueries({ queryKey: queries.all })
      setAsked(base.conflicts())
      if (!(error instanceof StepError)) return
      const { locale } = error.step
      const issues = reasonOf(error)?.issues ?? []
      showIssues(
        form,
        issues.map((issue) => ({ ...issue, name: nameOfField(resource, String(issue.path[0]), locale) })),
      )
    },
  })

  /** Checks and saves; out: the first wrong field, when there is one. */
  const submit = (options: SaveOptions = {}): string | undefined => {
    // It is being made, or made and on its way to its page: sent again it would be made twice.
    if (save.isPending && (record === null || save.variables.asNew)) return undefined
    // Saved now, the record would lose the picture that is on its way.
    if (uploads.isUnderWay) return undefined
    form.clearErrors()
    const values = form.getValues()
    const { touched, ...ground } = groundOf(record, options)
    const issues = checkForm(rights.written, values, touched, ground.family, ground.language, ground.record)
    const { reason } = values.shared
    const isSilent = isReasonNeeded(values.shared) && (typeof reason !== 'string' || reason.trim() === '')
    const missing = isSilent ? [{ name: 'shared.reason', code: 'state.reason', params: {} }] : []
    showIssues(form, [...issues, ...missing])
    const [wrong] = [...issues, ...missing]
    if (wrong) return wrong.name
    const open = base.conflicts()
    if (open.length > 0) setAsked(open)
    else save.mutate(options)
    return undefined
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
    /** A picture is on its way: saving waits for it. */
    isUploading: uploads.isUnderWay,
    beginUpload: uploads.begin,
    failure,
    /** Who was met by the last save, as the refusal says. */
    metBy: reasonOf(save.error)?.details['changedBy'],
    /** Fields that a colleague has changed, too: how many wait for a choice, those being asked about, and the answer. */
    conflicts: {
      waiting: base.waiting,
      asked,
      ask: () => setAsked(base.conflicts()),
      leave: () => setAsked([]),
      choose: (chosen: Readonly<Record<string, 'mine' | 'theirs'>>) => {
        base.choose(asked, chosen)
        setAsked([])
        return submit(save.variables)
      },
    },
    /** Nothing can be changed: there is no right to it, or not any more. */
    isLocked: !rights.may || failure?.kind === 'denied',
    isReadOnly: (name: string, field: Field) =>
      failure?.kind === 'denied' || field.readOnly === true || !rights.writes(name),
    isReasonNeeded,
    discard: () => {
      draft.forget()
      save.reset()
      base.settle(stored)
      form.reset(stored)
    },
    restoredAt: draft.restoredAt,
    forget: draft.forget,
  }
}

export type ResourceForm = ReturnType<typeof useResourceForm>

/** Sends the plan of a form and applies the answer: typing then starts from the saved values. */
import type { Entry, Locale, Screen } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { useIsMounted } from '../../../lib/hooks/use-is-mounted.ts'
import { t, firstTranslation } from '../../../lib/i18n.ts'
import { type FormScope, refusedFields } from '../form-session.ts'
import type { FormDraftState } from '../use-form-draft.ts'
import type { OpenSession } from '../use-form-session.ts'
import { type FormValues, type InitialValues, toFormValues, setTypedValues } from '../values.ts'
import { StepError } from './failure.ts'
import { showIssues } from './issues.ts'
import { isSame } from './merge.ts'
import type { SavePlan } from './plan.ts'
import { saveForm } from './save.ts'
import { showSavedRecord } from './saved.ts'

export interface SaveOptions {
  /** Whether an empty form opens after the save, instead of the record. */
  startsNew?: boolean
  /** Whether the form is saved as a new record, because the old one was deleted. */
  savesAsNew?: boolean
  /** Language of the form to open after the save. */
  nextLocale?: Locale
}

/** Plan of a save to send, and the options for what follows. */
interface UploadSending {
  plan: SavePlan
  options: SaveOptions
}

interface SaveDependencies {
  screen: Screen
  scope: FormScope
  /** Language in which the record and its links were read. */
  initialLanguage: Locale
  start: InitialValues
  form: UseFormReturn<FormValues>
  session: OpenSession
  draft: FormDraftState
  /** Plans the save of the form's current inputs, against the record on the server. */
  makePlan: (record: Entry | null) => SavePlan
  /** Resolves when no upload of the form is running. */
  waitForUploads: () => Promise<void>
  onSaved: (id: number, options: SaveOptions) => void | Promise<void>
}

export function useSave(dependencies: SaveDependencies) {
  const { screen, scope, initialLanguage, start, form, session, draft } = dependencies
  const { resource, rights, language } = scope
  const cache = useQueryClient()
  const isMounted = useIsMounted()
  const queries = resourceQueries(resource)

  const reloadRecord = async (record: Entry | null): Promise<Entry | null> => {
    // The record is read again in the language of the form, because in another language all its links would
    // look changed.
    const freshOptions = { retry: false, staleTime: 0 }
    return resource.single
      ? cache.query({ ...queries.single(initialLanguage), ...freshOptions })
      : cache.query({ ...queries.one(record?.id ?? 0, initialLanguage), ...freshOptions })
  }
  const rebase = (reloaded: Entry) => {
    const mergedFields = session.renew(toFormValues(resource, reloaded, start))
    return { mergedFields, plan: session.conflicts().length > 0 ? undefined : dependencies.makePlan(reloaded) }
  }

  return useMutation({
    meta: {
      inPlace: true,
      missed: t('message.notSaved', { resource: firstTranslation([`${screen.labelPrefix}.one`]) }),
    },
    mutationFn: async ({ plan }: UploadSending) => {
      const idempotency = { attempts: draft.attempts.current, keep: draft.keep }
      const tools = {
        resource: rights.writableResource,
        idempotency,
        reloadRecord: () => reloadRecord(plan.record),
        rebase,
      }
      return saveForm(tools, plan)
    },
    onSuccess: async (savedForm, { options }) => {
      const { values, record } = savedForm.plan
      draft.forgetDraft()
      const previousValues = session.base()
      // Text that the user types while the form is saved stays in the form.
      const now = structuredClone(form.getValues())
      form.reset(values)
      setTypedValues(form, now, values)
      session.settleValues(values)
      // Text that was typed during the save is stored as a draft when the user has left the form.
      if (!isMounted() && !isSame(now, values)) draft.keep()
      const isNew = record === null
      showSavedRecord({
        screen,
        saved: savedForm,
        isNew,
        previous: previousValues,
        writableResource: rights.writableResource,
        language,
        cache,
      })
      const invalidation = cache.invalidateQueries({ queryKey: ['resource'] })
      // A new record opens its own page immediately: typing during the refetch would be lost with this page.
      if (!isNew || options.startsNew) await invalidation
      if (savedForm.id === undefined) return
      if (isNew) {
        // The page of the new record is another form, which a picture chosen during the save would not reach.
        await dependencies.waitForUploads()
        draft.continueDraft(savedForm.id)
      }
      await dependencies.onSaved(savedForm.id, options)
    },
    onError: (error) => {
      // Languages saved before the failure are read again; the others keep their typed text.
      void cache.invalidateQueries({ queryKey: queries.all })
      session.ask()
      if (error instanceof StepError) showIssues(form, refusedFields(resource, error))
    },
  })
}

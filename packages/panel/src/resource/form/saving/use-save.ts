/** Sends the plan of a form and applies the answer: typing then starts from the saved values. */
import type { Entry, Locale, Screen } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { UseFormReturn } from 'react-hook-form'
import { resourceQueries } from '../../../api/resource-queries.ts'
import { useIsMounted } from '../../../lib/hooks/use-is-mounted.ts'
import { t, tFirst } from '../../../lib/i18n.ts'
import { type FormScope, refusedFields } from '../form-session.ts'
import type { FormDraftState } from '../use-form-draft.ts'
import type { OpenSession } from '../use-form-session.ts'
import { type FormValues, type Start, toFormValues, typeIn } from '../values.ts'
import { StepError } from './failure.ts'
import { showIssues } from './issues.ts'
import { isSame } from './merge.ts'
import type { SavePlan } from './plan.ts'
import { saveForm } from './save.ts'
import { showSaved } from './saved.ts'

export interface SaveOptions {
  /** Open an empty form next, instead of the record. */
  andNew?: boolean
  /** Save the form as a new record, because the old one was deleted. */
  asNew?: boolean
  /** Open this language next. */
  andNext?: Locale
}

/** A plan that is sent, and what follows when it is saved. */
interface Sending {
  plan: SavePlan
  options: SaveOptions
}

interface SaveParts {
  screen: Screen
  scope: FormScope
  /** The language in which the record was read: its links are in it. */
  readIn: Locale
  start: Start
  form: UseFormReturn<FormValues>
  session: OpenSession
  draft: FormDraftState
  /** Plans the save of the current inputs, against the record on the server. */
  planFor: (record: Entry | null) => SavePlan
  /** Resolves when no upload is running. */
  uploadsEnded: () => Promise<void>
  onSaved: (id: number, options: SaveOptions) => void | Promise<void>
}

export function useSave(parts: SaveParts) {
  const { screen, scope, readIn, start, form, session, draft } = parts
  const { resource, rights, language } = scope
  const cache = useQueryClient()
  const isThere = useIsMounted()
  const queries = resourceQueries(resource)

  const readAgain = async (record: Entry | null): Promise<Entry | null> => {
    // In another language all its links would look changed.
    const fresh = { retry: false, staleTime: 0 }
    return resource.single
      ? cache.query({ ...queries.single(readIn), ...fresh })
      : cache.query({ ...queries.one(record?.id ?? 0, readIn), ...fresh })
  }
  const rebase = (fresh: Entry) => {
    const taken = session.renew(toFormValues(resource, fresh, start))
    return { taken, plan: session.conflicts().length > 0 ? undefined : parts.planFor(fresh) }
  }

  return useMutation({
    meta: { inPlace: true, missed: t('message.notSaved', { resource: tFirst([`${screen.labelPrefix}.one`]) }) },
    mutationFn: async ({ plan }: Sending) => {
      const tries = { attempts: draft.attempts.current, keep: draft.keep }
      const tools = { resource: rights.written, tries, readAgain: () => readAgain(plan.record), rebase }
      return saveForm(tools, plan)
    },
    onSuccess: async (saved, { options }) => {
      const { sent, record } = saved.plan
      draft.forget()
      const former = session.base()
      // Text that was typed during the save stays typed.
      const now = structuredClone(form.getValues())
      form.reset(sent)
      typeIn(form, now, sent)
      session.settle(sent)
      // A user who has gone to another page finds their later typing here.
      if (!isThere() && !isSame(now, sent)) draft.keep()
      const isNew = record === null
      showSaved({ screen, saved, isNew, former, written: rights.written, language, cache })
      const fresh = cache.invalidateQueries({ queryKey: ['resource'] })
      // A new record opens its own page at once: typing during the refetch would be lost with this page.
      if (!isNew || options.andNew) await fresh
      if (saved.id === undefined) return
      if (isNew) {
        // Its page is another form, where a picture chosen during the save would not arrive.
        await parts.uploadsEnded()
        draft.goOn(saved.id)
      }
      await parts.onSaved(saved.id, options)
    },
    onError: (error) => {
      // Languages saved before the failure are read again; the others keep their typed text.
      void cache.invalidateQueries({ queryKey: queries.all })
      session.ask()
      if (error instanceof StepError) showIssues(form, refusedFields(resource, error))
    },
  })
}

/** Saves a form: its calls in sequence, merged with changes that a colleague has saved in the meantime. */
import type { Entry, Locale, Resource } from '@dala/model'
import { ApiError } from '../../../api/api-error.ts'
import type { CreateAttempts } from './attempts.ts'
import { isMissing, isStale, StepError } from './failure.ts'
import { planSave, type SavePlan, type SaveStep } from './plan.ts'
import { runStep } from './steps.ts'
import { familyOf, type FormValues } from '../values.ts'
import type { FieldPlace } from './merge.ts'

/** Changes of a colleague that the save was merged with. */
interface MergedChange {
  /** Colleague who made the merged changes, from the refusal. */
  by: unknown
  at: unknown
  mergedFields: FieldPlace[]
}

export interface SavedForm {
  id: number | undefined
  /** Plan of the save that was finally sent. */
  plan: SavePlan
  /** Record in the response of the save's last call. */
  last: Entry | undefined
  merged: MergedChange | undefined
}

/** Form and server, as the code of a save uses them. */
export interface SaveTools {
  resource: Resource
  idempotency: { attempts: CreateAttempts; keep: () => void }
  /** Reads the current record of the form from the server. */
  reloadRecord: () => Promise<Entry | null>
  /**
   * Merges a newer record into the form. Returns the next plan; undefined when the user has to resolve
   * conflicts.
   */
  rebase: (record: Entry) => { mergedFields: FieldPlace[]; plan: SavePlan | undefined }
}

/** Maximum number of merges in one save: with more, colleagues are saving as fast as the form merges. */
const maxMerges = 5

/**
 * Sends the API calls of a form's planned save, in order.
 *
 * @throws StepError with the call that failed.
 */
async function runSteps(tools: SaveTools, { steps, record }: SavePlan) {
  const recordId = record?.id
  let id: number | undefined
  let lastEntry: Entry | undefined
  for (const step of steps) {
    try {
      const stepResult = await runStep(tools.resource, step, recordId ?? id, tools.idempotency)
      id = stepResult.id
      lastEntry = stepResult.entry ?? lastEntry
    } catch (error) {
      throw new StepError(step, error, isMissing(error) && (await isRecordGone(tools, step, recordId)))
    }
  }
  return { id: recordId ?? id, last: lastEntry }
}

/** After a 404 the server is asked whether only this language is gone, or the record. */
async function isRecordGone(tools: SaveTools, step: SaveStep, recordId: number | undefined): Promise<boolean> {
  if (recordId === undefined || tools.resource.single || (step.kind === 'update' && step.id === recordId)) return true
  return tools.reloadRecord().then(() => false, isMissing)
}

/**
 * Sends the planned calls of a form's save. A colleague's change elsewhere in the record is merged, and the
 * save continues with a new plan.
 *
 * @param tools - The form and the server.
 * @param firstPlan - The plan.
 * @returns The saved record.
 * @throws StepError with the call that failed.
 */
export async function saveForm(tools: SaveTools, firstPlan: SavePlan): Promise<SavedForm> {
  let plan = firstPlan
  let mergedChange: MergedChange | undefined
  for (let merges = 0; ; merges += 1) {
    try {
      return { ...(await runSteps(tools, plan)), plan, merged: mergedChange }
    } catch (error) {
      const reason = error instanceof StepError ? error.reason : undefined
      if (!(reason instanceof ApiError) || !isStale(reason) || !plan.record || merges === maxMerges) throw error
      const reloadedRecord = await tools.reloadRecord().catch(() => null)
      if (!reloadedRecord) throw error
      const { mergedFields, plan: rebasedPlan } = tools.rebase(reloadedRecord)
      if (!rebasedPlan) throw error
      const { changedBy: author, changedAt: changeTime } = reason.details
      mergedChange = {
        by: author,
        at: changeTime,
        mergedFields: [...(mergedChange?.mergedFields ?? []), ...mergedFields],
      }
      plan = rebasedPlan
    }
  }
}

/**
 * Returns the undo of a form's save: writes the former values, but only over what the save has written.
 * Undefined where that is impossible: a language was added, a password or a state was set.
 */
export function undoOf(resource: Resource, previousValues: FormValues, savedForm: SavedForm, language: Locale) {
  const { last } = savedForm
  const { steps, touchedFields: touchedNames } = savedForm.plan
  const isPlain = (name: string) => {
    const field = resource.fields[name]
    return field !== undefined && !field.private && !('transitions' in field && field.transitions)
  }
  if (!last || steps.some(({ kind }) => kind !== 'update') || ![...touchedNames.shared].every(isPlain)) return undefined
  return async () => {
    const plan = planSave(resource, previousValues, touchedNames, familyOf(resource, last), language, last)
    for (const step of plan) await runStep(resource, step, last.id, { attempts: {}, keep: () => undefined })
  }
}

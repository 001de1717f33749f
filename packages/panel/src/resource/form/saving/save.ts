/** Saves a form: its calls one after the other, joined with what a colleague has saved in the meantime. */
import type { Entry, Locale, Resource } from '@dala/model'
import { ApiError } from '../../../api/api-error.ts'
import { type Draft, resourceQueries } from '../../../api/resource-queries.ts'
import { type Attempts, makeOnce } from './attempts.ts'
import { isMissing, isStale, StepError } from './failure.ts'
import { planSave, type SaveStep } from './plan.ts'
import { type Family, familyOf, type FormValues, type Touched } from '../values.ts'
import type { FieldPlace } from './merge.ts'

/** What a save works on. */
export interface SaveGround {
  touched: Touched
  family: Family
  language: Locale
  /** The record on the server; nothing for a new one. */
  record: Entry | null
}

/** Somebody else's change that a save met. */
interface Meeting {
  /** Who made it, as the refusal says. */
  by: unknown
  at: unknown
  taken: FieldPlace[]
}

export interface Saved {
  id: number | undefined
  sent: FormValues
  touched: Touched
  steps: readonly SaveStep[]
  /** The record as the last call left it. */
  last: Entry | undefined
  met: Meeting | undefined
}

export interface SaveTools {
  resource: Resource
  values: () => FormValues
  groundOf: (record: Entry | null) => SaveGround
  tries: { attempts: Attempts; keep: () => void }
  /** The record as it is now on the server. */
  readAgain: () => Promise<Entry | null>
  /** Joins it with what is typed. Out: what was taken from there, and whether a reader has to choose. */
  joinWith: (record: Entry) => { taken: FieldPlace[]; isOpen: boolean }
}

/** Colleagues who save as fast as we do are met so often in one save; after that it is a matter for the reader. */
const mostMeetings = 5

interface StepDone {
  /** The id of the record. */
  id: number
  /** The record with its languages, where the answer has them. */
  entry?: Entry
}

/**
 * Makes one call of a save. Creates and translations carry a key, so that a lost answer makes nothing twice.
 *
 * @param id The id of the record as far as there is one.
 * @param tries What was tried before, and where tries are stored.
 */
async function runStep(
  resource: Resource,
  step: SaveStep,
  id: number | undefined,
  tries: SaveTools['tries'],
): Promise<StepDone> {
  const { attempts, keep } = tries
  const queries = resourceQueries(resource)
  const change = queries.update
  const done = (entry: Entry) => ({ id: entry.id, entry })
  if (resource.single && step.locale) return done(await queries.saveSingle(step.locale, step.draft))
  if (step.kind === 'update') return done(await queries.update(step.id, step.draft))
  if (step.kind === 'create') {
    return done(await makeOnce(attempts, 'record', step.draft, { make: queries.create, change, keep }))
  }
  if (id === undefined) throw new Error('A translation needs a record')
  const make = (draft: Draft, key: string) => queries.translate(id, draft, key)
  await makeOnce(attempts, step.locale, { ...step.draft, locale: step.locale }, { make, change, keep })
  return { id }
}

/** Runs the calls of a save. Throws `StepError` with the call that failed. */
async function runSteps(tools: SaveTools, steps: readonly SaveStep[], known: number | undefined) {
  let id: number | undefined
  let last: Entry | undefined
  for (const step of steps) {
    try {
      const done = await runStep(tools.resource, step, known ?? id, tools.tries)
      id = done.id
      last = done.entry ?? last
    } catch (error) {
      throw new StepError(step, error, isMissing(error) && (await isRecordGone(tools, step, known)))
    }
  }
  return { id, last }
}

/** A step found nothing: asks whether that is its language only. */
async function isRecordGone(tools: SaveTools, step: SaveStep, known: number | undefined): Promise<boolean> {
  if (known === undefined || tools.resource.single || (step.kind === 'update' && step.id === known)) return true
  return tools.readAgain().then(() => false, isMissing)
}

/** Saves what was changed; what a colleague changed elsewhere in the record meanwhile is taken over and stays. */
export async function saveForm(tools: SaveTools, record: Entry | null): Promise<Saved> {
  let now = record
  let met: Meeting | undefined
  for (let meetings = 0; ; meetings += 1) {
    const ground = tools.groundOf(now)
    const sent = structuredClone(tools.values())
    const steps = planSave(tools.resource, sent, ground.touched, ground.family, ground.language, ground.record)
    try {
      const { id, last } = await runSteps(tools, steps, now?.id)
      return { id: now?.id ?? id, sent, touched: ground.touched, steps, last, met }
    } catch (error) {
      const reason = error instanceof StepError ? error.reason : undefined
      if (!(reason instanceof ApiError) || !isStale(reason) || !now || meetings === mostMeetings) throw error
      const fresh = await tools.readAgain().catch(() => null)
      if (!fresh) throw error
      const { taken, isOpen } = tools.joinWith(fresh)
      if (isOpen) throw error
      const { changedBy: by, changedAt: at } = reason.details
      met = { by, at, taken: [...(met?.taken ?? []), ...taken] }
      now = fresh
    }
  }
}

/**
 * The way back of a save: the former values, written over nothing but what it has written. Undefined where there is
 * none: a language was added, a password or a state was set.
 */
export function undoOf(resource: Resource, former: FormValues, saved: Saved, language: Locale) {
  const { steps, touched, last } = saved
  const isPlain = (name: string) => {
    const field = resource.fields[name]
    return field !== undefined && !field.private && !('steps' in field && field.steps)
  }
  if (!last || steps.some(({ kind }) => kind !== 'update') || ![...touched.shared].every(isPlain)) return undefined
  return async () => {
    const back = planSave(resource, former, touched, familyOf(resource, last), language, last)
    for (const step of back) await runStep(resource, step, last.id, { attempts: {}, keep: () => undefined })
  }
}

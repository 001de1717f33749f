/** Sends one of the API calls that save a form. */
import type { Entry, Resource } from '@dala/model'
import { type Draft, resourceQueries } from '../../../api/resource-queries.ts'
import { type CreateAttempts, createOnce } from './attempts.ts'
import type { SaveStep } from './plan.ts'

interface StepDone {
  /** Id of the record that the call has saved. */
  id: number
  /** Saved record; with its other languages where the response contains them. */
  entry?: Entry
}

/**
 * Makes one call of a save. Creates and translations carry a key, so that a lost answer creates nothing
 * twice.
 *
 * @param resource - The resource.
 * @param step - The call.
 * @param id - The id of the record, once there is one.
 * @param tools - The pending attempts, and `keep`, which stores them.
 * @returns The id and the record.
 */
export async function runStep(
  resource: Resource,
  step: SaveStep,
  id: number | undefined,
  { attempts, keep }: { attempts: CreateAttempts; keep: () => void },
): Promise<StepDone> {
  const queries = resourceQueries(resource)
  const change = queries.update
  const stepResult = (entry: Entry) => ({ id: entry.id, entry })
  if (resource.single && step.locale) return stepResult(await queries.saveSingleType(step.locale, step.draft))
  if (step.kind === 'update') return stepResult(await queries.update(step.id, step.draft))
  if (step.kind === 'create') {
    return stepResult(
      await createOnce(attempts, 'record', step.draft, { makeEntry: queries.create, change, keepKey: keep }),
    )
  }
  if (id === undefined) throw new Error('A translation needs a record')
  const makeCall = (draft: Draft, key: string) => queries.translate(id, draft, key)
  await createOnce(
    attempts,
    step.locale,
    { ...step.draft, locale: step.locale },
    { makeEntry: makeCall, change, keepKey: keep },
  )
  return { id }
}

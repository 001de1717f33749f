/** Makes one call of a save. */
import type { Resource } from '@dala/model'
import { type Draft, resourceQueries } from '../api/resource-queries.ts'
import { type Attempts, makeOnce } from './form-attempts.ts'
import type { SaveStep } from './form-plan.ts'

/**
 * In: the step, the id of the record as far as there is one, what was tried before and where tries are kept.
 * Out: the id of the record. Creates and translations carry a key, so that a lost answer makes nothing twice.
 */
export async function runStep(
  resource: Resource,
  step: SaveStep,
  id: number | undefined,
  { attempts, keep }: { attempts: Attempts; keep: () => void },
): Promise<number> {
  const queries = resourceQueries(resource)
  const change = queries.update
  if (resource.single && step.locale) return (await queries.saveSingle(step.locale, step.draft)).id
  if (step.kind === 'update') return (await queries.update(step.id, step.draft)).id
  if (step.kind === 'create') {
    return (await makeOnce(attempts, 'record', step.draft, { make: queries.create, change, keep })).id
  }
  if (id === undefined) throw new Error('A translation needs a record')
  const make = (draft: Draft, key: string) => queries.translate(id, draft, key)
  await makeOnce(attempts, step.locale, { ...step.draft, locale: step.locale }, { make, change, keep })
  return id
}

/** Records named by a refused deletion of a file (contract §10). */
import type { FileUse } from '@dala/model'
import { ApiError } from '../../api/api-error.ts'

function parseFileUse(value: unknown): FileUse | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { resource, id, field, name }: { resource?: unknown; id?: unknown; field?: unknown; name?: unknown } = value
  if (typeof resource !== 'string' || typeof id !== 'number') return undefined
  return { resource, id, field: typeof field === 'string' ? field : '', name: typeof name === 'string' ? name : null }
}

/** Returns the records of a refused deletion; undefined for any other failure. */
export function usesOfRefusal(error: unknown): FileUse[] | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  const { uses } = error.details
  return Array.isArray(uses) ? uses.map(parseFileUse).filter((use) => use !== undefined) : undefined
}

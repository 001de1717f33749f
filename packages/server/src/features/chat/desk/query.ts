/** Values of the desk's bodies. */
import { maxInteger } from '@dala/model'
import type { ActionBody } from '../../../resources/action-body.ts'

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxInteger

/** The ids under a key of a body, each once, in order; what is wrong with them is noted in the body. */
export function readIds(body: ActionBody, field: string, max: number): number[] {
  const given = body.raw(field)
  if (!Array.isArray(given) || given.length === 0) {
    body.wrong(field, 'validation.required')
    return []
  }
  if (given.length > max) body.wrong(field, 'validation.maxItems', { max })
  const ids = given.filter(isId)
  if (ids.length < given.length) body.wrong(field, 'validation.relation')
  return [...new Set(ids)].toSorted((one, other) => one - other)
}

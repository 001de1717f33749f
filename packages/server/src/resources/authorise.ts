/** Asks the model's access table, before anything of the request is looked at (contract §14). */
import { type Caller, fault, type OperationName, type Resource } from '@dala/model'
import { type View, viewOf } from './attributes.ts'

/**
 * What a caller may do. In: resource, operation, caller. Out: the fields and rows within reach.
 * Throws 403 when the table denies; the refusal tells nothing about the record.
 */
export function authorise(resource: Resource, operation: OperationName, caller: Caller): View {
  const view = viewOf(resource, caller, operation)
  if (!view) throw fault('access.denied')
  return view
}

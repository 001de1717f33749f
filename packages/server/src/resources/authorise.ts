/** Checks the model's access table before anything else of the request (contract §14). */
import { type Caller, fault, type OperationName, type Resource } from '@dala/model'
import { type View, viewOfResource } from './attributes.ts'

/**
 * Returns the rights of a caller.
 *
 * @param resource - The resource.
 * @param operation - The operation.
 * @param caller - The caller.
 * @returns The fields and rows that the caller may use.
 * @throws 403 when the table denies; the refusal reveals nothing about the record.
 */
export function authoriseCaller(resource: Resource, operation: OperationName, caller: Caller): View {
  const view = viewOfResource(resource, caller, operation)
  if (!view) throw fault('access.denied')
  return view
}

/** Which resources can be put back to what they were. */
import { decide, type Resource, roleTypes } from '@dala/model'

/** Whether anybody changes records of a resource by the generic calls; what has no trash has calls of its own. */
export function canRevert(resource: Resource): boolean {
  if (resource.noTrash) return false
  return roleTypes.some((role) => decide(resource.access, 'update', { role, isConsultant: false }) !== false)
}

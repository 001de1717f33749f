/** Decides which resources can be reverted. */
import { decideAccess, type Resource, roleTypes } from '@dala/model'

/**
 * Whether any role updates records of a resource by the generic routes; resources without a trash have routes
 * of their own.
 */
export function canRevert(resource: Resource): boolean {
  if (resource.noTrash) return false
  return roleTypes.some((role) => decideAccess(resource.access, 'update', { role, isConsultant: false }) !== false)
}

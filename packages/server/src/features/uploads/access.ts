/**
 * Defines rights on files (contract §14), which the declaration lets nobody create or change by generic
 * routes.
 */
import { type AccessTable, type Resource } from '@dala/model'
import { resourceNamed } from '../../resources/attributes.ts'

/** Staff change all files; every signed-in user uploads files and changes their own. */
const ownOrStaffAccess: AccessTable['read'] = { authenticated: { rows: { owner: { id: '$caller.id' } } }, admin: true }

/** Returns the resource of files with the rights of its own routes. */
export function fileResource(): Resource {
  const uploads = resourceNamed('uploads')
  return {
    ...uploads,
    access: { ...uploads.access, create: 'authenticated', update: ownOrStaffAccess },
  }
}

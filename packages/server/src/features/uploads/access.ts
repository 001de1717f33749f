/** Who may do what with files (contract §14): the records' own declaration lets nobody write by the generic routes. */
import { type Access, type Resource } from '@dala/model'
import { resourceNamed } from '../../resources/attributes.ts'

/** Staff have all files in hand; everybody signed in uploads, and changes and deletes what is his own. */
const ownOrStaff: Access['read'] = { authenticated: { rows: { owner: { id: '$caller.id' } } }, admin: true }

/** The records of files, with the rights of their own routes. */
export function fileResource(): Resource {
  const uploads = resourceNamed('uploads')
  return {
    ...uploads,
    access: { read: uploads.access.read, create: 'authenticated', update: ownOrStaff, remove: ownOrStaff },
  }
}

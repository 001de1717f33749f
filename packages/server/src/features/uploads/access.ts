/** Who may do what with files (contract §14): the records' own declaration lets nobody create or change by the generic routes. */
import { type Access, type Resource } from '@dala/model'
import { resourceNamed } from '../../resources/attributes.ts'

/** Staff change all files; everybody signed in uploads, and changes what is their own. */
const ownOrStaff: Access['read'] = { authenticated: { rows: { owner: { id: '$caller.id' } } }, admin: true }

/** The records of files, with the rights of their own routes. */
export function fileResource(): Resource {
  const uploads = resourceNamed('uploads')
  return {
    ...uploads,
    access: { ...uploads.access, create: 'authenticated', update: ownOrStaff },
  }
}

/** Feature of the inbox, which stores notices to a user. */
import type { Feature } from '../../domain/feature.ts'
import { described } from '../../http/contract-routes.ts'
import { registerInbox } from './routes.ts'

export const inbox: Feature = {
  name: 'inbox',
  register: registerInbox,
  describe: described(async () => (await import('@dala/model/api/inbox')).inboxRoutes),
}

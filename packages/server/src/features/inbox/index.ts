/** Notices to a person. */
import type { Feature } from '../../domain/feature.ts'
import { registerInbox } from './routes.ts'

export const inbox: Feature = {
  name: 'inbox',
  register: registerInbox,
  describe: async () => (await import('./descriptions.ts')).inboxDescriptions,
}

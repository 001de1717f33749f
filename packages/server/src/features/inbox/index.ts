/** Feature of the inbox, which stores notices to a user. */
import type { Feature } from '../../domain/feature.ts'
import { onInboxChange } from '../../domain/delivery/notices.ts'
import { channelOf } from '../../domain/delivery/sockets.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { registerInbox } from './routes.ts'

export const inbox: Feature = {
  name: 'inbox',
  registerRoutes(app, context) {
    const { database, sockets, log } = context
    const stopListening = onInboxChange(database, (users) => {
      try {
        sockets.to(users.map(channelOf)).emit('notices:changed')
      } catch (error) {
        log.error({ err: error }, 'users were not notified of a changed inbox')
      }
    })
    app.addHook('preClose', async () => {
      stopListening()
    })
    registerInbox(app, context)
  },
  describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/inbox')).inboxRoutes),
}

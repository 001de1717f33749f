/** Feature of trading posts: the queue of moderators, decisions, reports of readers, expiry. */
import type { Feature } from '../../domain/feature.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { DecisionNotices } from './decision-notices.ts'
import { PostExpiry } from './expiry.ts'
import { notifyModerators } from './moderation-events.ts'
import { registerTrade } from './routes.ts'
import { postWriters } from './writers.ts'

export const trade: Feature = {
  name: 'trade',
  writers: () => ({ tradinposts: postWriters }),
  register(app, context) {
    const { database, sockets, log } = context
    registerTrade(app, context)
    const stop = notifyModerators(database, sockets, log)
    app.addHook('preClose', async () => {
      stop()
    })
  },
  jobs({ database, logged }) {
    const expiry = new PostExpiry(database)
    expiry.start(logged('expiring posts failed'))
    const decisions = new DecisionNotices(database)
    decisions.start(logged('notifying of decisions failed'))
    return [expiry, decisions]
  },
  describe: loadDescriptions(async () => (await import('@dala/model/api/trade')).tradeRoutes),
}

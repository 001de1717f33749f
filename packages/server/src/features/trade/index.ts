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
  registerRoutes(app, context) {
    const { database, sockets, log } = context
    registerTrade(app, context)
    const stopNotifying = notifyModerators(database, sockets, log)
    app.addHook('preClose', async () => {
      stopNotifying()
    })
  },
  jobs({ database, logFailure }) {
    const expiry = new PostExpiry(database)
    expiry.start(logFailure('expiring posts failed'))
    const decisions = new DecisionNotices(database)
    decisions.start(logFailure('notifying of decisions failed'))
    return [expiry, decisions]
  },
  describeRoutes: loadDescriptions(async () => (await import('@dala/model/api/trade')).tradeRoutes),
}

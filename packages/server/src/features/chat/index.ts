/** Feature of the chat between farmers and consultants, and of the desk that answers it. */
import type { Feature } from '../../domain/feature.ts'
import { DueTimes } from '../../domain/conversations/due-times.ts'
import { loadDescriptions } from '../../http/contract-routes.ts'
import { registerDesk } from './desk/routes.ts'
import { DeskSweep } from './desk/sweep.ts'
import { registerChat } from './routes.ts'

export const chat: Feature = {
  name: 'chat',
  registerRoutes(app, context) {
    registerChat(app, { ...context, tickSeconds: context.settings.chatTickSeconds })
    registerDesk(app, context)
  },
  jobs({ database, logFailure }) {
    const deskSweep = new DeskSweep(database)
    deskSweep.start(logFailure('sweep of the desk failed'))
    const dueTimes = new DueTimes(database)
    dueTimes.start(logFailure('due times of waiting cases could not follow the working hours'))
    return [deskSweep, dueTimes]
  },
  describeRoutes: loadDescriptions(async () => {
    const [{ roomRoutes }, { messageRoutes }, { deskRoutes }] = await Promise.all([
      import('@dala/model/api/chat/rooms'),
      import('@dala/model/api/chat/messages'),
      import('@dala/model/api/chat/desk'),
    ])
    return { ...roomRoutes, ...messageRoutes, ...deskRoutes }
  }),
}

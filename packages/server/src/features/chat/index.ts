/** Chat of farmers and consultants, and the desk that answers it. */
import type { Feature } from '../../domain/feature.ts'
import { registerDesk } from './desk/routes.ts'
import { DeskSweep } from './desk/sweep.ts'
import { registerChat } from './routes.ts'

export const chat: Feature = {
  name: 'chat',
  register(app, context) {
    registerChat(app, { ...context, tickSeconds: context.settings.chatTickSeconds })
    registerDesk(app, context)
  },
  jobs({ database, logged }) {
    const desk = new DeskSweep(database)
    desk.start(logged('sweep of the desk failed'))
    return [desk]
  },
  describe: async () => {
    const [{ chatDescriptions }, { deskDescriptions }] = await Promise.all([
      import('./descriptions.ts'),
      import('./desk/descriptions.ts'),
    ])
    return { ...chatDescriptions, ...deskDescriptions }
  },
}

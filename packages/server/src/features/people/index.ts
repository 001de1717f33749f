/** Feature of people: invitations, blocking, help with signing in, and the writes of accounts. */
import type { Feature } from '../../domain/feature.ts'
import { entryWriters } from '../../resources/write/writers.ts'
import { registerPeople } from './routes.ts'
import { accountWriters } from './writers.ts'

export const people: Feature = {
  name: 'people',
  writers(settings) {
    const accounts = accountWriters(settings)
    return { users: accounts, staff: accounts }
  },
  registerRoutes(app, context) {
    registerPeople(app, { ...context, writers: context.writers.users ?? entryWriters })
  },
  describeRoutes: async () => {
    const [{ peopleRoutes }, { describeContracts }] = await Promise.all([
      import('@dala/model/api/people'),
      import('../../http/describe-contracts.ts'),
    ])
    return describeContracts(peopleRoutes)
  },
}

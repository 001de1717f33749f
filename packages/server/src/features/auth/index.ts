/** Feature of sign-in, registration, and changes that users make to their own account. */
import { type Caller, fault } from '@dala/model'
import type { Database } from '../../db/database.ts'
import type { Feature } from '../../domain/feature.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { parseSingleQuery } from '../../resources/read/parse-query.ts'
import { flattenEntry, readSingleRecord } from '../../resources/read/read.ts'
import { EmailChange } from './email-change.ts'
import { PasswordChange } from './password-change.ts'
import { Registration } from './registration.ts'
import { registerAuth } from './routes.ts'
import { SignIn } from './sign-in.ts'
import { TwoStep } from './two-step.ts'
import { readTwoStepSeal } from './two-step-seal.ts'

/** Returns the flat account of a user who has just signed in (contract §2), with all its fields. */
async function presentAccount(database: Database, id: number) {
  const ownCaller: Caller = { id, role: 'authenticated', isConsultant: false, language: 'en', sessionId: '' }
  const account = await readSingleRecord(database, parseSingleQuery({}, resourceNamed('users'), ownCaller, {}, id))
  if (!account) throw fault('auth.unauthorized')
  return flattenEntry(account)
}

export const auth: Feature = {
  name: 'auth',
  registerRoutes(app, { database, sessions, settings }) {
    const twoStepSeal = readTwoStepSeal(settings.twoStepKeys, settings.dataDir)
    registerAuth(app, {
      database,
      sessions,
      signIn: new SignIn(database, sessions, settings, twoStepSeal),
      registration: new Registration(database, sessions, settings),
      emailChange: new EmailChange(database, settings),
      passwordChange: new PasswordChange(database, sessions, settings),
      twoStep: new TwoStep(database, settings, twoStepSeal),
      settings,
      presentUser: (id) => presentAccount(database, id),
    })
  },
  describeRoutes: async () => {
    const [{ authRoutes }, { describeContracts }] = await Promise.all([
      import('@dala/model/api/auth'),
      import('../../http/describe-contracts.ts'),
    ])
    return describeContracts(authRoutes)
  },
}

/**
 * The parts of the engine that know resources by name: behaviours, one line for each resource that has one,
 * and the others.
 */
import type { EngineParts } from '../db/database.ts'
import { hashPassword, verifyPassword } from '../domain/accounts/passwords.ts'
import { personSql } from '../domain/conversations/desk.ts'
import type { Behaviour } from '../resources/write/behaviour.ts'
import { roomBehaviour } from './chatrooms.ts'
import { computedSql } from './computed.ts'
import { consultationBehaviour } from './consultations.ts'
import { courseBehaviour } from './courses.ts'
import { lessonGroupBehaviour } from './lessongroups.ts'
import { lessonBehaviour } from './lessons.ts'
import { viewBehaviour } from './listviews.ts'
import { priceBehaviour } from './pricelists.ts'
import { roleBehaviour } from './roles.ts'
import { absenceBehaviour, routingRuleBehaviour } from './routing.ts'
import { tradingPostBehaviour } from './tradinposts.ts'
import { fileBehaviour } from './uploads.ts'
import { accountBehaviour } from './users.ts'

const behaviours: Readonly<Partial<Record<string, Behaviour>>> = {
  absences: absenceBehaviour,
  chatrooms: roomBehaviour,
  consultations: consultationBehaviour,
  courses: courseBehaviour,
  lessongroups: lessonGroupBehaviour,
  lessons: lessonBehaviour,
  listviews: viewBehaviour,
  pricelists: priceBehaviour,
  roles: roleBehaviour,
  routingrules: routingRuleBehaviour,
  tradinposts: tradingPostBehaviour,
  uploads: fileBehaviour,
  users: accountBehaviour('authenticated'),
  staff: accountBehaviour('admin'),
}

/** The parts of the engine: a database that serves records is opened with them. */
export const engineParts: EngineParts = {
  behaviourOf: ({ name }) => behaviours[name],
  computedSql,
  hashPassword,
  personSql,
  verifyPassword,
}

/** Behaviours by resource: one line for each resource that has rules of its own. */
import type { Behaviour } from '../resources/write/behaviour.ts'
import { roomBehaviour } from './chatrooms.ts'
import { consultationBehaviour } from './consultations.ts'
import { courseBehaviour } from './courses.ts'
import { lessonBehaviour } from './lessons.ts'
import { viewBehaviour } from './listviews.ts'
import { priceBehaviour } from './pricelists.ts'
import { roleBehaviour } from './roles.ts'
import { tradingPostBehaviour } from './tradinposts.ts'
import { fileBehaviour } from './uploads.ts'
import { accountBehaviour } from './users.ts'

export const behaviours: Readonly<Partial<Record<string, Behaviour>>> = {
  chatrooms: roomBehaviour,
  consultations: consultationBehaviour,
  courses: courseBehaviour,
  lessons: lessonBehaviour,
  listviews: viewBehaviour,
  pricelists: priceBehaviour,
  roles: roleBehaviour,
  tradinposts: tradingPostBehaviour,
  uploads: fileBehaviour,
  users: accountBehaviour('authenticated'),
  staff: accountBehaviour('admin'),
}

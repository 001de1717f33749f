/** What the routes of accounts beside the generic ones say of themselves. */
import { type Descriptions, done } from '../../http/description.ts'

export const peopleDescriptions: Descriptions = {
  'POST /api/users/:id/sign-out': {
    group: 'Users',
    id: 'users.signOut',
    summary: 'End the sessions of somebody below oneself, or all others of one’s own',
    answers: { 200: done },
    refusals: ['user.not-found', 'access.denied'],
  },
}

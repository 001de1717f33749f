/** What the routes of accounts beside the generic ones say of themselves. */
import type { JsonSchema } from '@dala/model'
import { type Descriptions, done, exactly, json, listOf } from '../../http/description.ts'

const whole: JsonSchema = { type: 'integer', minimum: 0 }

export const peopleDescriptions: Descriptions = {
  'POST /api/users/:id/sign-out': {
    group: 'Users',
    id: 'users.signOut',
    summary: 'End the sessions of somebody below oneself, or all others of one’s own',
    answers: { 200: done },
    refusals: ['user.not-found', 'access.denied'],
  },
  'GET /api/consultants/load': {
    group: 'Users',
    id: 'consultants.load',
    summary: 'What consultants have on their desks',
    details:
      'Consultations given to each (`open`: not finished), the rooms he receives or holds, and those of them whose customer waits for his reply. Accounts out of one’s reach are missing.',
    query: [
      {
        name: 'ids',
        description: 'Ids of the accounts, at most 100, with commas between them',
        schema: { type: 'string', examples: ['4,6,8'] },
      },
    ],
    answers: {
      200: json(
        exactly({
          data: listOf(
            exactly({
              id: whole,
              open: whole,
              answered: whole,
              finished: whole,
              all: whole,
              rooms: whole,
              waiting: whole,
            }),
          ),
        }),
      ),
    },
    refusals: ['access.denied', 'query.value'],
    roles: { consultant: 'own', admin: 'bounded', 'super-admin': 'bounded', owner: 'all' },
  },
}

/** What the routes of accounts beside the generic ones say of themselves. */
import type { ErrorCode, JsonSchema } from '@dala/model'
import { type Descriptions, done, exactly, json, listOf, schemaRef, sessionShape } from '../../http/description.ts'

const group = 'Users'
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const text: JsonSchema = { type: 'string' }
const account = json(schemaRef('users.Record'))
const shown = ['fields', 'populate', 'relatedLocale']
const ofQuery: readonly ErrorCode[] = ['query.parameter', 'query.value']
/** Of whatever is done to an account: nothing to one's equals and betters, nothing to oneself. */
const ofRank: readonly ErrorCode[] = [
  'access.denied',
  'record.not-found',
  'user.not-found',
  'user.own-access',
  'user.rank',
]
const ofReason: readonly ErrorCode[] = ['request.unprocessable', 'state.reason', 'validation.several']
const work = exactly({ consultations: whole, rooms: whole })
const reason: JsonSchema = { ...text, minLength: 1, maxLength: 255 }

export const peopleDescriptions: Descriptions = {
  'POST /api/users/:id/sign-out': {
    group,
    id: 'users.signOut',
    summary: 'End the sessions of somebody below oneself, or all others of one’s own',
    answers: { 200: done },
    refusals: ['user.not-found', 'access.denied'],
  },
  'POST /api/users/invite': {
    group,
    id: 'users.invite',
    summary: 'Make an account whose password is chosen with a letter',
    details:
      'The body is flat; other keys are ignored. The account is not confirmed until its owner has opened the link of the letter, which is good for INVITE_HOURS. Without a user name one is made from the address.',
    query: shown,
    headers: ['idempotencyKey'],
    body: json({
      type: 'object',
      properties: {
        email: text,
        role: {},
        username: text,
        name: text,
        surname: text,
        language: text,
        is_consultant: { type: 'boolean' },
        consultantcategories: {},
      },
      required: ['email'],
    }),
    answers: { 201: account },
    refusals: [
      ...ofQuery,
      'access.denied',
      'request.key-reused',
      'user.email-taken',
      'user.username-taken',
      'user.role-not-granted',
      'validation.email',
      'validation.emailInvalid',
      'validation.emailLength',
      'validation.name',
      'validation.null',
      'validation.text',
      'validation.control',
      'validation.minLength',
      'validation.maxLength',
      'validation.choice',
      'validation.boolean',
      'validation.relation',
      'validation.relationMissing',
      'validation.several',
    ],
  },
  'POST /api/users/:id/invite': {
    group,
    id: 'users.inviteAgain',
    summary: 'Send an invitation again; the link of the former letter is void',
    answers: { 200: done },
    refusals: [...ofRank, 'user.not-invited', 'user.blocked', 'auth.throttled'],
  },
  'POST /api/users/:id/reset-password': {
    group,
    id: 'users.sendPasswordLetter',
    summary: 'Send the letter that sets a new password to somebody below oneself',
    answers: { 200: done },
    refusals: [...ofRank, 'user.blocked', 'auth.throttled'],
  },
  'GET /api/users/:id/sessions': {
    group,
    id: 'users.sessions',
    summary: 'Where somebody below oneself is signed in, those seen last first',
    answers: { 200: json(exactly({ data: listOf(exactly(sessionShape)) })) },
    refusals: ofRank,
  },
  'DELETE /api/users/:id/sessions/:session': {
    group,
    id: 'users.endSession',
    summary: 'End one session of somebody below oneself',
    answers: { 200: done },
    refusals: ofRank,
  },
  'DELETE /api/users/:id/two-step': {
    group,
    id: 'users.turnOffTwoStep',
    summary: 'Turn two-step sign-in off for somebody below oneself who has lost the app and the codes',
    details: 'His sessions end, and a letter tells him.',
    answers: { 200: done },
    refusals: [...ofRank, 'auth.two-step-off'],
  },
  'GET /api/users/:id/open-work': {
    group,
    id: 'users.openWork',
    summary: 'Consultations that are not finished and rooms that are not closed, of somebody below oneself',
    answers: { 200: json(work) },
    refusals: ofRank,
  },
  'POST /api/users/:id/block': {
    group,
    id: 'users.block',
    summary: 'Block an account, with a reason; hand its open work over',
    details:
      '`handover.to` is who gets all of it, or null for the queue; without `handover` open work answers 409 with its counts. All sessions end.',
    query: shown,
    body: json(exactly({ reason, handover: exactly({ to: { type: ['integer', 'null'] } }) }, ['handover'])),
    answers: { 200: account },
    refusals: [...ofRank, ...ofReason, ...ofQuery, 'desk.no-consultant', 'user.open-work', 'user.last-owner'],
  },
  'POST /api/users/:id/unblock': {
    group,
    id: 'users.unblock',
    summary: 'Let a blocked account in again, with a reason',
    query: shown,
    body: json(exactly({ reason })),
    answers: { 200: account },
    refusals: [...ofRank, ...ofReason, ...ofQuery],
  },
  'GET /api/consultants/load': {
    group,
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

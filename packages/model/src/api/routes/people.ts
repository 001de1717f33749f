/** Contracts of the routes for actions on accounts, except writing them (contract §3). */
import * as z from 'zod'
import type { ErrorCode } from '../../errors/errors.ts'
import { maxInteger } from '../../fields/value-kinds.ts'
import { maxBlockReason, maxWorkloads } from '../people.ts'
import type { Contracts } from './contract.ts'
import {
  dataAnswer,
  declaredSchema,
  okAnswer,
  flatData,
  flatEntryOf,
  issue,
  type LinkInput,
  link,
  session,
  text,
  whole,
} from './parts.ts'

const group = 'Users'
const account = flatEntryOf('users')
const sharedKeys = ['fields', 'populate', 'relatedLocale'] as const
const ofQuery = ['query.parameter', 'query.value'] as const satisfies readonly ErrorCode[]
/** Error codes of every action on an account: equal or higher roles and the own account are refused. */
const rankCodes = [
  'access.denied',
  'record.not-found',
  'user.not-found',
  'user.own-access',
  'user.rank',
] as const satisfies readonly ErrorCode[]
const reasonCodes = [
  'request.unprocessable',
  'state.reason',
  'validation.several',
] as const satisfies readonly ErrorCode[]

const openWork = z.strictObject({ consultations: whole, rooms: whole })
const reason = text(maxBlockReason, 'state.reason').meta({ minLength: 1 })

/** User who receives the open work of the account; null for the queue. */
const workHandover = declaredSchema<{ to: LinkInput | null } | null>({
  type: 'object',
  properties: { to: { type: ['integer', 'null'] } },
  required: ['to'],
  additionalProperties: false,
}).optional()
const newOwner = link().nullable()

const blockBody = flatData({ reason, handover: workHandover }).transform((body, context) => {
  const rawHandover: unknown = body.handover
  if (rawHandover === undefined || rawHandover === null) return { reason: body.reason, to: undefined }
  const receiverId = typeof rawHandover === 'object' && 'to' in rawHandover ? rawHandover.to : undefined
  if (receiverId === undefined) {
    context.issues.push({ ...issue(rawHandover, 'validation.required'), path: ['handover'] })
    return z.NEVER
  }
  const { data: newOwnerId } = newOwner.safeParse(receiverId)
  if (newOwnerId === undefined) context.issues.push({ ...issue(receiverId, 'validation.relation'), path: ['to'] })
  return { reason: body.reason, to: newOwnerId }
})

/** The body of an invitation; the write path checks the values of the account. */
const invitation = flatData({
  email: declaredSchema<string>({ type: 'string' }),
  role: z.unknown().optional(),
  username: declaredSchema<string>({ type: 'string' }).optional(),
  name: declaredSchema<string>({ type: 'string' }).optional(),
  surname: declaredSchema<string>({ type: 'string' }).optional(),
  language: declaredSchema<string>({ type: 'string' }).optional(),
  is_consultant: declaredSchema<boolean>({ type: 'boolean' }).optional(),
  consultantcategories: z.unknown().optional(),
})

function idsOf(idList: string): number[] | undefined {
  const ids = new Set(idList.split(',').map((idText) => (/^\d{1,10}$/.test(idText) ? Number(idText) : 0)))
  return ids.size > maxWorkloads || [...ids].some((personId) => personId < 1 || personId > maxInteger)
    ? undefined
    : [...ids]
}

const ids = z
  .custom<string>()
  .transform((rawValue, context) => {
    const validIds = typeof rawValue === 'string' ? idsOf(rawValue) : undefined
    if (!validIds) context.issues.push(issue(rawValue, 'query.value'))
    return validIds ?? []
  })
  .meta({
    type: 'string',
    examples: ['4,6,8'],
    description: 'Ids of at most 100 accounts, separated by commas',
  })

/** Figures of a consultant's consultations and rooms. */
const load = z.strictObject({
  id: whole,
  /** Number of the consultant's consultations that are not finished. */
  open: whole,
  answered: whole,
  finished: whole,
  all: whole,
  rooms: whole,
  /** Number of the consultant's rooms whose customer waits for a reply. */
  waiting: whole,
})

export const peopleRoutes = {
  'POST /api/users/:id/sign-out': {
    group,
    id: 'users.signOut',
    summary: 'End the sessions of an account below the caller’s role, or all other sessions of the caller',
    answers: { 200: okAnswer },
    refusals: ['user.not-found', 'access.denied'],
  },
  'POST /api/users/invite': {
    group,
    id: 'users.invite',
    summary: 'Create an account whose owner sets the password by email',
    details:
      'The body is flat; other keys are ignored. The account is unconfirmed until its owner opens the link in the email, which is valid for the number of hours in INVITE_HOURS. Without `username`, one is derived from the email address.',
    shared: sharedKeys,
    headers: ['idempotencyKey'],
    body: invitation,
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
    summary: 'Send an invitation again; the previous link becomes invalid',
    answers: { 200: okAnswer },
    refusals: [...rankCodes, 'user.not-invited', 'user.blocked', 'auth.throttled'],
  },
  'POST /api/users/:id/reset-password': {
    group,
    id: 'users.sendPasswordLetter',
    summary: 'Send an email for setting a new password to an account below the caller’s role',
    answers: { 200: okAnswer },
    refusals: [...rankCodes, 'user.blocked', 'auth.throttled'],
  },
  'GET /api/users/:id/sessions': {
    group,
    id: 'users.sessions',
    summary: 'List the sessions of an account below the caller’s role, most recently used first',
    answers: { 200: dataAnswer(z.array(session)) },
    refusals: rankCodes,
  },
  'DELETE /api/users/:id/sessions/:session': {
    group,
    id: 'users.endSession',
    summary: 'End one session of an account below the caller’s role',
    answers: { 200: okAnswer },
    refusals: rankCodes,
  },
  'DELETE /api/users/:id/two-step': {
    group,
    id: 'users.turnOffTwoStep',
    summary: 'Turn off two-step sign-in for an account below the caller’s role that has lost the app and the codes',
    details: 'All sessions of the account end, and its owner is notified by email.',
    answers: { 200: okAnswer },
    refusals: [...rankCodes, 'auth.two-step-off'],
  },
  'GET /api/users/:id/open-work': {
    group,
    id: 'users.openWork',
    summary: 'Count the unfinished consultations and open rooms of an account below the caller’s role',
    answers: { 200: openWork },
    refusals: rankCodes,
  },
  'POST /api/users/:id/block': {
    group,
    id: 'users.block',
    summary: 'Block an account with a reason, and hand over its open cases',
    details:
      '`handover.to` is the user who receives all open cases, or null for the queue. Without `handover`, an account with open cases is refused with 409 and their counts. All sessions of the account end.',
    shared: sharedKeys,
    body: blockBody,
    answers: { 200: account },
    refusals: [...rankCodes, ...reasonCodes, ...ofQuery, 'desk.no-consultant', 'user.open-work', 'user.last-owner'],
  },
  'POST /api/users/:id/unblock': {
    group,
    id: 'users.unblock',
    summary: 'Unblock an account with a reason',
    shared: sharedKeys,
    body: flatData({ reason }),
    answers: { 200: account },
    refusals: [...rankCodes, ...reasonCodes, ...ofQuery],
  },
  'GET /api/consultants/load': {
    group,
    id: 'consultants.load',
    summary: 'Get the workload of consultants',
    details:
      'For each consultant: their consultations (`open`: not finished), the rooms that they receive or are assigned to, and the rooms whose customer waits for their reply. Accounts that the caller may not see are missing.',
    query: z.object({ ids }),
    answers: { 200: dataAnswer(z.array(load)) },
    refusals: ['access.denied', 'query.value'],
    roles: { consultant: 'own', admin: 'bounded', 'super-admin': 'bounded', owner: 'all' },
  },
} as const satisfies Contracts

export type BlockRequest = z.output<typeof blockBody>
export type Invitation = z.output<typeof invitation>
export type Workload = z.output<typeof load>
export type OpenWork = z.output<typeof openWork>

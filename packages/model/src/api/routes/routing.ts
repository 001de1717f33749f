/** Contracts of routing: a question is tried on the rules, and the decisions about a case are read. */
import * as z from 'zod'
import { routingReasons, ruleOutcomes } from '../../desk/routing.ts'
import { toMoment } from '../../fields/value-kinds.ts'
import { chatPerson } from './chat/parts.ts'
import type { Contracts } from './contract.ts'
import { data, dataAnswer, id, link, locale, moment, spelledValue, whole } from './parts.ts'

const group = 'Routing'
const rule = z.strictObject({ id, name: z.string() })
const staff = { admin: 'all', 'super-admin': 'all', owner: 'all' }

const route = {
  person: chatPerson.nullable().describe('The person who gets the question; null for the queue'),
  rule: rule.nullable().describe('The rule that decided; null when none did'),
  reasons: z
    .array(
      z.strictObject({
        person: chatPerson.nullable().describe('Null for a person who was removed'),
        codes: z.array(z.enum(routingReasons)).min(1),
        open: whole.describe('Number of open cases of the person'),
        limit: whole.nullable().describe('Maximum number of open cases that routing gives; null for no limit'),
      }),
    )
    .describe('Everybody who may get questions, the chosen person first; consultants read only their own line'),
  rules: z
    .array(z.strictObject({ ...rule.shape, outcome: z.enum(ruleOutcomes) }))
    .describe('The active rules in their order, with what each meant for the question'),
}
const decision = z.strictObject({ at: moment, ...route })

/** Parts that the contracts of the decisions about a case share. */
const decisions = {
  group,
  details: 'Only for the desk, never for the customer. Newest first, at most 20.',
  answers: { 200: dataAnswer(z.array(decision)) },
  refusals: ['access.denied', 'record.not-found'],
  roles: { consultant: 'bounded', ...staff },
} as const

export const routingRoutes = {
  'POST /api/routing/try': {
    group,
    id: 'routing.try',
    summary: 'Tell who would get a question, with a reason for everybody else',
    details:
      'Nothing is written. The answer counts the open cases of now; `at` changes only the time that working hours and absences are compared with.',
    body: data({
      category: link().nullish(),
      region: link().nullish(),
      language: locale.nullish(),
      at: spelledValue<string, string>(
        (rawValue) => (typeof rawValue === 'string' ? toMoment(rawValue) : undefined),
        'validation.dateTime',
        { type: 'string', format: 'date-time' },
      ).nullish(),
    }),
    answers: { 200: dataAnswer(z.strictObject(route)) },
    refusals: ['access.denied', 'request.unprocessable'],
    roles: { consultant: 'own', ...staff },
  },
  'GET /api/chatrooms/:id/routing': {
    ...decisions,
    id: 'chatrooms.routing',
    summary: 'List why a room went to its consultants',
  },
  'GET /api/consultations/:id/routing': {
    ...decisions,
    id: 'consultations.routing',
    summary: 'List why a consultation went to its consultant',
  },
} as const satisfies Contracts

export type RoutingTrial = z.output<(typeof routingRoutes)['POST /api/routing/try']['answers'][200]>['data']
export type RoutingDecision = z.output<typeof decision>

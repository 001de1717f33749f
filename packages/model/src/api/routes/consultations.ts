/** Contracts of consultations beside the generic routes (chat §4). */
import * as z from 'zod'
import { locales } from '../../locales.ts'
import { consultationActions, maxDeskNote } from '../chat.ts'
import { chatPerson, everybodyRights } from './chat/parts.ts'
import type { Contracts } from './contract.ts'
import {
  count,
  data,
  entryOf,
  filtersOf,
  id,
  idKey,
  languageKey,
  link,
  locale,
  moment,
  optionalData,
  optionalText,
  pagination,
  recordAnswer,
  whole,
  listRefusals,
  stepRefusals,
} from './parts.ts'

const group = 'Consultations'
const maxFinishReason = 255

/** Parts that the contracts of all steps of a consultation share. */
const step = {
  group,
  shared: ['fields', 'populate'],
  answers: { 200: recordAnswer('consultations') },
  roles: everybodyRights,
} as const
/** Version of the consultation that the caller has seen. */
const version = count().nullish()

const namedEntry = z.strictObject({ id, name: z.string() })

/** A published answer of the desk, as rich text. */
const publishedAnswer = z.strictObject({
  id,
  question: z.string(),
  answer: z.string(),
  category: namedEntry.nullable(),
  region: namedEntry.nullable(),
  language: locale.nullable(),
  answered_at: moment,
})

/** An answered consultation whose question resembles another one. */
const similarAnswers = publishedAnswer
  .pick({ id: true, question: true, answer: true, category: true, answered_at: true })
  .extend({ is_public: z.boolean() })

/** A step of a consultation: `from` and `to` are its former and its new consultant. */
const stepLine = z.strictObject({
  at: moment,
  user: chatPerson.nullable(),
  action: z.enum(consultationActions),
  from: chatPerson.nullable(),
  to: chatPerson.nullable(),
  note: z.string().nullable(),
})

const counts = z.strictObject({
  all: whole,
  finished: whole,
  unfinished: whole,
  replayed: whole,
  unreplayed: whole,
  mine: whole.describe('Unfinished consultations of the caller'),
  free: whole.describe('Unfinished consultations without a consultant'),
  overdue: whole.describe('Consultations whose time for a reply has passed'),
})

export const consultationRoutes = {
  'GET /api/consultations': {
    group,
    id: 'consultations.list',
    summary: 'List consultations, with the counts of the panel’s filters',
    details: 'The counts include all consultations that the caller may read, whatever the filters of the query.',
    query: z.object({ filters: filtersOf('consultations') }),
    shared: ['search', 'sort', 'fields', 'populate', 'relatedLocale', 'pagination'],
    answers: {
      200: z.strictObject({
        data: z.array(entryOf('consultations')),
        meta: z.strictObject({ pagination, counts }),
      }),
    },
    refusals: listRefusals,
    roles: everybodyRights,
  },
  'GET /api/consultations/public': {
    group,
    id: 'consultations.public',
    summary: 'List published answers, newest first',
    details: 'Names, numbers and addresses of the customer are masked in the question and the answer.',
    query: z.object({
      category: idKey('Id of a category').optional(),
      region: idKey('Id of a region').optional(),
      language: z.enum(locales).optional().describe('Language of the question'),
    }),
    shared: ['pagination'],
    answers: { 200: z.strictObject({ data: z.array(publishedAnswer), meta: z.strictObject({ pagination }) }) },
    refusals: ['access.denied', 'query.parameter', 'query.value', 'query.pagination', 'query.pagination-mixed'],
    roles: { authenticated: 'all', consultant: 'all', admin: 'all', 'super-admin': 'all', owner: 'all' },
  },
  'GET /api/consultations/:id/similar': {
    group,
    id: 'consultations.similar',
    summary: 'List answered consultations with similar questions',
    details:
      'At most five, those of the same category first. A consultant finds their own consultations and published ones. Names, numbers and addresses of the customers are masked.',
    query: z.object({ locale: languageKey('Language of the categories') }),
    answers: { 200: z.strictObject({ results: z.array(similarAnswers) }) },
    refusals: ['access.denied', 'record.not-found', 'query.value'],
    roles: { consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' },
  },
  'GET /api/consultations/:id/steps': {
    group,
    id: 'consultations.steps',
    summary: 'List the steps of a consultation, newest first',
    details:
      'Assignments with their notes, endings and reopenings with their reasons; at most 200. Only for the desk, never for the customer or a consultant who has asked the question.',
    answers: { 200: z.strictObject({ results: z.array(stepLine) }) },
    refusals: ['access.denied', 'record.not-found'],
    roles: { consultant: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' },
  },
  'POST /api/consultations/:id/finish': {
    ...step,
    id: 'consultations.finish',
    summary: 'Finish a consultation',
    details: 'A reason is required when there is no answer.',
    body: optionalData({ reason: optionalText(maxFinishReason), version }),
    refusals: [...stepRefusals, 'state.reason'],
  },
  'POST /api/consultations/:id/reopen': {
    ...step,
    id: 'consultations.reopen',
    summary: 'Reopen a finished consultation',
    details: 'The customer can reopen it for 14 days.',
    body: optionalData({ reason: optionalText(maxDeskNote), version }),
    refusals: [...stepRefusals, 'state.reason'],
  },
  'POST /api/consultations/:id/no-reply': {
    ...step,
    id: 'consultations.noReply',
    summary: 'End the wait of the customer without a reply',
    details:
      'For the consultant and staff, when the question needs no reply, or has one elsewhere. No reply time is counted. Where nobody waits it changes nothing.',
    body: optionalData({ reason: optionalText(maxDeskNote), version }),
    refusals: stepRefusals,
  },
  'POST /api/consultations/:id/assign': {
    ...step,
    id: 'consultations.assign',
    summary: 'Assign a consultation to a consultant, or unassign it',
    details:
      'A consultant can take a consultation that has no owner; every other assignment needs a note. If `from` is no longer the owner, 409 names the present owner.',
    body: data({ to: link().nullable(), from: link().nullish(), note: optionalText(maxDeskNote), version }),
    refusals: [...stepRefusals, 'state.reason', 'desk.taken', 'desk.no-consultant'],
  },
} as const satisfies Contracts

type Step<Name extends 'finish' | 'reopen' | 'no-reply' | 'assign'> = z.output<
  (typeof consultationRoutes)[`POST /api/consultations/:id/${Name}`]['body']
>['data']

export type ConsultationStepLine = z.output<typeof stepLine>
export type SimilarAnswer = z.output<typeof similarAnswers>
export type PublishedAnswer = z.output<typeof publishedAnswer>
export type ConsultationCounts = z.output<typeof counts>
export type ConsultationFinish = Step<'finish'>
export type ConsultationNoReply = Step<'no-reply'>
export type ConsultationReopen = Step<'reopen'>
export type ConsultationAssignment = Step<'assign'>

/** Contracts of the organisation's settings: their values and sources, their history, and a change by an owner. */
import * as z from 'zod'
import type { JsonSchema } from '../../fields/kind.ts'
import { maxInteger } from '../../fields/value-kinds.ts'
import { locales } from '../../locales.ts'
import {
  checkOrganisationValue,
  environmentReasons,
  longestLimitSeconds,
  longestWeek,
  mostFailures,
  type OrganisationKey,
  organisationKeys,
  type OrganisationSetting,
  organisationSettings,
  type OrganisationValue,
  type OrganisationValues,
  settingSources,
} from '../organisation.ts'
import type { Contracts } from './contract.ts'
import { dataAnswer, id, issue, moment, person, whole } from './parts.ts'

const group = 'Organisation'
const roles = { owner: 'all' } as const

function jsonSchemaOf(setting: OrganisationSetting): JsonSchema {
  switch (setting.kind) {
    case 'switch':
      return { type: 'boolean' }
    case 'choice':
      return { type: 'string', enum: [...setting.options] }
    case 'amount':
      return { type: 'integer', minimum: setting.min, maximum: setting.max }
    case 'week':
      return {
        type: 'string',
        maxLength: longestWeek,
        description: 'Days of the week from Monday and hours, like `1-5 09:00-18:00, 6 09:00-13:00`',
      }
    case 'attempts':
      return {
        type: 'object',
        properties: {
          failures: { type: 'integer', minimum: 1, maximum: mostFailures },
          seconds: { type: 'integer', minimum: 1, maximum: longestLimitSeconds },
        },
        required: ['failures', 'seconds'],
        additionalProperties: false,
      }
    case 'picture':
      return {
        type: 'object',
        description: `A public picture of the library, of at most ${setting.maxBytes} bytes: JPEG, PNG or WebP. Only its id is read.`,
        properties: {
          id: { type: 'integer', minimum: 1 },
          name: { type: 'string' },
          url: { type: 'string' },
        },
        required: ['id'],
        additionalProperties: false,
      }
    case 'texts':
      return {
        type: 'object',
        properties: Object.fromEntries(
          locales.map((locale) => [locale, { type: ['string', 'null'], maxLength: setting.maxLength }]),
        ),
        required: [...locales],
        additionalProperties: false,
      }
  }
}

/** Schema of a changed value, which is null to return to the default; absent for a value that stays. */
const changeOf = <K extends OrganisationKey>(key: K) => {
  const setting = organisationSettings[key]
  return z
    .custom<OrganisationValues[K] | null>()
    .check(({ value, issues }) => {
      if (value === null) return
      for (const { path, code, params } of checkOrganisationValue(setting, value))
        issues.push({ ...issue(value, code, params), path: [...path] })
    })
    .meta({ anyOf: [jsonSchemaOf(setting), { type: 'null' }] })
    .optional()
}

type Changes = { [K in OrganisationKey]: ReturnType<typeof changeOf<K>> }
const changes = z
  .strictObject(Object.fromEntries(organisationKeys.map((key) => [key, changeOf(key)])) as Changes)
  .refine((values) => Object.keys(values).length > 0, { params: { code: 'validation.required', params: {} } })

const anyValue = z
  .custom<OrganisationValue>((value) => value !== undefined)
  .meta({ anyOf: [...organisationKeys.map((key) => jsonSchemaOf(organisationSettings[key])), { type: 'null' }] })

const settingState = z.strictObject({
  key: z.enum(organisationKeys),
  value: anyValue.describe('Null for a picture that is not set'),
  preset: anyValue.describe('The value without a change by an owner'),
  source: z.enum(settingSources).describe('A value of the environment wins, and cannot be changed in the panel'),
})

const change = z.strictObject({
  id,
  at: moment,
  by: person.nullable().describe('Null for an account that is gone'),
  key: z.enum(organisationKeys),
  before: anyValue.describe('Null for the default'),
  after: anyValue.describe('Null for the default'),
})

const answer = z.strictObject({
  version: whole.describe('Grows with every change'),
  settings: z.array(settingState),
  environment: z
    .array(
      z.strictObject({
        name: z.string(),
        is_set: z.boolean(),
        reason: z.enum(environmentReasons).describe('Why it stays in the environment'),
      }),
    )
    .describe('Settings that only the environment has; their values are never answered'),
  history: z.array(change).describe('The last 50 changes, newest first'),
})

export const organisationRoutes = {
  'GET /api/organisation': {
    group,
    id: 'organisation.settings',
    summary: 'Get the settings of the organisation, their sources and their history',
    answers: { 200: dataAnswer(answer) },
    refusals: ['access.denied'],
    roles,
  },
  'PUT /api/organisation': {
    group,
    id: 'organisation.change',
    summary: 'Change settings of the organisation',
    details:
      'All changes are stored in one transaction, with a line of the audit for each. `null` returns a setting to its default. `version` is the version that was read; 409 when the settings have changed since. A setting of the environment is refused with 409.',
    body: z.object({
      data: z.object({
        version: whole.max(maxInteger).describe('The version that was read'),
        values: changes,
      }),
    }),
    unnamed: ['data', 'values'],
    answers: { 200: dataAnswer(answer) },
    refusals: ['access.denied', 'request.unprocessable', 'record.stale', 'organisation.locked'],
    roles,
  },
} as const satisfies Contracts

/** The settings of the organisation on the wire. */
export type OrganisationState = z.output<typeof answer>
/** A change of a setting on the wire. */
export type OrganisationChange = z.output<typeof change>

/** Describes the error body and the refusals of each route (contract §1), from the catalogue of errors. */
import { catalogue, type ErrorCode, fault, type JsonSchema, messageOf, toErrorBody } from '@dala/model'
import { exactObject, listOf, type RouteDescription, schemaRef } from '../../http/description.ts'

const codes = Object.keys(catalogue)
const text: JsonSchema = { type: 'string' }
const anyObjectSchema: JsonSchema = { type: 'object' }

/** Schemas of the error body, which every response except 2xx has. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: exactObject({
    data: { type: 'null' },
    error: exactObject({
      status: { type: 'integer', minimum: 400, maximum: 599 },
      name: text,
      message: { ...text, description: 'In English; `code` identifies the message in the four languages' },
      code: { ...text, enum: codes },
      details: {
        ...anyObjectSchema,
        properties: { errors: listOf(schemaRef('Issue')) },
        description: 'Empty when there are no details; `errors` lists every invalid field',
      },
    }),
  }),
  Issue: exactObject({
    path: listOf({ type: ['string', 'integer'] }),
    message: text,
    name: text,
    code: { ...text, enum: codes },
    params: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
  }),
}

const commonCodes: readonly ErrorCode[] = [
  'request.header',
  'request.text',
  'request.forbidden-key',
  'query.too-large',
  'query.list-too-long',
  'query.answer-too-large',
  'server.internal',
  'server.unavailable',
  'server.busy',
]
const bodyRefusals: readonly ErrorCode[] = [
  'request.json',
  'request.body',
  'request.too-deep',
  'request.too-many-keys',
  'request.too-large',
  'request.media-type',
  'request.too-many-writes',
  'server.disk-full',
]

/** Codes of checks before the rights of a role: the second step, and viewing as another role. */
const gates: readonly ErrorCode[] = ['auth.two-step-required', 'access.view-as']

/** Returns every error code that a route may refuse with, in the order of the catalogue. */
function codesOf(method: string, { refusals = [], open, ungated }: RouteDescription): ErrorCode[] {
  const allCodes = new Set<string>([
    ...commonCodes,
    ...(method === 'get' ? [] : bodyRefusals),
    ...(open ? [] : ['auth.unauthorized']),
    ...(open || ungated ? [] : gates),
    ...(open || ungated || method === 'get' ? [] : ['access.viewing']),
    ...refusals,
  ])
  return codes.filter((code): code is ErrorCode => allCodes.has(code))
}

/** Collects the refusals of routes; routes with equal refusals share one component of the document. */
export class Refusals {
  readonly #names = new Map<string, string>()
  readonly responses: Record<string, unknown> = {}

  /** Returns references to the refusals of a route, by status. */
  of(method: string, description: RouteDescription): Record<string, unknown> {
    const codesByStatus = Object.groupBy(codesOf(method, description), (code) => String(catalogue[code].status))
    return Object.fromEntries(
      Object.entries(codesByStatus).map(([status, errorCodes = []]) => [
        status,
        { $ref: this.#referTo(Number(status), errorCodes) },
      ]),
    )
  }

  #referTo(status: number, errorCodes: readonly ErrorCode[]): string {
    const key = errorCodes.join()
    let name = this.#names.get(key)
    if (name === undefined) {
      const otherCount = Object.keys(this.responses).filter((responseName) =>
        responseName.startsWith(`Refusal.${status}`),
      ).length
      name = `Refusal.${status}.${otherCount + 1}`
      this.#names.set(key, name)
      this.responses[name] = responseOf(status, errorCodes)
    }
    return `#/components/responses/${name}`
  }
}

function responseOf(status: number, errorCodes: readonly ErrorCode[]): unknown {
  const names = [...new Set(errorCodes.map((code) => toErrorBody(fault(code)).error.name))]
  const narrowedSchema = {
    type: 'object',
    properties: { error: { type: 'object', properties: { status: { const: status }, code: { enum: errorCodes } } } },
  }
  return {
    description: `${names.join(' or ')}\n\n${errorCodes.map((code) => `- \`${code}\`: ${messageOf(code)}`).join('\n')}`,
    content: { 'application/json': { schema: { allOf: [schemaRef('Error'), narrowedSchema] } } },
    ...(status === 429 && {
      headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
    }),
  }
}

/**
 * Checks every JSON answer of the suite against the API document: every answer is described, and matches its
 * schema.
 */
import { resources } from '@dala/model'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import { descriptions } from './descriptions.ts'
import { buildDocument } from '../features/openapi/document.ts'
import { wrongAnswers as wrong } from './wrong-answers.ts'

const document = buildDocument(descriptions, resources, 'test')
const base = 'document'
// Patterns define exactly what the formats of OpenAPI only name.
// A schema is used a few times in a run, so that optimised code costs more than it saves.
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  allErrors: true,
  inlineRefs: false,
  code: { optimize: false },
})
ajv.addSchema({ $id: base, components: document.components })

interface Response {
  content?: Record<string, { schema: object }>
}
const validators = new Map<string, ValidateFunction | undefined>()
/** Validators by the text of their schema: many routes answer the same. */
const compiledSchemas = new Map<string, ValidateFunction>()

/** Compiles a schema of the OpenAPI document on its own, with references into the document. */
function compileSchema(schema: object): ValidateFunction {
  const schemaText = JSON.stringify(schema).replaceAll('"#/', `"${base}#/`)
  const validator = compiledSchemas.get(schemaText) ?? ajv.compile(JSON.parse(schemaText) as object)
  compiledSchemas.set(schemaText, validator)
  return validator
}

function responseOf(method: string, path: string, status: number): Response | undefined {
  const response = document.paths[path]?.[method]?.responses[status]
  if (typeof response !== 'object' || response === null) return undefined
  if (!('$ref' in response)) return response
  return document.components.responses[String(response.$ref).split('/').at(-1) ?? ''] as Response | undefined
}

/** Returns the validator of a route's answer; undefined when the OpenAPI document has no such answer. */
function validatorOf(method: string, path: string, status: number): ValidateFunction | undefined {
  const key = `${method} ${path} ${status}`
  if (!validators.has(key)) {
    const schema = responseOf(method, path, status)?.content?.['application/json']?.schema
    validators.set(key, schema && compileSchema(schema))
  }
  return validators.get(key)
}

/** An unknown address has no route that describes its refusal. */
const refusal = compileSchema({ $ref: '#/components/schemas/Error' })

function checkAnswer(verb: string, route: string | undefined, status: number, payload: string): void {
  const method = verb.toLowerCase()
  const path = route?.replace(/:(\w+)/g, '{$1}')
  const isDescribed = path !== undefined && document.paths[path]?.[method] !== undefined
  if (!isDescribed && status < 400) return
  const validateAnswer = isDescribed ? validatorOf(method, path, status) : refusal
  const summary = `${verb} ${route ?? ''} answered ${status}`
  if (!validateAnswer)
    return void wrong.push(`${summary}, which its description does not know: ${payload.slice(0, 500)}`)
  const body: unknown = JSON.parse(payload)
  if (validateAnswer(body)) return
  const faults = (validateAnswer.errors ?? []).map((error) => {
    const extraProperty: unknown = error.params.additionalProperty
    return `  ${error.instancePath} ${error.message ?? ''}${typeof extraProperty === 'string' ? `: ${extraProperty}` : ''}`
  })
  wrong.push(
    `${summary} against its description:\n${[...new Set(faults)].slice(0, 8).join('\n')}\n  ${payload.slice(0, 500)}`,
  )
}

/** Checks the answers of an application that is not ready yet. */
export function checkAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    if (isJson && request.method !== 'HEAD' && (typeof payload === 'string' || Buffer.isBuffer(payload)))
      checkAnswer(request.method, request.routeOptions.url, reply.statusCode, payload.toString())
    done()
  })
}

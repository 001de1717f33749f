import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { catalogue, type Field, type Resource, resources } from '@dala/model'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { descriptions } from '../../testing/descriptions.ts'
import { openTestApp, tokenOf } from '../../testing/app.ts'
import { buildUser } from '../../testing/factories.ts'
import { buildDocument, type OpenApiDocument } from './document.ts'
import { describeResources } from './resource-descriptions.ts'

type Schema = { properties: Record<string, Schema>; required?: string[] } & Record<string, unknown>

const document = buildDocument(descriptions, resources, '1.0.0')
const schemaOf = ({ components }: OpenApiDocument, name: string) => components.schemas[name] as Schema
const allResources: [string, Resource][] = Object.entries(resources)

/** Collects every value of `key` anywhere in a structure. */
function valuesOf(key: string, subtree: unknown): unknown[] {
  if (typeof subtree !== 'object' || subtree === null) return []
  return Object.entries<unknown>(subtree as Record<string, unknown>).flatMap(([name, value]) => [
    ...(name === key ? [value] : []),
    ...valuesOf(key, value),
  ])
}

describe('the OpenAPI document', () => {
  test('validates the document against the official schema of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('references no component that is missing in the OpenAPI document', () => {
    const missingRefs = valuesOf('$ref', document).filter((ref) => {
      const steps = String(ref).replace('#/', '').split('/')
      return (
        steps.reduce<unknown>(
          (schemaNode, step) => (schemaNode as Record<string, unknown> | undefined)?.[step],
          document,
        ) === undefined
      )
    })
    expect(missingRefs).toEqual([])
  })

  test('lists every error code of the catalogue, and for each route only refusals of a described status', () => {
    expect(valuesOf('code', document.components.schemas['Error'])).toContainEqual({
      type: 'string',
      enum: Object.keys(catalogue),
    })
    const responses = Object.entries(document.components.responses)
    const misplacedResponses = responses.filter(([name, response]) => {
      const [code] = valuesOf('code', response) as { enum: (keyof typeof catalogue)[] }[]
      return code?.enum.some((errorCode) => !name.startsWith(`Refusal.${catalogue[errorCode].status}`)) ?? true
    })
    expect(misplacedResponses).toEqual([])
  })

  test('describes the rights of each role as the access table does', () => {
    expect(document.paths['/api/faqs']).toMatchObject({
      get: { 'x-roles': { owner: 'all', 'super-admin': 'all', admin: 'all', authenticated: 'bounded' } },
      post: { 'x-roles': { owner: 'all', 'super-admin': 'all', admin: 'all' } },
    })
  })

  test('describes a field in the OpenAPI document as soon as it is declared', () => {
    const harvest: Field = { kind: 'int', required: true, min: 1 }
    const { tags } = resources
    const changedResources = { ...resources, tags: { ...tags, fields: { ...tags.fields, harvest } } }
    const extendedDocument = buildDocument(describeResources(changedResources), changedResources, '1.0.0')
    expect(schemaOf(extendedDocument, 'tags.Record').properties['harvest']).toMatchObject({ type: 'integer' })
    expect(schemaOf(extendedDocument, 'tags.Entry').properties['attributes']?.properties).toHaveProperty('harvest')
    expect(schemaOf(extendedDocument, 'tags.Draft').required).toContain('harvest')
    expect(schemaOf(extendedDocument, 'tags.Change').required).toBeUndefined()
    expect(schemaOf(extendedDocument, 'tags.Filters').properties).toHaveProperty('harvest')
  })

  test('refuses two routes with one operation name', () => {
    const route = { group: 'X', summary: 'X', id: 'x', answers: {} }
    expect(() => buildDocument({ 'GET /a': route, 'GET /b': route }, {}, '1')).toThrow('Two routes are called x')
  })
})

describe.each(allResources)('%s', (name, resource) => {
  const fields = Object.entries<Field>(resource.fields)
  const entry = schemaOf(document, `${name}.Entry`).properties['attributes']?.properties ?? {}
  const record = schemaOf(document, `${name}.Record`).properties

  test('describes every public field, and no private field, in the schema of a record', () => {
    const shownFields = fields.filter(([, field]) => !field.private).map(([field]) => field)
    const systemFields = [
      'createdAt',
      'updatedAt',
      'version',
      ...(resource.localized ? ['locale', 'outdated', 'localizations'] : []),
    ]
    expect(Object.keys(entry).toSorted()).toEqual([...shownFields, ...systemFields].toSorted())
    expect(Object.keys(record).toSorted()).toEqual(['id', ...shownFields, ...systemFields].toSorted())
  })

  test('describes every writable field, and no read-only field, in the schema of a draft', () => {
    const writableNames = fields
      .filter(([, field]) => !field.readOnly && field.kind !== 'count')
      .map(([field]) => field)
    const draft = Object.keys(schemaOf(document, `${name}.Draft`).properties)
    expect(draft.filter((field) => field !== 'locale').toSorted()).toEqual(writableNames.toSorted())
  })

  test('describes no private field in the schemas of records and filters', () => {
    const hiddenFields = fields.filter(([, field]) => field.private).map(([field]) => field)
    const filters = Object.keys(schemaOf(document, `${name}.Filters`).properties)
    const knownNames = [...Object.keys(entry), ...Object.keys(record), ...filters]
    expect(knownNames.filter((field) => hiddenFields.includes(field))).toEqual([])
  })
})

describe('the routes', () => {
  const registeredRoutes = new Set<string>()

  beforeAll(async () => {
    // Fastify announces every new application; the hook must be registered before the first route.
    const listenToRoutes = (message: unknown) => {
      const { fastify } = message as { fastify: FastifyInstance }
      fastify.addHook('onRoute', ({ method, url }) => {
        for (const routeMethod of [method].flat()) registeredRoutes.add(`${routeMethod} ${url}`)
      })
    }
    subscribe('fastify.initialization', listenToRoutes)
    await openTestApp()
    unsubscribe('fastify.initialization', listenToRoutes)
  })

  test('describes every route, and no route that does not exist', () => {
    const ownRoutes = [...registeredRoutes].filter(
      (route) =>
        /^(?!HEAD|OPTIONS)\w+ \/(api\/|health|ready)/.test(route) || route.startsWith('HEAD /api/upload/resumable'),
    )
    expect(Object.keys(descriptions).toSorted()).toEqual(ownRoutes.toSorted())
  })
})

describe('GET /api/openapi.json', () => {
  const url = '/api/openapi.json'

  test('serves the OpenAPI document publicly in development, and returns 304 while it is unchanged', async () => {
    const { app } = await openTestApp()
    const firstAnswer = await app.inject({ url })
    expect([firstAnswer.statusCode, firstAnswer.json<{ openapi: string }>().openapi]).toEqual([200, '3.1.1'])
    const repeatedAnswer = await app.inject({ url, headers: { 'if-none-match': String(firstAnswer.headers.etag) } })
    expect([repeatedAnswer.statusCode, repeatedAnswer.body]).toEqual([304, ''])
  })

  test.each([
    ['in production', { NODE_ENV: 'production', SEED: 'none' }, undefined, 401],
    ['in production', { NODE_ENV: 'production', SEED: 'none' }, 'authenticated', 200],
    ['in production', { NODE_ENV: 'production', SEED: 'none' }, 'admin', 200],
    ['in production, set to open,', { NODE_ENV: 'production', SEED: 'none', API_DOCS: 'open' }, undefined, 200],
    ['set to signed-in', { API_DOCS: 'signed-in' }, undefined, 401],
    ['set to signed-in', { API_DOCS: 'signed-in' }, 'authenticated', 200],
    ['set to admins', { API_DOCS: 'admins' }, undefined, 401],
    ['set to admins', { API_DOCS: 'admins' }, 'authenticated', 403],
    ['set to admins', { API_DOCS: 'admins' }, 'owner', 200],
  ] as const)(
    'checks access to the OpenAPI document %s with the settings %j: %s receives %i',
    async (_where, settings, role, status) => {
      const { app, database } = await openTestApp({ settings })
      const name = role && `docs-${role}`
      if (role) await buildUser(database, role, { username: `docs-${role}` })
      const headers = name === undefined ? {} : { authorization: `Bearer ${await tokenOf(app, name)}` }
      expect((await app.inject({ url, headers })).statusCode).toBe(status)
    },
  )
})

describe('GET /api/docs', () => {
  test('serves a documentation page that loads only allowed scripts and styles of this host', async () => {
    const { app } = await openTestApp()
    const page = await app.inject({ url: '/api/docs' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("script-src 'self';style-src 'self'")
    expect(page.body).not.toMatch(/<style|style="|<script>|onload|https?:/)
    const links = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, link]) => String(link))
    expect(links).toEqual(['/api/docs/docs.css', '/api/docs/docs.js'])
    for (const link of links) {
      const file = await app.inject({ url: link })
      expect([link, file.statusCode, file.headers['content-type']]).toEqual([
        link,
        200,
        `text/${link.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      ])
    }
  })

  test.each(['index.html', '..%2Froutes.ts', 'constructor'])('returns no file %s under /api/docs', async (file) => {
    const { app } = await openTestApp()
    expect((await app.inject({ url: `/api/docs/${file}` })).statusCode).toBe(404)
  })
})

import type { Field, ScalarField } from '@dala/model'
import { resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { descriptions } from '../descriptions.ts'
import { buildDocument, type OpenApiDocument } from '../../features/openapi/document.ts'
import { routesOf, findUncoveredRoutes } from './doors.ts'
import { Markers, markersIn } from './markers.ts'

const document = buildDocument(descriptions, resources, 'test')
const makeDocument = (path: string, parameters: object[]): OpenApiDocument => ({
  ...document,
  paths: { ...document.paths, [path]: { get: { operationId: path, responses: {}, parameters } } },
})
const findUncoveredPath = (path: string, parameters: object[] = []) =>
  findUncoveredRoutes(routesOf(makeDocument(path, parameters)))

describe('doorsOf', () => {
  it('covers every route of the OpenAPI document', () => {
    expect(findUncoveredRoutes(routesOf(document))).toEqual([])
  })

  it.each([
    ['/api/secrets/{id}', [], '/api/secrets/{id}: route not covered'],
    ['/api/news/{key}', [], '/api/news/{key}: route not covered'],
    [
      '/api/news/nearby',
      [{ name: 'place', in: 'query', schema: { type: 'string' } }],
      '/api/news/nearby: parameter place not covered',
    ],
  ])('reports %s as not covered by the sweep', (path, parameters, expectedPath) => {
    expect(findUncoveredPath(path, parameters)).toEqual([expectedPath])
  })

  it('includes a new route with records and parameters of known kinds', () => {
    const choice = { name: 'state', in: 'query', schema: { type: 'string', enum: ['new', 'old'] } }
    expect(findUncoveredPath('/api/news/{id}/readers', [{ name: 'locale', in: 'query' }, choice])).toEqual([])
  })
})

describe('Markers', () => {
  const owner = { resource: 'news', record: 1, field: 'title' }

  it('finds every marker again in the text of an answer, whatever the kind of the field', () => {
    const markers = new Markers()
    for (const resource of Object.values(resources)) {
      for (const field of Object.values<Field>(resource.fields)) {
        if (!('target' in field)) markers.valueOf(field, owner)
      }
    }
    const text = [...markers.all.keys()].join(', ')
    expect(markersIn(text, markers.all)).toEqual(new Set(markers.all.keys()))
    expect(markers.all.size).toBeGreaterThan(300)
  })

  it('refuses a kind of field for which the leak test has no marker', () => {
    const field = JSON.parse('{ "kind": "sound" }') as ScalarField
    expect(() => new Markers().valueOf(field, owner)).toThrow('No marker is known for the kind of news.title')
  })
})

import { type Field, isScalar, kindOf, type Resource, resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { buildRecord, buildNews, buildRegion, buildTag } from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const resourceApp = startResourceApp(async ({ database }) => {
  await buildNews(database, { region: await buildRegion(database), tags: [await buildTag(database)] })
  await buildRecord(database, 'units', { name: { en: 'Kilo' } })
})

const nestedFilter = (levels: number) => `filters${'[$not]'.repeat(levels)}[title]=x`

/** Fields of all resources that no operator can compare, such as JSON. */
const incomparableFields = Object.values<Resource>(resources).flatMap(({ wire, fields, single }) =>
  Object.entries<Field>(fields)
    .filter(([, field]) => !single && isScalar(field) && !field.private && !kindOf(field).operators.includes('$eq'))
    .map(([name]) => [wire, name] as const),
)

describe('an invalid query', () => {
  it.each(incomparableFields)('refuses a query that compares %s.%s, in any form', async (wire, name) => {
    for (const filter of [`filters[${name}]=x`, `filters[$not][${name}]=x`, `filters[${name}][$eq]=x`]) {
      const { status, body } = await resourceApp.ask('GET', `/${wire}?${filter}`, undefined, 'owner')
      expect([filter, status, body]).toMatchObject([filter, 400, { error: { code: 'query.operator' } }])
    }
  })
  it.each<[query: string, status: number]>([
    ['locale=xx', 200],
    ['filters[bogus]=1', 400],
    ['filters[title][$bogus]=1', 400],
    ['filters[$bogus][0][title]=1', 400],
    ['filters[title][bogus]=1', 400],
    ['filters[views][$contains]=1', 400],
    ['filters[views]=abc', 400],
    ['filters[views]=99999999999999999999999', 400],
    ['filters[views]=1e5', 400],
    ['filters[date]=2026-02-30', 400],
    ['filters[date]=yesterday', 400],
    ['filters[active]=maybe', 400],
    ['filters[active][$gt]=true', 400],
    ['filters[title][$null]=maybe', 400],
    ['filters[views][$between]=1', 400],
    ['filters[views][$between][]=1&filters[views][$between][]=2&filters[views][$between][]=3', 400],
    ['filters[region]=abc', 400],
    ['filters[region][bogus]=1', 400],
    ['filters[region][name][$bogus]=1', 400],
    ['filters[region]=99999999999', 200],
    ['filters[id]=99999999999', 200],
    ['filters[__proto__]=1', 400],
    ['filters[__proto__][x]=1', 400],
    ['filters[constructor]=1', 400],
    ['filters[prototype][x]=1', 400],
    ['__proto__[x]=1', 400],
    ['filters[hasOwnProperty]=1', 400],
    ['filters[toString]=1', 400],
    ['populate[__proto__]=1', 400],
    ['sort[__proto__]=asc', 400],
    ['sort=toString', 400],
    ['fields=constructor', 400],
    ['filters=text', 400],
    ['filters[]=1', 400],
    ['filters[$and]=x', 400],
    ['filters[$or][0]=x', 400],
    ['filters[$or]=', 400],
    [nestedFilter(11), 200],
    [nestedFilter(12), 400],
    [nestedFilter(20), 400],
    ['filters[title]=%00', 400],
    ['filters[title]=%ED%A0%80', 400],
    ['filters[title]=%', 400],
    ['filters[title]=%zz', 400],
    [`filters[title]=${'x'.repeat(9_000)}`, 400],
    [Array.from({ length: 301 }, (_, index) => `a${index}=1`).join('&'), 400],
    [Array.from({ length: 31 }, (_, index) => `filters[$or][${index}][views]=1`).join('&'), 400],
    [Array.from({ length: 30 }, (_, index) => `filters[id][$in][${index}]=${index}`).join('&'), 200],
    [Array.from({ length: 101 }, (_, index) => `filters[id][$in][${index}]=1`).join('&'), 400],
    ['bogus=1&publicationState=preview&&', 200],
    ['_q[a]=1', 400],
    ['pagination[page]=abc', 400],
  ])('answers the query ?%s with %i', async (query, status) => {
    const answer = await resourceApp.ask('GET', `/news?${query}`)
    const isRefused = status !== 200
    expect({ status: answer.status, isRefused: 'error' in (answer.body as object) }).toEqual({ status, isRefused })
  })
})

describe('an invalid body', () => {
  const sendPayload = (payload: string, type = 'application/json') =>
    resourceApp.app.inject({ method: 'POST', url: '/api/news', payload, headers: { 'content-type': type } })
  it.each([
    ['{"data":', 400],
    ['{"data":{"__proto__":{"a":1}}}', 400],
    ['{"data":{"constructor":{"prototype":1}}}', 400],
    [`{"data":${'['.repeat(40)}${']'.repeat(40)}}`, 400],
    [JSON.stringify({ data: { title: 'x'.repeat(1_100_000) } }), 413],
    ['{"data":{"title":"a\\u0000b"}}', 400],
    ['{"data":{"title":"\\ud800"}}', 400],
  ])('refuses an invalid body before the session is checked: %.40s', async (payload, status) => {
    const answer = await sendPayload(payload)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ data: null, error: { status } })
  })
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'refuses a body of the media type %s',
    async (type) => {
      expect((await sendPayload('{"data":{}}', type)).statusCode).toBe(415)
    },
  )
})

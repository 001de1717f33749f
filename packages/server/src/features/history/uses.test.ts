import { type Field, isLink, isToMany, isToOne, resources, type Resource } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { inboundLinks } from '../../db/schema.ts'
import { leastDraft, type Targets } from '../../testing/drafts.ts'
import {
  buildRecord,
  buildDistrict,
  buildNews,
  buildRegion,
  buildTag,
  nextNumber,
  buildTranslation,
} from '../../testing/factories.ts'
import { buildPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'

const resourceApp = startResourceApp()

interface Use {
  resource: string
  field: string | null
  count: number
  rule: string
  records: { id: number; name: string | null }[]
}
const usesOf = (path: string, query = '') =>
  resourceApp.read<{ data: Use[] }>(`${path}/uses${query}`).then(({ data }) => data)

/** Collects the statements of a call, without those that read the session. */
const sentStatements = async (runCall: () => Promise<unknown>) =>
  (await statementsOf(resourceApp.database, runCall)).filter((text) => !/\bsessions\b/.test(text))

describe('GET /api/:wire/:id/uses', () => {
  it('groups uses by holder and field, with the first five by name in the user’s language', async () => {
    const region = await buildRegion(resourceApp.database)
    const kaa = await buildTranslation(resourceApp.database, 'regions', region, 'kaa', { name: 'K' })
    const ids = []
    for (let number = 1; number < 8; number += 1)
      ids.push(await buildNews(resourceApp.database, { title: `N${number}`, region }))
    const ru = await buildTranslation(resourceApp.database, 'news', ids[0] ?? 0, 'ru', { title: 'Н1' })
    const expectedUses = [{ resource: 'news', field: 'region', count: 7, rule: 'detach' }]
    const uses = await usesOf(`/regions/${kaa}`, '?locale=ru')
    expect(uses).toMatchObject(expectedUses)
    expect(uses[0]?.records).toEqual([
      { id: ru, name: 'Н1' },
      ...ids.slice(1, 5).map((id, index) => ({ id, name: `N${index + 2}` })),
    ])
  })
  it('counts uses in one statement, and names the records of those links that have some in one more', async () => {
    const id = await buildRegion(resourceApp.database)
    await usesOf(`/regions/${id}`)
    expect(await sentStatements(() => usesOf(`/regions/${id}`))).toHaveLength(1)
    await buildNews(resourceApp.database, { region: id })
    await buildDistrict(resourceApp.database, { region: id })
    expect(await sentStatements(() => usesOf(`/regions/${id}`))).toHaveLength(2)
  })
  it('returns no uses of an unused record, whose own languages do not count', async () => {
    const id = await buildTag(resourceApp.database)
    await buildTranslation(resourceApp.database, 'tags', id, 'ru', { name: 'Т' })
    expect(await usesOf(`/tags/${id}`)).toEqual([])
  })
  it('lists links that refuse a delete first, then parts, then links that are emptied', async () => {
    const course = await buildRecord(resourceApp.database, 'courses', { title: 'C' })
    const group = await buildRecord(resourceApp.database, 'lessongroups', { title: 'G', course })
    await buildRecord(resourceApp.database, 'lessons', { title: 'L', course, lessongroup: group })
    expect((await usesOf(`/courses/${course}`)).map(({ rule }) => rule)).toEqual(['cascade', 'cascade'])
    expect(await usesOf(`/lessongroups/${group}`)).toMatchObject([{ resource: 'lessons', rule: 'detach', count: 1 }])
  })
  it('refuses to delete a company’s only direction, but not one of several', async () => {
    const directions = [
      await buildRecord(resourceApp.database, 'directions', { name: `D${nextNumber()}` }),
      await buildRecord(resourceApp.database, 'directions', { name: `D${nextNumber()}` }),
    ]
    const targets: Targets = new Map()
    const draft = async () => leastDraft(resourceApp.database, resources.companies, targets)
    await buildRecord(resourceApp.database, 'companies', { ...(await draft()), directions })
    await buildRecord(resourceApp.database, 'companies', { ...(await draft()), directions: directions.slice(0, 1) })
    const uses = await usesOf(`/directions/${directions[0]}`)
    expect(uses.map(({ rule, count }) => [rule, count])).toEqual([
      ['restrict', 1],
      ['detach', 1],
    ])
  })
})

/**
 * Pairs of a link and its target, where a test can build the holder and delete the target.
 */
const testedLinks = Object.values<Resource>(resources)
  .filter((target) => target.name !== 'users' && target.name !== 'roles' && target.name !== 'uploads')
  .filter((target) => !target.noTrash && !target.storedAs && !target.single && !target.fixedRows)
  .flatMap((target) =>
    inboundLinks(target, resources)
      .filter(({ resource }) => !resource.single && !['statistics', 'insert_excel'].includes(resource.name))
      .map(({ resource, field }) => [target.name, resource.name, field] as const),
  )

/** Records of resources that have a fixed set of codes, shared by all tests. */
const sharedTargets: Targets = new Map()

describe('the rule of a use', () => {
  it.each(testedLinks)('matches the rule of a use with the delete of %s in %s.%s', async (target, holder, name) => {
    const [targetOf, holderOf]: [Resource, Resource] = [resources[target as 'news'], resources[holder as 'news']]
    const field: Field | undefined = holderOf.fields[name]
    if (!field || !isLink(field)) throw new Error('no link')
    const types =
      sharedTargets.get('tradingposttypes') ??
      buildRecord(resourceApp.database, 'tradingposttypes', { name: { en: 'S' }, code: 'selling' })
    sharedTargets.set('tradingposttypes', types)
    const targets: Targets = new Map(sharedTargets)
    const makeTarget = async () =>
      buildRecord(resourceApp.database, target, await leastDraft(resourceApp.database, targetOf, targets))
    const id = await (sharedTargets.get(target) ?? makeTarget())
    targets.set(target, Promise.resolve(id))
    const draft = await leastDraft(resourceApp.database, holderOf, targets)
    // A private reply template has no name for other users, so the template of this test is shared.
    const sharedScope = holder === 'replytemplates' ? { scope: 'shared' } : {}
    await buildRecord(resourceApp.database, holder, { ...draft, ...sharedScope, [name]: isToMany(field) ? [id] : id })
    const uses = await usesOf(`/${targetOf.wire}/${id}`)
    const ownUse = uses.find((use) => use.resource === holderOf.wire && use.field === name)
    expect([ownUse?.count, ownUse?.records.length]).toEqual([expect.any(Number), Math.min(ownUse?.count ?? 0, 5)])
    expect(isToOne(field) || ownUse?.rule !== 'cascade').toBe(true)
    const answer = await resourceApp.ask('DELETE', `/${targetOf.wire}/${id}?locale=all`, undefined, 'owner')
    const isRefused = uses.some(({ rule }) => rule === 'restrict')
    expect(answer.status).toBe(isRefused ? 409 : 200)
  })
})

describe('the rights of uses', () => {
  it('counts hidden records among the uses of a record without naming these records', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    await author.ask('POST', '/list-views', { data: { name: 'Of my own', screen: 'news' } })
    await buildRecord(resourceApp.database, 'consultations', { question: 'Q', user: author.id })
    const data = await usesOf(`/users/${author.id}`)
    expect(data.find(({ resource }) => resource === 'list-views')).toMatchObject({ count: 1, records: [] })
    expect(data.find(({ resource }) => resource === 'consultations')).toMatchObject({
      field: 'user',
      count: 1,
      records: [{ name: 'Q' }],
    })
  })
  it('requires the right to delete for uses, as counts include records hidden from the caller', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    await buildRecord(resourceApp.database, 'companies', {
      ...(await leastDraft(resourceApp.database, resources.companies, new Map())),
      owner: author.id,
    })
    expect((await author.ask('GET', `/users/${author.id}/uses`)).status).toBe(403)
    expect((await author.ask('GET', `/users/${author.id}/history`)).status).toBe(200)
  })
  it('returns 404 for uses outside the caller’s rows, and 403 where the caller may change nothing', async () => {
    const [reader, stranger] = [
      await buildPerson(resourceApp, 'authenticated'),
      await buildPerson(resourceApp, 'authenticated'),
    ]
    const { body } = await stranger.ask('POST', '/list-views', { data: { name: 'Mine', screen: 'news' } })
    const { id } = (body as { data: { id: number } }).data
    expect((await reader.ask('GET', `/list-views/${id}/uses`)).status).toBe(404)
    expect((await reader.ask('GET', '/list-views/999999/uses')).status).toBe(404)
    expect((await stranger.ask('GET', `/list-views/${id}/uses`)).status).toBe(200)
    const region = await buildRegion(resourceApp.database)
    await buildDistrict(resourceApp.database, { region })
    expect((await reader.ask('GET', `/regions/${region}/uses`)).status).toBe(403)
    expect((await resourceApp.ask('GET', `/regions/${region}/uses`, undefined, 'public')).status).toBe(401)
    expect((await resourceApp.ask('GET', '/regions/999999/uses')).status).toBe(404)
  })
})

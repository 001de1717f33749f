/**
 * Contract §4 over the registry: the effect on a link when its target is deleted, and the visibility of users
 * through links.
 */
import { type Field, isToMany, isToOne, parentPairsOf, resources, type Resource } from '@dala/model'
import { beforeAll, describe, expect, it } from 'vitest'
import { leastDraft, type Targets } from '../testing/drafts.ts'
import {
  buildRecord,
  buildNews,
  buildRole,
  buildTag,
  buildUpload,
  buildUser,
  nextNumber,
  publishCourses,
} from '../testing/factories.ts'
import { startResourceApp } from '../testing/resource-app.ts'
import { resourceNamed } from '../resources/attributes.ts'

const resourceApp = startResourceApp()
const targets: Targets = new Map()
interface Entry {
  id: number
  attributes: Record<string, unknown>
}
const idsOf = (link: unknown) => {
  const { data } = link as { data: Entry | Entry[] | null }
  return (Array.isArray(data) ? data : data ? [data] : []).map(({ id }) => id)
}

/**
 * Targets with their own rules of deletion: accounts (content-model §1), files (contract §10), messages (chat
 * §2), fixed rows.
 */
const testedElsewhere = new Set(['users', 'roles', 'uploads', 'statistics', 'staff', 'chatmessages'])
const holders = Object.values<Resource>(resources).filter(
  ({ single, name, storedAs }) => !single && storedAs === undefined && name !== 'roles',
)
const links = holders.flatMap((resource) =>
  Object.entries<Field>(resource.fields).flatMap(([name, field]) => {
    if (!(isToOne(field) || isToMany(field)) || testedElsewhere.has(field.target)) return []
    // The inverse of a to-one link is the same link seen from its target.
    const inverseField = field.inverse ? resourceNamed(field.target).fields[field.inverse] : undefined
    return isToMany(field) && inverseField && isToOne(inverseField)
      ? []
      : [[resource.wire, name, resource, field] as const]
  }),
)

/** Creates a record that no other record links to. */
async function buildFresh(resource: Resource, draft: Record<string, unknown> = {}): Promise<number> {
  if (resource.name === 'users') return buildUser(resourceApp.database, 'authenticated', draft)
  if (resource.name === 'tradingposttypes') {
    const { body } = await resourceApp.ask('GET', '/tradingposttypes')
    for (const { id } of (body as { data: Entry[] }).data) await resourceApp.ask('DELETE', `/tradingposttypes/${id}`)
  }
  const needsOwnTargets = resource.name === 'pricelists' || resource.name === 'chatrooms'
  const leastValues = await leastDraft(resourceApp.database, resource, needsOwnTargets ? new Map() : targets)
  return buildRecord(resourceApp.database, resource.name, { ...leastValues, ...sharedValuesOf(resource), ...draft })
}
/** Shares private records, so that other users see the record under test. */
const sharedValuesOf = ({ name }: Resource) => (name === 'replytemplates' ? { scope: 'shared' } : {})

/**
 * Creates a record with a link to the target, and with a part of the target where the link must match one.
 */
async function holderOf(resource: Resource, name: string, target: number): Promise<number> {
  const draft: Record<string, unknown> = { [name]: isToMany(resource.fields[name] as Field) ? [target] : target }
  for (const { child, parent, linkField: targetLink } of parentPairsOf(resource)) {
    if (parent !== name) continue
    const field = resource.fields[child] as Field & { target: string }
    if (field.required || resource.fields[parent]?.readOnly)
      draft[child] = await buildFresh(resourceNamed(field.target), { [targetLink]: target })
  }
  return buildFresh(resource, draft)
}
const readLinks = async (wire: string, id: number, name: string) => {
  const { status, body } = await resourceApp.ask('GET', `/${wire}/${id}?populate=${name}`, undefined, 'owner')
  const entry = (wire === 'users' ? body : (body as { data?: Entry }).data?.attributes) as
    | Record<string, unknown>
    | undefined
  return { status, entry }
}

describe('the deletion of a link’s target', () => {
  it.each(links)(
    'follows the deletion rule of the link %s.%s when its target is deleted',
    async (wire, name, resource, field) => {
      const target = resourceNamed(field.target)
      const id = await buildFresh(target)
      const holder = await holderOf(resource, name, id)
      const linksBefore = await readLinks(wire, holder, name)
      const { status, body } = await resourceApp.ask('DELETE', `/${target.wire}/${id}`, undefined, 'owner')
      const linksAfter = await readLinks(wire, holder, name)
      const outcome = [status, linksAfter.status, linksAfter.entry?.version, linksAfter.entry?.[name]]
      const emptyLink = isToMany(field) ? [] : null
      const version = Number(linksBefore.entry?.version)
      const { error } = body as { error?: { name: string; details: object } }
      const expectedOutcomes = {
        restrict: [409, 200, version, linksBefore.entry?.[name]],
        cascade: [200, 404, undefined, undefined],
        clear: [200, 200, version + 1, wire === 'users' ? emptyLink : { data: emptyLink }],
        // A link with the rule `keep` still stores the number of its deleted target, but is shown as empty.
        keep: [200, 200, version, { data: emptyLink }],
      }
      const rule = field.onDelete ?? (field.required ? 'restrict' : 'clear')
      expect([rule, ...outcome]).toEqual([rule, ...expectedOutcomes[rule]])
      const conflict = { name: 'ConflictError', details: { resource: wire, count: 1 } }
      expect([rule, error?.name, error?.details]).toEqual(
        rule === 'restrict' ? [rule, conflict.name, conflict.details] : [rule, undefined, undefined],
      )
    },
  )
  it('leaves one target in a list of links that must not be empty, also in concurrent deletions', async () => {
    const directions = [await buildFresh(resourceNamed('directions')), await buildFresh(resourceNamed('directions'))]
    const company = await buildFresh(resourceNamed('companies'), { directions })
    const answers = await Promise.all(directions.map((id) => resourceApp.ask('DELETE', `/directions/${id}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(idsOf((await readLinks('companies', company, 'directions')).entry?.directions)).toHaveLength(1)
  })
  it('counts the records with a link to a record that cannot be deleted', async () => {
    const unit = await buildFresh(resourceNamed('units'))
    for (let index = 0; index < 3; index += 1) await buildFresh(resourceNamed('pricelists'), { unit })
    expect(await resourceApp.ask('DELETE', `/units/${unit}`)).toMatchObject({
      status: 409,
      body: { error: { details: { resource: 'pricelists', count: 3 } } },
    })
  })
})

describe('a list of links', () => {
  it("stores the order of a record's pictures, and accepts every form of their links", async () => {
    const [a, b, c] = [
      await buildUpload(resourceApp.database),
      await buildUpload(resourceApp.database),
      await buildUpload(resourceApp.database),
    ]
    const id = await buildNews(resourceApp.database, { gallery: [c, a] })
    const putGallery = async (gallery: unknown) => {
      const { body } = await resourceApp.ask('PUT', `/news/${id}?populate[gallery][fields]=name`, { data: { gallery } })
      return idsOf((body as { data: Entry }).data.attributes.gallery)
    }
    expect(await putGallery([String(b), { id: c }, a])).toEqual([b, c, a])
    expect(await putGallery({ disconnect: [{ id: c }] })).toEqual([b, a])
    expect(await putGallery({ connect: [String(c)], disconnect: [b] })).toEqual([a, c])
    expect(await putGallery({ set: [b] })).toEqual([b])
    expect(await putGallery(null)).toEqual([])
  })
  it('accepts writes of a link from its other side, and shows it on both sides', async () => {
    const tag = await buildTag(resourceApp.database)
    const [firstNews, secondNews] = [await buildNews(resourceApp.database), await buildNews(resourceApp.database)]
    const readLinkedNews = async () => idsOf((await readLinks('tags', tag, 'news')).entry?.news)
    const tagsOf = async (id: number) => idsOf((await readLinks('news', id, 'tags')).entry?.tags)
    await resourceApp.ask('PUT', `/news/${firstNews}`, { data: { tags: [tag] } })
    expect(await readLinkedNews()).toEqual([firstNews])
    await resourceApp.ask('PUT', `/tags/${tag}`, { data: { news: { connect: [secondNews], disconnect: [firstNews] } } })
    expect([await tagsOf(firstNews), await tagsOf(secondNews)]).toEqual([[], [tag]])
  })
})

describe('users in links', () => {
  const card = ['avatar', 'first_name', 'id', 'last_name', 'name', 'surname', 'username']
  /** The values that make a record visible to a signed-in user although the link names somebody else. */
  const visibleValues = async (resource: string, link: string, reader: number | undefined) => {
    const ownField = link === 'sender' || link === 'user' ? 'other' : 'self'
    if (resource === 'courses') return { state: 'published' }
    if (resource === 'pricedates') return { state: 'published' }
    if (resource === 'pricelists') {
      const date = await leastDraft(resourceApp.database, resourceNamed('pricedates'), targets)
      return { pricedate: await buildRecord(resourceApp.database, 'pricedates', { ...date, state: 'published' }) }
    }
    if (resource === 'tradinposts') return link === 'user' ? { status: 'processed' } : { user: reader }
    if (resource === 'consultations') return ownField === 'self' ? { user: reader } : { consultant: reader }
    if (resource === 'chatrooms') return ownField === 'self' ? { sender: reader } : { receiver: reader }
    if (resource === 'listviews') return { role: await buildRole(resourceApp.database, 'authenticated') }
    if (resource === 'replytemplates') return sharedValuesOf(resourceNamed(resource))
    if (resource === 'chatmessages') {
      const receiver = await buildUser(resourceApp.database, 'authenticated', { is_consultant: true })
      return { room: await buildRecord(resourceApp.database, 'chatrooms', { sender: reader, receiver }) }
    }
    return {}
  }
  beforeAll(() =>
    resourceApp.ask('PUT', `/users/${resourceApp.people.authenticated}`, { is_consultant: true }, 'owner'),
  )
  const toUsers = holders.flatMap((resource) =>
    Object.entries<Field>(resource.fields).flatMap(([name, field]) =>
      (isToOne(field) || isToMany(field)) &&
      field.target === 'users' &&
      field.readableBy === undefined &&
      // Imports and the audit are left out, because only staff see them, and absences, because others see none.
      !['insert_excel', 'audit', 'absences'].includes(resource.name)
        ? [[resource.wire, name, resource, field] as const]
        : [],
    ),
  )
  it.each(toUsers)(
    'shows %s.%s as user cards to a signed-in user, at any depth',
    async (wire, name, resource, field) => {
      const reader = resourceApp.people.authenticated
      const person = await buildUser(resourceApp.database, 'authenticated', {
        phone: '+998 90 000 00 00',
        name: 'N',
        is_consultant: true,
      })
      const id = await buildRecord(resourceApp.database, resource.name, {
        ...(await leastDraft(resourceApp.database, resource, new Map([['tradingposttypes', tradingType()]]))),
        ...(await visibleValues(resource.name, name, reader)),
        [name]: isToMany(field) ? [person] : person,
      })
      await publishCourses(resourceApp.database)
      const query = `populate[${name}][populate]=*`
      const { status, body } = await resourceApp.ask('GET', `/${wire}/${id}?${query}`, undefined, 'authenticated')
      const shownValues = resource.unwrapped ? body : (body as { data: Entry }).data.attributes
      const link = (shownValues as Record<string, unknown>)[name] as { data: Entry | Entry[] }
      const [entry] = Array.isArray(link.data) ? link.data : [link.data]
      expect([status, ['id', ...Object.keys(entry?.attributes ?? {})].sort()]).toEqual([200, card])
      for (const key of ['email', 'phone', 'role', 'password', 'createdAt']) {
        const filteredList = await resourceApp.ask(
          'GET',
          `/${wire}?filters[${name}][${key}][$notNull]=true`,
          undefined,
          'authenticated',
        )
        expect([key, filteredList.status]).toEqual([key, 400])
      }
    },
  )
  it('shows linked users completely to callers who may read users', async () => {
    const user = await buildUser(resourceApp.database, 'authenticated', { phone: '+998 90 111 11 11' })
    const id = await buildRecord(resourceApp.database, 'tradinposts', {
      title: 'P',
      tradingposttype: await tradingType(),
      user,
    })
    const { body } = await resourceApp.ask('GET', `/tradinposts/${id}?populate=user`, undefined, 'owner')
    const person = (body as { data: { attributes: { user: { data: Entry } } } }).data.attributes.user.data.attributes
    expect(person).toMatchObject({ phone: '+998 90 111 11 11' })
    expect(person).not.toHaveProperty('password')
  })
})

const tradingType = async () => {
  const { body } = await resourceApp.ask('GET', '/tradingposttypes')
  const [knownType] = (body as { data: Entry[] }).data
  return (
    knownType?.id ??
    buildRecord(resourceApp.database, 'tradingposttypes', { name: { en: `T ${nextNumber()}` }, code: 'purchase' })
  )
}

/**
 * Contract §4 and §15, line 1, over the registry: the content of a record, and sending a whole record back.
 */
import { decideAccess, type Field, isLink, isToMany, resources, type Resource } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { leastDraft, type Targets } from '../testing/drafts.ts'
import { buildRecord, buildAuditLine, buildRole, buildUpload, buildUser } from '../testing/factories.ts'
import { fullDraft } from '../testing/full-drafts.ts'
import { ownedBy } from '../testing/owned-by.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const resourceApp = startResourceApp()
const targets: Targets = new Map()
interface Entry {
  id: number
  attributes: Record<string, unknown>
}
type Link = { data: Entry | null } | { data: Entry[] }

const collections = Object.values<Resource>(resources).filter(({ single }) => !single)
/**
 * Records with their own tests: accounts are flat (contract §3), reports are created by the server (contract
 * §12).
 */
const wrappedResources = collections.filter(({ unwrapped, name }) => !unwrapped && name !== 'statistics')
const resourceRows = wrappedResources.map((resource) => [resource.wire, resource] as const)
const ownerMay = (resource: Resource, operation: 'update' | 'remove') =>
  decideAccess(resource.access, operation, { role: 'owner', isConsultant: false }) !== false
const mayChange = wrappedResources.filter(
  (resource) => ownerMay(resource, 'update') && resource.name !== 'chatmessages',
)

async function makeRecord(resource: Resource, draftKind: 'least' | 'full'): Promise<number> {
  if (resource.name === 'roles') return buildRole(resourceApp.database, 'authenticated')
  if (resource.name === 'uploads') return buildUpload(resourceApp.database)
  if (resource.name === 'audit') return buildAuditLine(resourceApp.database)
  if (resource.name === 'staff') return buildUser(resourceApp.database, 'admin')
  // Only two types of trading posts exist, by code, and other drafts link to the same types.
  if (!targets.has('tradingposttypes')) targets.set('tradingposttypes', tradingType())
  if (resource.name === 'tradingposttypes') return tradingType()
  return buildRecord(resourceApp.database, resource.name, await draftOf(resource, draftKind))
}
/** Returns a draft; cells of prices and pairs of users are unique, so they get their own targets. */
const draftOf = async (resource: Resource, draftKind: 'least' | 'full') => {
  const needsOwnTargets = resource.name === 'pricelists' || resource.name === 'chatrooms'
  const draft = draftKind === 'least' ? leastDraft : fullDraft
  const requiredValues = await draft(resourceApp.database, resource, needsOwnTargets ? new Map() : targets)
  // The parts of a lesson have a form of their own (content-model §4).
  const lessonPart = { id: 'part-1', title: 'One', content: '<p>á</p>', videourl: null, attachments: [] }
  const ownerValues = ownedBy(resource.name, resourceApp.people.owner)
  return {
    ...requiredValues,
    ...ownerValues,
    ...(resource.name === 'lessons' && draftKind === 'full' && { parts: [lessonPart] }),
  }
}
const tradingType = async () => {
  const [knownType] = (await resourceApp.read<{ data: Entry[] }>('/tradingposttypes')).data
  return (
    knownType?.id ?? buildRecord(resourceApp.database, 'tradingposttypes', { name: { en: 'Sale' }, code: 'selling' })
  )
}
const readRecord = async (wire: string, id: number, query = '') => {
  const { status, body } = await resourceApp.ask('GET', `/${wire}/${id}?${query}`, undefined, 'owner')
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as { data: Entry }).data
}
const scalarsOf = ({ fields, localized }: Resource) => [
  ...Object.entries<Field>(fields).flatMap(([name, field]) => (field.private || isLink(field) ? [] : [name])),
  'createdAt',
  'updatedAt',
  'version',
  ...(localized ? ['locale', 'outdated'] : []),
]
const linksOf = ({ fields, localized }: Resource) => [
  ...Object.entries<Field>(fields).flatMap(([name, field]) => (isLink(field) ? [name] : [])),
  ...(localized ? ['localizations'] : []),
]

describe('a record', () => {
  it.each(resourceRows)(
    'returns every scalar field of %s, unset ones as null, and no links',
    async (wire, resource) => {
      const entry = await readRecord(wire, await makeRecord(resource, 'least'))
      expect(Object.keys(entry).sort()).toEqual(['attributes', 'id'])
      expect(Object.keys(entry.attributes).sort()).toEqual(scalarsOf(resource).sort())
      expect(entry.attributes).not.toHaveProperty('publishedAt')
    },
  )
  it.each(resourceRows)('returns the links of %s when populated, each in its envelope', async (wire, resource) => {
    const { attributes } = await readRecord(wire, await makeRecord(resource, 'least'), 'populate=*')
    expect(Object.keys(attributes).sort()).toEqual([...scalarsOf(resource), ...linksOf(resource)].sort())
    for (const name of linksOf(resource)) {
      const field = resource.fields[name]
      const isToManyField = field === undefined || isToMany(field)
      const link = attributes[name] as Link
      expect([name, Object.keys(link), Array.isArray(link.data)]).toEqual([name, ['data'], isToManyField])
    }
  })
  const separatelyMade = new Set(['roles', 'uploads', 'staff', 'tradingposttypes'])
  it.each(
    mayChange.filter(({ name }) => !separatelyMade.has(name)).map((resource) => [resource.wire, resource] as const),
  )('returns the written values of %s, byte for byte', async (wire, resource) => {
    const draft = await draftOf(resource, 'full')
    const { attributes } = await readRecord(
      wire,
      await buildRecord(resourceApp.database, resource.name, draft),
      'populate=*',
    )
    const shownValues = Object.fromEntries(
      Object.keys(draft).map((name) => {
        const { data } = (attributes[name] ?? {}) as Partial<Link>
        const isGiven = isLinkName(resource, name)
        return [
          name,
          isGiven ? (Array.isArray(data) ? data.map(({ id }) => id) : (data?.id ?? null)) : attributes[name],
        ]
      }),
    )
    expect(shownValues).toEqual(draft)
  })
})

const isLinkName = (resource: Resource, name: string) => {
  const field = resource.fields[name]
  return field !== undefined && isLink(field)
}

/**
 * A populated record as clients send it back: with id, dates and languages, and with links in one of their
 * forms.
 */
function echoOf({ id, attributes }: Entry, form: (id: number) => unknown): Record<string, unknown> {
  const echoedValues = Object.entries(attributes).map(([name, value]) => {
    const data = typeof value === 'object' && value !== null && 'data' in value ? (value as Link).data : undefined
    if (data === undefined) return [name, value]
    return [name, Array.isArray(data) ? data.map((entry) => form(entry.id)) : data && form(data.id)]
  })
  return { id, ...(Object.fromEntries(echoedValues) as object), createdBy: 1, updatedBy: { id: 1 }, publishedAt: null }
}

describe('a whole record sent back', () => {
  it.each(mayChange.map((resource) => [resource.wire, resource] as const))(
    'changes nothing in %s when a whole record is sent back, with ids as numbers, texts or objects',
    async (wire, resource) => {
      const id = await makeRecord(resource, 'full')
      const recordBefore = await readRecord(wire, id, 'populate=*')
      for (const form of [(target: number) => target, String, (target: number) => ({ id: target })]) {
        const answer = await resourceApp.ask(
          'PUT',
          `/${wire}/${id}?populate=*`,
          { data: echoOf(recordBefore, form) },
          'owner',
        )
        expect([wire, answer.status, answer.body]).toEqual([wire, 200, { data: recordBefore, meta: {} }])
      }
    },
  )
  it.each(mayChange.map((resource) => [resource.wire, resource] as const))(
    'changes nothing in %s when the sent record is empty',
    async (wire, resource) => {
      const id = await makeRecord(resource, 'least')
      const recordBefore = await readRecord(wire, id)
      const answer = await resourceApp.ask('PUT', `/${wire}/${id}`, { data: {} }, 'owner')
      expect([answer.status, answer.body]).toEqual([200, { data: recordBefore, meta: {} }])
    },
  )
})

describe('a translation', () => {
  const translatedFields = mayChange.filter(({ localized }) => localized)
  it.each(translatedFields.map((resource) => [resource.wire, resource] as const))(
    'stores the translated and the changed texts of %s, and leaves the source unchanged',
    async (wire, resource) => {
      const textsOf = async () => {
        const draft = await draftOf(resource, 'full')
        return Object.fromEntries(Object.entries(draft).filter(([name]) => resource.fields[name]?.localized))
      }
      const source = await makeRecord(resource, 'full')
      const { attributes: formerAttributes } = await readRecord(wire, source)
      const [addedTexts, changedTexts] = [await textsOf(), await textsOf()]
      const body = { data: { ...addedTexts, locale: 'kaa' } }
      const answer = await resourceApp.ask('POST', `/${wire}/${source}/localizations`, body, 'owner')
      expect([answer.status, answer.body]).toMatchObject([200, { ...addedTexts, locale: 'kaa' }])
      const { id } = answer.body as { id: number }
      expect((await resourceApp.ask('PUT', `/${wire}/${id}`, { data: changedTexts }, 'owner')).status).toBe(200)
      expect((await readRecord(wire, id)).attributes).toMatchObject({ ...changedTexts, locale: 'kaa' })
      const sourceTexts = Object.keys(addedTexts).map((name) => [name, formerAttributes[name]])
      expect((await readRecord(wire, source)).attributes).toMatchObject(Object.fromEntries(sourceTexts) as object)
    },
  )
})

describe('a DELETE with populate=*', () => {
  // A deleted message leaves a placeholder (chat §2).
  const removableFields = mayChange.filter(
    (resource) => ownerMay(resource, 'remove') && !resource.fixedRows && resource.name !== 'tradingposttypes',
  )
  it.each(removableFields.map((resource) => [resource.wire, resource] as const))(
    'answers a DELETE with the former record of %s, which is not found afterwards',
    async (wire, resource) => {
      const id = await makeRecord(resource, 'least')
      const recordBefore = await readRecord(wire, id, 'populate=*')
      const answer = await resourceApp.ask('DELETE', `/${wire}/${id}?populate=*`, undefined, 'owner')
      expect([answer.status, answer.body]).toEqual([200, { data: recordBefore, meta: {} }])
      expect((await resourceApp.ask('GET', `/${wire}/${id}`, undefined, 'owner')).status).toBe(404)
      expect((await resourceApp.ask('DELETE', `/${wire}/${id}`, undefined, 'owner')).status).toBe(404)
      expect((await resourceApp.ask('PUT', `/${wire}/${id}`, { data: {} }, 'owner')).status).toBe(404)
    },
  )
})

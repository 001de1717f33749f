/**
 * Contract §4, the types of values, as a table over the registry: every writable field of every resource
 * refuses and accepts values.
 */
import { decideAccess, type Field, isLink, resources, type Resource } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { leastDraft, type Targets } from '../testing/drafts.ts'
import { buildRecord, buildRole, nextNumber } from '../testing/factories.ts'
import { ownedBy } from '../testing/owned-by.ts'
import { startResourceApp } from '../testing/resource-app.ts'

const resourceApp = startResourceApp()
const targets: Targets = new Map()
interface Refusal {
  error: { message: string; details: { errors: { path: string[]; message: string; code: string }[] } }
}

/** Returns invalid values of a field, and valid ones, each with its stored form. */
function valuesOf(field: Field): { bad: unknown[]; validValues: [unknown, unknown][] } {
  switch (field.kind) {
    case 'text':
    case 'longText':
    case 'rich': {
      const max = field.maxLength ?? { text: 255, longText: 10_000, rich: 200_000 }[field.kind]
      const longText = 'á'.repeat(max)
      return {
        bad: [5, true, {}, [], ['x'], `${longText}a`],
        validValues: [
          ...(field.required || field.unique ? [] : [['', ''] satisfies [string, string]]),
          ...(field.unique ? [] : [[longText, longText] satisfies [string, string]]),
        ],
      }
    }
    case 'email':
      return {
        bad: [5, {}, 'a@b', 'no address', 'a b@example.org', 'a@@example.org', 'x'],
        validValues: field.required
          ? []
          : [
              ['', null],
              ['Name@Example.ORG', 'name@example.org'],
            ],
      }
    case 'link':
      return {
        bad: [5, {}, 'http://example.org', 'javascript:x', 'example.org', `https://example.org/${'x'.repeat(2_048)}`],
        validValues: [
          ['', null],
          ['https://example.org/a?b=c', 'https://example.org/a?b=c'],
        ],
      }
    case 'slug':
      return { bad: [5, {}, 'Two Words', 'ё', '-a', 'a--b', 'x'.repeat(256)], validValues: [] }
    case 'colour':
      return {
        bad: [5, {}, 'red', '#12345', '#12345g'],
        validValues: [
          ['#ABCDEF', '#abcdef'],
          ['', null],
        ],
      }
    case 'int':
      return {
        bad: [
          'abc',
          true,
          {},
          [1],
          1.5,
          '1.5',
          '1e3',
          2_147_483_648,
          '99999999999999999999',
          ...(field.min === undefined ? [] : [field.min - 1]),
          ...(field.max === undefined ? [] : [field.max + 1]),
        ],
        validValues: [
          [String((field.min ?? 0) + 1), (field.min ?? 0) + 1],
          [field.max ?? 70, field.max ?? 70],
        ],
      }
    case 'decimal': {
      const [precision, scale] = field.digits
      return {
        bad: [
          'abc',
          true,
          {},
          [1],
          '1,5',
          'NaN',
          10 ** (precision - scale),
          ...(field.min === undefined ? [] : [field.exclusiveMin ? field.min : field.min - 1]),
          ...(field.max === undefined ? [] : [field.max + 1]),
        ],
        validValues: [
          ['0.5', 0.5],
          [Number(`0.${'1'.repeat(scale + 2)}`), Number(`0.${'1'.repeat(scale)}`)],
        ],
      }
    }
    case 'bool':
      return {
        bad: [1, 0, 't', 'yes', '', {}, []],
        validValues: [
          ['true', true],
          ['false', false],
          [true, true],
        ],
      }
    case 'date':
      return {
        bad: ['2026-02-30', 'tomorrow', 5, {}, '2026-1-1', '2026-01-01T00:00:00Z'],
        validValues: [['2025-12-31', '2025-12-31']],
      }
    case 'dateTime':
      return {
        bad: ['2026-02-30T00:00:00Z', 'tomorrow', 5, {}, '10:00', '2026-01-01T25:00:00Z'],
        validValues: [
          ['2026-03-01T15:00:00+05:00', '2026-03-01T10:00:00.000Z'],
          ['2026-03-01', '2026-03-01T00:00:00.000Z'],
        ],
      }
    case 'choice':
      return {
        bad: ['bogus', 5, {}, [], `${String(field.values[0])} `],
        validValues: field.transitions || field.unique ? [] : [[field.values[0], field.values[0]]],
      }
    case 'translations':
      return {
        bad: [{ de: 'x' }, { en: 'x', title: 'y' }, { en: 5 }, 5, [], { ru: 'x'.repeat((field.maxLength ?? 255) + 1) }],
        validValues: [
          [{ kaa: 'á' }, { kaa: 'á' }],
          ['plain', 'plain'],
          [
            { en: 'a', ru: null },
            { en: 'a', ru: null },
          ],
        ],
      }
    default:
      return { bad: [], validValues: [] }
  }
}

/**
 * Resources with their own tests: chat (contract §11), accounts (contract §3), rows that the server creates.
 */
const excludedNames = new Set(['chatrooms', 'chatmessages', 'users', 'staff', 'statistics', 'insert_excel', 'uploads'])
const testedResources = Object.values<Resource>(resources).filter(
  ({ name, single, access }) =>
    !single && !excludedNames.has(name) && decideAccess(access, 'update', { role: 'owner', isConsultant: false }),
)
const table = testedResources.map((resource) => [resource.wire, resource] as const)

/** Texts that must be the address of a file; lesson-files.test.ts covers them. */
const addressFields: ReadonlySet<string> = new Set(['subtitles'])
const writableFields = ({ fields }: Resource) =>
  Object.entries<Field>(fields).filter(
    ([name, field]) => !field.readOnly && !isLink(field) && field.kind !== 'count' && !addressFields.has(name),
  )
const rows = new Map<string, Promise<number>>()
const rowOf = (resource: Resource) => {
  const knownRow = rows.get(resource.name) ?? makeRow(resource)
  rows.set(resource.name, knownRow)
  return knownRow
}
// There are only as many types of posts as codes: the type of an existing post is used.
const makeRow = async (resource: Resource) =>
  resource.name === 'roles'
    ? buildRole(resourceApp.database, 'public')
    : ((resource.name === 'tradingposttypes' ? await targets.get(resource.name) : undefined) ??
      buildRecord(resourceApp.database, resource.name, {
        ...(await leastDraft(resourceApp.database, resource, targets)),
        ...ownedBy(resource.name, resourceApp.people.owner),
      }))
const putRecord = async (resource: Resource, data: object) =>
  resourceApp.ask('PUT', `/${resource.wire}/${await rowOf(resource)}`, { data }, 'owner')

describe('a value of a wrong type', () => {
  it.each(table)('refuses all values of a wrong type in %s, each on its own field', async (_wire, resource) => {
    const wrongValues = writableFields(resource).map(([name, field]) => [name, valuesOf(field).bad] as const)
    const rounds = Math.max(...wrongValues.map(([, badValues]) => badValues.length))
    for (let roundNumber = 0; roundNumber < rounds; roundNumber += 1) {
      const data = Object.fromEntries(
        wrongValues.flatMap(([name, badValues]) =>
          roundNumber < badValues.length ? [[name, badValues[roundNumber]]] : [],
        ),
      )
      const { status, body } = await putRecord(resource, data)
      const errors = status === 400 ? (body as Refusal).error.details.errors : []
      expect([data, status, errors.map(({ path }) => path.join('.')).sort()]).toEqual([
        data,
        400,
        Object.keys(data).sort(),
      ])
      const { message } = (body as Refusal).error
      expect(message).toBe(errors.length === 1 ? errors[0]?.message : `${errors.length} errors occurred`)
    }
  })
  const requiredFieldsOf = (resource: Resource) =>
    writableFields(resource).filter(
      ([, field]) => field.required && !('default' in field && field.default !== undefined) && !('slugFrom' in field),
    )
  it.each(table.filter(([, resource]) => requiredFieldsOf(resource).length > 0))(
    'refuses null for required fields of %s',
    async (_wire, resource) => {
      const requiredFields = requiredFieldsOf(resource)
      const data = Object.fromEntries(requiredFields.map(([name]) => [name, null]))
      const { status, body } = await putRecord(resource, data)
      const paths = (body as Refusal).error.details.errors.map(({ path }) => path.join('.'))
      expect([status, paths.sort()]).toEqual([400, requiredFields.map(([name]) => name).sort()])
    },
  )
})

describe('a value in one of its valid forms', () => {
  it.each(table)('accepts in %s a value in each of its valid forms', async (_wire, resource) => {
    for (const [name, field] of writableFields(resource)) {
      // Fields of an ordered pair get the same value, so that neither is below the other.
      const pair = (resource.orderedPairs ?? []).find((names) => names.includes(name)) ?? []
      for (const [sentValue, storedValue] of valuesOf(field).validValues) {
        const { status, body } = await putRecord(
          resource,
          Object.fromEntries([name, ...pair].map((fieldName) => [fieldName, sentValue])),
        )
        const shownValue =
          status === 200 ? (body as { data: { attributes: Record<string, unknown> } }).data.attributes[name] : body
        expect([name, sentValue, status, shownValue]).toEqual([name, sentValue, 200, storedValue])
      }
    }
  })
})

describe('a missing required field', () => {
  it.each(table.filter(([, { name, fixedRows }]) => !fixedRows && name !== 'tradingposttypes'))(
    'names all missing required fields of %s, whether absent or null',
    async (wire, resource) => {
      const requiredFields = Object.entries<Field>(resource.fields).filter(
        ([, field]) =>
          field.required &&
          !field.readOnly &&
          !('default' in field && field.default !== undefined) &&
          !('slugFrom' in field && field.slugFrom !== undefined),
      )
      for (const data of [{}, Object.fromEntries(requiredFields.map(([name]) => [name, null]))]) {
        const { status, body } = await resourceApp.ask('POST', `/${wire}`, { data }, 'owner')
        const errors = status === 200 ? [] : (body as Refusal).error.details.errors
        const namedErrors = errors.map(({ path, message }) => [path[0], message])
        const texts = requiredFields.map(([name]) => [name, `${name} must be defined.`])
        expect([status, new Map(namedErrors as [string, string][])]).toEqual([
          requiredFields.length > 0 ? 400 : 200,
          new Map(texts as [string, string][]),
        ])
      }
    },
  )
  it('refuses an empty required text with the specification’s message, and stores empty optional texts', async () => {
    const url = '/branches'
    const { body } = await resourceApp.ask('POST', url, { data: { name: '', address: '  ', region: [], district: [] } })
    expect((body as Refusal).error.details.errors.map(({ path, message }) => [path[0], message])).toEqual([
      ['name', 'please enter a name'],
      ['address', 'please enter an address'],
      ['region', 'please select a region'],
      ['district', 'please select a district'],
    ])
    const createdAnswer = await resourceApp.ask('POST', '/news', {
      data: { title: `N ${nextNumber()}`, description: '' },
    })
    expect(createdAnswer).toMatchObject({ status: 200, body: { data: { attributes: { description: '' } } } })
  })
})

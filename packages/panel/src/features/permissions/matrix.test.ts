/** Tests of the lines of the matrix, the differences of two roles, and the search. */
import { type AccessTable, type Resource, resources } from '@dala/model'
import { describe, expect, it } from 'vitest'
import {
  columnNames,
  countLines,
  type AccessDifference,
  differenceOf,
  groupsOf,
  linesOf,
  filteredGroups,
} from './matrix.ts'

const { news, roles, about, users, consultations } = resources
const makeResource = (access: AccessTable): Resource => ({ ...news, access })
const allGroups = groupsOf(resources)

describe('linesOf', () => {
  it.each<[string, Resource, string[]]>([
    ['joins operations with the same rules', news, ['read', 'create+update+remove']],
    [
      'keeps reading in its own line',
      makeResource({ read: 'admin', write: 'admin' }),
      ['read', 'create+update+remove'],
    ],
    ['keeps operations with different rules apart', consultations, ['read', 'create', 'update', 'remove']],
    [
      'joins operations around one that differs',
      makeResource({ read: 'admin', write: 'admin', update: 'owner' }),
      ['read', 'create+remove', 'update'],
    ],
  ])('joins the operations of a resource into lines of the matrix: %s', (_name, resource, expected) => {
    expect(linesOf(resource).map(({ rules }) => rules.join('+'))).toEqual(expected)
  })

  it.each([
    ['a fixed resource', roles],
    ['a single type', about],
  ])('denies creating and deleting for %s in the matrix', (_name, resource) => {
    const line = linesOf(resource).find(({ rules }) => rules.includes('create'))
    expect(line?.rules).toContain('remove')
    expect(columnNames.map((column) => line?.cells[column])).toEqual(columnNames.map(() => false))
  })
})

it('lists every resource in the matrix once', () => {
  const names = allGroups.flatMap(({ rows }) => rows.map(({ resource }) => resource.name))
  expect(names.toSorted()).toEqual(Object.keys(resources).toSorted())
  expect(allGroups.find(({ section }) => section === 'people')?.rows.map(({ resource }) => resource.name)).toContain(
    'users',
  )
})

it.each<[string, AccessTable, AccessDifference]>([
  ['both with the same rules', { read: 'authenticated' }, { kind: 'same' }],
  ['only one with permission', { read: 'admin' }, { kind: 'only', column: 'admin' }],
  [
    'one of them without bounds',
    { read: { authenticated: { rows: { active: true } }, admin: true } },
    { kind: 'wider', column: 'admin' },
  ],
  [
    'both with different bounds',
    { read: { authenticated: { rows: { active: true } }, admin: { rows: { active: false } } } },
    { kind: 'other' },
  ],
])('compares two roles in the matrix: %s', (_name, access, expected) => {
  const [line] = linesOf(makeResource(access))
  expect(line && differenceOf(line, 'admin', 'consultant')).toEqual(expected)
})

describe('filteredGroups', () => {
  const names: Readonly<Record<string, string>> = { [users.name]: 'Paydalanıwshılar', [news.name]: 'Жаңалықтар' }
  const nameOf = ({ name }: Resource) => names[name] ?? name
  const matchingNames = (search: string) =>
    filteredGroups(allGroups, { search, compared: undefined, showsOnlyDifferences: true }, nameOf).flatMap(({ rows }) =>
      rows.map(({ resource }) => resource.name),
    )

  it.each([
    ['  paydalaniwshi ', ['users']],
    ['ЖАҢАЛЫҚ', ['news']],
    ['no such thing', []],
  ])('finds a resource of the matrix by "%s"', (search, expected) => {
    expect(matchingNames(search)).toEqual(expected)
  })

  it('returns the lines of the matrix that differ between two roles, or all lines of both', () => {
    const filterGroups = (onlyDifferences: boolean, otherRole: 'admin' | 'owner') =>
      filteredGroups(
        allGroups,
        { search: '', compared: [otherRole, 'super-admin'], showsOnlyDifferences: onlyDifferences },
        nameOf,
      )
    const differingLines = filterGroups(true, 'admin').flatMap(({ rows }) => rows.flatMap(({ lines }) => lines))
    expect(differingLines.length).toBeGreaterThan(0)
    expect(differingLines.every((line) => differenceOf(line, 'admin', 'super-admin').kind !== 'same')).toBe(true)
    expect(countLines(filterGroups(false, 'admin'))).toBe(countLines(allGroups))
  })
})

import { describe, expect, it } from 'vitest'
import {
  type AccessTable,
  decideAccess,
  type AccessDecision,
  isRoleType,
  operationNames,
  rankOfRole,
  type RoleType,
  rolesBelow,
  roleTypes,
} from './access.ts'

const rows = { rows: { active: true } } as const
const card = { rows: { id: '$caller.id' }, card: true } as const

const rules: Record<string, AccessTable> = {
  'one least role': { read: 'authenticated', write: 'admin' },
  'public reading': { read: 'public' },
  'owner only': { read: 'owner', write: 'owner' },
  'role by role': { read: { authenticated: rows, admin: true } },
  'a gap between roles': { read: { public: card, owner: true } },
  'nobody named': { read: {}, write: {} },
}

describe('decideAccess for reading and writing', () => {
  const [fullAccess, noAccess] = [true, false] as const
  it.each<[rule: string, role: RoleType, read: AccessDecision, write: AccessDecision]>([
    ['one least role', 'owner', fullAccess, fullAccess],
    ['one least role', 'super-admin', fullAccess, fullAccess],
    ['one least role', 'admin', fullAccess, fullAccess],
    ['one least role', 'authenticated', fullAccess, noAccess],
    ['one least role', 'public', noAccess, noAccess],
    ['public reading', 'public', fullAccess, noAccess],
    ['public reading', 'owner', fullAccess, noAccess],
    ['owner only', 'owner', fullAccess, fullAccess],
    ['owner only', 'super-admin', noAccess, noAccess],
    ['role by role', 'public', noAccess, noAccess],
    ['role by role', 'authenticated', rows, noAccess],
    ['role by role', 'admin', fullAccess, noAccess],
    ['role by role', 'super-admin', fullAccess, noAccess],
    ['role by role', 'owner', fullAccess, noAccess],
    ['a gap between roles', 'public', card, noAccess],
    ['a gap between roles', 'authenticated', card, noAccess],
    ['a gap between roles', 'admin', card, noAccess],
    ['a gap between roles', 'super-admin', card, noAccess],
    ['a gap between roles', 'owner', fullAccess, noAccess],
    ['nobody named', 'owner', noAccess, noAccess],
  ])(
    'decides by the access rule "%s" for the role %s: reads %j and writes %j',
    (rule, role, readDecision, writeDecision) => {
      const access = rules[rule]
      expect(access).toBeDefined()
      const decisions = operationNames.map(
        (operation) => access && decideAccess(access, operation, { role, isConsultant: false }),
      )
      expect(decisions).toEqual([readDecision, readDecision, writeDecision, writeDecision, writeDecision])
    },
  )
})

describe('decideAccess for consultants', () => {
  const consultantRows = { rows: { consultant: '$caller.id' } } as const
  const readRule = { authenticated: rows, consultant: consultantRows, admin: true } as const
  it.each<[what: string, rule: AccessTable['read'], role: RoleType, consultant: AccessDecision, other: AccessDecision]>(
    [
      ['a grant for consultants', readRule, 'authenticated', consultantRows, rows],
      ['no grant for consultants', { authenticated: rows }, 'authenticated', rows, rows],
      ['a grant for consultants only', { consultant: consultantRows }, 'authenticated', consultantRows, false],
      ['a grant for consultants only, public role', { consultant: consultantRows }, 'public', false, false],
      ['a role above', readRule, 'admin', true, true],
      [
        'a grant inherited by staff who are consultants',
        { consultant: consultantRows, authenticated: rows },
        'admin',
        consultantRows,
        rows,
      ],
    ],
  )('decides what consultants may read by an access rule with %s', (_what, rule, role, consultant, otherDecision) => {
    const access = { read: rule }
    expect(decideAccess(access, 'list', { role, isConsultant: true })).toEqual(consultant)
    expect(decideAccess(access, 'list', { role, isConsultant: false })).toEqual(otherDecision)
  })
})

describe('decideAccess for each operation', () => {
  const fields = { fields: ['rating'] } as const
  it.each<[what: string, access: AccessTable, role: RoleType, writes: AccessDecision[]]>([
    [
      'one that differs',
      { read: 'admin', write: 'admin', update: { authenticated: fields } },
      'authenticated',
      [false, fields, false],
    ],
    ['one that is narrower', { read: 'admin', write: 'admin', remove: 'owner' }, 'admin', [true, true, false]],
    ['one alone', { read: 'admin', create: 'authenticated' }, 'admin', [true, false, false]],
    [
      'one inherited by a stronger role',
      { read: 'admin', update: { authenticated: fields } },
      'owner',
      [false, fields, false],
    ],
    ['one for nobody', { read: 'admin', write: 'admin', create: {} }, 'owner', [false, true, true]],
  ])('decides each operation by its own access rule: %s', (_what, access, role, writes) => {
    const operations = ['create', 'update', 'remove'] as const
    expect(operations.map((operation) => decideAccess(access, operation, { role, isConsultant: false }))).toEqual(
      writes,
    )
  })
})

describe('roles', () => {
  it('ranks the owner highest of all roles', () => {
    expect(roleTypes.map(rankOfRole)).toEqual([5, 4, 3, 2, 1])
  })
  it.each<[RoleType, RoleType[]]>([
    ['owner', ['super-admin', 'admin', 'authenticated', 'public']],
    ['admin', ['authenticated', 'public']],
    ['public', []],
  ])('ranks the role %s above %j', (role, lowerRoles) => {
    expect(rolesBelow(role)).toEqual(lowerRoles)
  })
  it('accepts only the names of existing roles', () => {
    expect(['owner', 'Owner', 'root', 1, null].map(isRoleType)).toEqual([true, false, false, false, false])
  })
})

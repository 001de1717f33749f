import { expect, it } from 'vitest'
import { grantableRoles } from './grantable.ts'

// Roles that each role should be able to grant, copied manually from contract §14.
it.each([
  ['owner', 'authenticated', ['owner', 'super-admin', 'admin', 'authenticated']],
  ['owner', 'admin', ['owner', 'super-admin', 'admin']],
  ['super-admin', 'authenticated', ['admin', 'authenticated']],
  ['super-admin', 'admin', ['admin']],
  ['admin', 'authenticated', ['authenticated']],
  ['admin', 'admin', []],
  ['authenticated', 'authenticated', []],
  ['public', 'authenticated', []],
] as const)('lets the role %s grant, from %s up, the roles %j', (reader, leastRole, roles) => {
  expect(grantableRoles(reader, leastRole)).toEqual(roles)
})

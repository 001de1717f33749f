import { resources, type RowFilter } from '@dala/model'
import { expect, it } from 'vitest'
import type { CurrentUser } from '../api/session.ts'
import { isWithin } from './row-filter.ts'
import { grantForUser } from './use-may.ts'

const me = { id: 7, role: 'admin' } as const

it.each<[string, RowFilter, Record<string, unknown>, boolean]>([
  ['a link to the user', { user: '$caller.id' }, { user: { id: 7 } }, true],
  ['a link to somebody else', { user: '$caller.id' }, { user: { id: 8 } }, false],
  ['no link', { user: '$caller.id' }, { user: null }, false],
  ['a link that was not read', { user: '$caller.id' }, {}, true],
  ['one of two', { $or: [{ id: '$caller.id' }, { active: true }] }, { id: 9, active: true }, true],
  ['none of two', { $or: [{ id: '$caller.id' }, { active: true }] }, { id: 9, active: false }, false],
  ['a lower role', { role: { type: { $in: '$caller.rolesBelow' } } }, { role: { type: 'authenticated' } }, true],
  ['the same role', { role: { type: { $in: '$caller.rolesBelow' } } }, { role: { type: 'admin' } }, false],
  ['nobody yet', { consultant: { $null: true } }, { consultant: null }, true],
  ['somebody', { consultant: { $null: true } }, { consultant: { id: 3 } }, false],
])('compares a record with the filter of a grant: %s', (_what, rows, record, expected) => {
  expect(isWithin(rows, record, me)).toBe(expected)
})

it('lets a consultant write only records addressed to them, and only the answer', () => {
  const consultant: CurrentUser = {
    id: 7,
    username: 'a',
    email: 'a@example.org',
    name: null,
    surname: null,
    is_consultant: true,
    role: { id: 4, name: 'Authenticated', type: 'authenticated' },
  }
  const grant = grantForUser(resources.consultations, 'update', consultant, { id: 1, consultant: { id: 7 } })
  expect(typeof grant === 'object' && grant.fields).toContain('answer')
  expect(grantForUser(resources.consultations, 'update', consultant, { id: 1, consultant: { id: 8 } })).toBe(false)
})

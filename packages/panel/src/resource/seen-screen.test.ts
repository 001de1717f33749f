import { resources, screensOf } from '@dala/model'
import { describe, expect, it } from 'vitest'
import type { CurrentUser } from '../api/session.ts'
import { limitRows, screenForUser } from './screen-for-user.ts'
import { findScreen } from './screen-address.ts'

const reader = (userChanges: Partial<CurrentUser> = {}): CurrentUser => ({
  id: 7,
  username: 'a',
  email: 'a@example.org',
  name: null,
  surname: null,
  is_consultant: false,
  role: { id: 4, name: 'Authenticated', type: 'authenticated' },
  ...userChanges,
})
const admin = reader({ role: { id: 3, name: 'Admin', type: 'admin' } })
const consultants = findScreen('consultants')

describe('the list of consultants', () => {
  it('requests only the fields of cards for a user who sees only cards', () => {
    const { list } = screenForUser(consultants, reader()).resource
    const shownFields = [...(list?.columns ?? []), ...(list?.search ?? []), list?.sort, list?.leadPicture]
    expect(shownFields.filter((name) => !resources.users.card?.some((cardField) => cardField === name))).toEqual([])
    expect([list?.filters, list?.extraFields, list?.subtitle]).toEqual([undefined, undefined, undefined])
  })
  it('excludes a plain user from the list of consultants, and includes a consultant', () => {
    expect(limitRows(consultants, reader())).toEqual({ id: { $ne: '7' } })
    expect(limitRows(consultants, reader({ is_consultant: true }))).toEqual({})
  })
  it('excludes from the consultants a staff user who views the panel as a consultant', () => {
    const viewAsConsultant = { ownRole: 'owner', ownIsConsultant: false, is_consultant: true } as const
    expect(limitRows(consultants, reader(viewAsConsultant))).toEqual({ id: { $ne: '7' } })
  })
  it('shows the complete list of consultants to staff', () => {
    const { list } = screenForUser(consultants, admin).resource
    const { list: declaredList } = consultants.resource
    // The list also requests the version of each record, against which a changed cell is saved.
    expect(list).toEqual({ ...declaredList, extraFields: [...(declaredList?.extraFields ?? []), 'version'] })
    expect(limitRows(consultants, admin)).toEqual({ is_consultant: { $eq: true } })
  })
  it('makes the same request as for staff before the user is loaded', () => {
    expect(screenForUser(consultants, undefined)).toEqual(screenForUser(consultants, admin))
  })
})

it('keeps the columns of a resource without a card', () => {
  const [screen] = screensOf(resources.regions)
  expect(screen && screenForUser(screen, reader()).resource.list?.columns).toEqual(screen?.resource.list?.columns)
})

import { describe, expect, it } from 'vitest'
import type { CurrentUser } from '../../api/session.ts'
import { type Address, needsViews, openViewIn } from './open-view.ts'
import { savedViewOf, type SavedView } from './view.ts'

const owner: CurrentUser = {
  id: 7,
  username: 'owner',
  email: 'owner@example.org',
  name: null,
  surname: null,
  role: { id: 1, name: 'Owner', type: 'owner' },
}

const viewOf = (viewChanges: Partial<SavedView>): SavedView => ({
  id: 5,
  name: 'Towns',
  screen: 'settings/districts',
  search: { 'f.type': 'city' },
  layout: {},
  owner: 7,
  role: undefined,
  isPinned: false,
  isStandard: false,
  roleStandard: false,
  ...viewChanges,
})

describe('reading a saved view', () => {
  it('reads the owner of a saved view and the users for whom it opens by default', () => {
    const record = {
      id: 6,
      name: 'For the desk',
      screen: 'settings/districts',
      state: { search: { 'f.type': 'city', size: 12 }, columns: ['code', 1] },
      owner: { id: 8 },
      role: { id: 1, type: 'owner' },
      role_standard: true,
    }
    expect(savedViewOf(record)).toMatchObject({
      search: { 'f.type': 'city' },
      layout: { columns: ['code'] },
      owner: 8,
      role: { id: 1, type: 'owner' },
      isStandard: false,
      roleStandard: true,
    })
  })
})

describe('the address of a list with saved views', () => {
  const ownView = viewOf({ id: 5, isStandard: true })
  const sharedView = viewOf({ id: 6, owner: 8, roleStandard: true, role: { id: 1, type: 'owner' } })
  const adminView = viewOf({ id: 7, owner: 8, roleStandard: true, role: { id: 3, type: 'admin' } })
  const plainView = viewOf({ id: 8 })
  it.each<[string, Address, SavedView[] | undefined, { open?: number; standard?: number; isLost?: boolean }]>([
    ['opens the view that is named', { view: 8 }, [plainView], { open: 8 }],
    ['opens the view that is named as text', { view: '8' }, [plainView], { open: 8 }],
    ['opens no view where the address names none', {}, [plainView], {}],
    ['opens the view that the user has chosen', {}, [sharedView, ownView], { open: 5, standard: 5 }],
    ['opens the view chosen for the role', {}, [adminView, sharedView], { open: 6, standard: 6 }],
    ['opens no view that was chosen for a weaker role', {}, [adminView], {}],
    ['opens no view by itself that is shared with no role', {}, [{ ...sharedView, role: undefined }], {}],
    ['opens no view of another user', {}, [{ ...ownView, owner: 8 }], {}],
    ['opens no view by itself where the address has conditions', { q: 'a' }, [ownView], { standard: 5 }],
    ['opens the standard view on another page', { page: 2 }, [ownView], { open: 5, standard: 5 }],
    ['opens no view where the address asks for none', { view: 'none' }, [ownView], { standard: 5 }],
    ['reports a view that does not exist', { view: 9 }, [plainView], { isLost: true }],
    ['reports nothing while the views are not loaded', { view: 9 }, undefined, {}],
  ])('finds the saved view of an address: %s', (_title, address, views, { open, standard, isLost = false }) => {
    const foundView = openViewIn(address, views, owner)
    expect({ open: foundView.open?.id, standard: foundView.standardView?.id, isLost: foundView.isLost }).toEqual({
      open,
      standard,
      isLost,
    })
  })
})

describe('whether an address needs the saved views', () => {
  it.each<[Address, boolean, boolean]>([
    [{ view: 5 }, false, true],
    [{ view: 'none' }, true, false],
    [{}, false, false],
    [{}, true, true],
    [{ page: 2 }, true, true],
    [{ sort: 'code' }, true, false],
  ])(
    'decides for the address %j, with a standard view %j, whether saved views are needed: %j',
    (address, hasStandard, isNeeded) => {
      expect(needsViews(address, hasStandard)).toBe(isNeeded)
    },
  )
})

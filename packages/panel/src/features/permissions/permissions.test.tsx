/**
 * Tests of the permissions page: bounds as text, second step of a role with its confirmation, and viewing as
 * a role.
 */
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { reasonOf } from '../../testing/reason-of.ts'
import { renderApp } from '../../testing/render-app.tsx'

const role = (id: number, type: string, nb_users: number) => ({
  id,
  attributes: { name: type, type, two_step: false, nb_users },
})
const roles = {
  data: [role(1, 'owner', 1), role(2, 'super-admin', 1), role(3, 'admin', 4), role(4, 'authenticated', 13)],
  meta: { pagination: { page: 1, pageSize: 20 } },
}
const answers = {
  'GET /api/users/me': owner,
  'GET /api/roles': roles,
  'PUT /api/roles/3': { data: role(3, 'admin', 4) },
  'GET /api/users': { data: [], count: 0 },
}
const admin = { ...owner, role: { id: 3, name: 'Administrator', type: 'admin' } }

beforeEach(() => {
  localStorage.setItem('token', 'a')
  sessionStorage.clear()
})

const rowOf = (table: HTMLElement, resource: string) => {
  const row = within(table).getByRole('rowheader', { name: resource }).closest('tbody')
  if (!row) throw new Error(`no rows of ${resource}`)
  return row
}

describe('the matrix', () => {
  it('shows bounds of permissions in the matrix, and opens their complete text by keyboard', async () => {
    fakeApi(answers)
    renderApp('/app/permissions')
    const table = await screen.findByRole('table', { name: 'Permissions by resource and role' })
    const cells = within(rowOf(table, 'News')).getAllByRole('cell')
    expect(cells.slice(0, 6).map((cell) => cell.textContent)).toEqual([
      'No',
      'LimitedOnly active ones',
      'LimitedOnly active ones',
      'Yes',
      'Yes',
      'Yes',
    ])
    const [, button] = within(rowOf(table, 'Consultations')).getAllByRole('button', { name: /^Limited/ })
    button?.focus()
    await userEvent.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Consultations, Read: Consultant' })
    expect(dialog.textContent).toContain('Only those they asked or those assigned to them or unassigned ones')
  })

  it('shows the differences between two roles as text', async () => {
    fakeApi(answers)
    renderApp('/app/permissions?a=admin&b=super-admin')
    const table = await screen.findByRole('table')
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Resource', 'Operation', 'Administrator', 'Super administrator', 'Difference'])
    expect(within(rowOf(table, 'Roles')).getByRole('cell', { name: 'Only: Super administrator' })).toBeTruthy()
    expect(within(table).queryByRole('rowheader', { name: 'News' })).toBeNull()
    await userEvent.click(screen.getByRole('switch', { name: 'Only differences' }))
    expect(await within(table).findByRole('rowheader', { name: 'News' })).toBeTruthy()
  })

  it('hides the matrix of permissions from roles below administrator', async () => {
    fakeApi({ ...answers, 'GET /api/users/me': { ...owner, role: { id: 4, name: 'User', type: 'authenticated' } } })
    renderApp('/app/permissions')
    expect(await screen.findByText('No permission')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })
})

describe('the second step of a role', () => {
  it('requires the second step of a role after a confirmation that names the affected accounts', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/permissions')
    await userEvent.click(await screen.findByRole('switch', { name: 'Two-step sign-in required: Administrator' }))
    const question = await screen.findByRole('dialog', { name: 'Require two-step sign-in: Administrator?' })
    expect(question.textContent).toContain('4 accounts have this role.')
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
    await userEvent.click(within(question).getByRole('button', { name: 'Require' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
        path: '/api/roles/3',
        body: { data: { two_step: true } },
      }),
    )
  })

  it('lets no administrator change the second step of a role, and shows the reason', async () => {
    const calls = fakeApi({ ...answers, 'GET /api/users/me': admin })
    renderApp('/app/permissions')
    const control = await screen.findByRole('switch', { name: 'Two-step sign-in required: Registered user' })
    expect(reasonOf(control)).toBe('Only someone above this role may change it.')
    await userEvent.click(control)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
  })
})

describe('viewing as a role', () => {
  it('offers viewing as a role for roles below the user’s own', async () => {
    fakeApi({ ...answers, 'GET /api/users/me': admin })
    renderApp('/app/permissions')
    await screen.findByRole('button', { name: 'View as: Consultant' })
    expect(screen.getAllByRole('button', { name: /^View as/ })).toHaveLength(2)
  })

  it('shows the menu of the viewed role and a notice, until the view is stopped', async () => {
    fakeApi(answers)
    renderApp('/app/permissions')
    await userEvent.click(await screen.findByRole('button', { name: 'View as: Registered user' }))
    const line = await screen.findByRole('region', { name: 'You are viewing the panel as the role “Registered user”.' })
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Permissions' })).toBeNull())
    // The name of the user stays visible while the panel is viewed as another role.
    await userEvent.click(screen.getByRole('button', { name: /Aysánem/ }))
    expect(await screen.findByText('Owner')).toBeTruthy()
    await userEvent.keyboard('{Escape}{Escape}')
    await userEvent.click(within(line).getByRole('button', { name: 'Stop viewing' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: /^You are viewing the panel/ })).toBeNull())
    expect(sessionStorage.length).toBe(0)
  })
})

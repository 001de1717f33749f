/** The dialog that joins conditions, operated with the keyboard. */
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const page = (entries: unknown[]) => ({
  data: entries,
  meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total: entries.length } },
})

beforeEach(() => localStorage.setItem('token', 'a'))

describe('entering a condition with the keyboard', () => {
  it('moves the focus to the operator of the chosen field, and back to the field when none was chosen', async () => {
    fakeApi({
      'GET /api/users/me': owner,
      'GET /api/regions': page([]),
      'GET /api/districts': page([]),
      'GET /api/list-views': page([]),
    })
    renderApp('/app/settings/districts')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Filters' }))
    await user.click(await screen.findByRole('button', { name: /^Several conditions/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Several conditions' })
    const field = () => within(dialog).getByRole('combobox', { name: 'Field' })
    // Opens the list of fields again if it has closed, and waits until it has the focus.
    const openFieldList = async () => {
      await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull())
      field().focus()
      await user.keyboard('{Enter}')
      await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('option'))
    }
    await openFieldList()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(field()))
    const choose = async (name: string, key: string) => {
      await openFieldList()
      await user.keyboard(key)
      await waitFor(() => expect(document.activeElement?.textContent).toBe(name))
      await user.keyboard('{Enter}')
      await waitFor(() => expect(field().textContent).toBe(name))
    }
    // The field "Type" has only one operator, so the focus moves on to its values.
    await choose('Type', '{ArrowDown}')
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getAllByRole('checkbox')[0]))
    await choose('Name', '{ArrowDown}')
    const conditionBox = within(dialog).getByRole('combobox', { name: 'Condition' })
    await waitFor(() => expect(document.activeElement).toBe(conditionBox))
  })
})

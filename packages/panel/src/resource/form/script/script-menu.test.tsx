import { screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { bodies, tagAnswers as answers } from '../../../testing/tags.ts'

beforeEach(() => localStorage.setItem('token', 'a'))

const nameInput = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ })
const openTag = async (language: string) => {
  const calls = fakeApi(answers)
  renderApp(`/app/settings/tags/5?lang=${language}`)
  const user = userEvent.setup()
  await nameInput()
  return { calls, user }
}
const openMenu = async (user: UserEvent, menu: RegExp) => {
  const button = screen.getByRole('button', { name: menu })
  button.focus()
  await user.keyboard('{Enter}')
}

describe('the script of a record’s language', () => {
  it('shows the change by keyboard, writes it to the draft only, and undoes it with Ctrl+Z', async () => {
    const { calls, user } = await openTag('uz')
    await openMenu(user, /^Script of the texts: Oʻzbekcha/)
    await user.click(await screen.findByRole('menuitem', { name: 'Convert to Cyrillic…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Convert all texts to Cyrillic: Oʻzbekcha' })
    const change = within(dialog).getByRole('region', { name: 'Name' })
    expect(within(change).getByText('Paxta').getAttribute('lang')).toBe('uz')
    expect(within(change).getByText('Пахта').tagName).toBe('MARK')
    const convertButton = within(dialog).getByRole('button', { name: 'Convert 1 text' })
    await waitFor(() => expect(document.activeElement).toBe(convertButton))
    await user.keyboard('{Enter}')
    expect(await screen.findByText('1 text converted to Cyrillic')).toBeTruthy()
    expect((await nameInput()).value).toBe('Пахта')
    expect(bodies(calls)).toEqual([])

    await user.keyboard('{Control>}[KeyZ]{/Control}')
    expect(await screen.findByText('Undone: 1 text converted to Cyrillic')).toBeTruthy()
    expect((await nameInput()).value).toBe('Paxta')
  })

  it('saves the converted text with the form, and leaves its code alone', async () => {
    const { calls, user } = await openTag('uz')
    await openMenu(user, /^Script of the texts/)
    await user.click(await screen.findByRole('menuitem', { name: 'Convert to Cyrillic…' }))
    await user.click(await screen.findByRole('button', { name: 'Convert 1 text' }))
    await user.click(await screen.findByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Tag updated successfully')).toBeTruthy()
    expect(bodies(calls)).toEqual([['PUT', '/api/tags/6', { data: { name: 'Пахта', version: 7 } }]])
  })

  it('gives the reason where nothing would change', async () => {
    const { user } = await openTag('uz')
    await openMenu(user, /^Script of the texts/)
    const item = await screen.findByRole('menuitem', { name: /^Convert to Latin…/ })
    expect(item.getAttribute('aria-disabled')).toBe('true')
    expect(within(item).getByText('There is nothing to convert to Latin')).toBeTruthy()
  })

  it('leaves a text that was typed since when the conversion is undone', async () => {
    const { user } = await openTag('uz')
    await openMenu(user, /^Script of the field: Name/)
    await user.click(await screen.findByRole('menuitem', { name: 'Convert to Cyrillic…' }))
    expect(await screen.findByRole('dialog', { name: 'Convert to Cyrillic: Name' })).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Convert 1 text' }))
    await user.type(await nameInput(), ' бор')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Texts that were changed since have been left as they are')).toBeTruthy()
    expect((await nameInput()).value).toBe('Пахта бор')
  })

  it('is not offered for a language with one script', async () => {
    await openTag('en')
    expect(screen.queryByRole('button', { name: /^Script of/ })).toBeNull()
  })

  it('is not offered to a user who may not write', async () => {
    fakeApi({ ...answers, 'GET /api/users/me': { ...owner, role: { id: 4, name: 'User', type: 'authenticated' } } })
    renderApp('/app/settings/tags/5?lang=uz')
    expect(await nameInput()).toHaveProperty('readOnly', true)
    expect(screen.queryByRole('button', { name: /^Script of/ })).toBeNull()
  })
})

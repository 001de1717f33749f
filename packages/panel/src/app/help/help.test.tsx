import { helpPages } from '@dala/model'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { activateLanguage } from '../../lib/i18n.ts'
import { setPreferences } from '../../lib/preferences.ts'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { setWindowWidth } from '../../testing/window-width.ts'
import { pages } from '../pages.ts'

const emptyList = { data: [], meta: { pagination: { page: 1, pageSize: 15, pageCount: 0, total: 0 } } }
const consultant = { ...owner, id: 7, is_consultant: true, role: { id: 4, name: 'User', type: 'authenticated' } }

beforeEach(() => {
  localStorage.setItem('token', 'x')
  fakeApi({ 'GET /api/users/me': owner, 'GET /api/news': emptyList, 'GET /api/tags': emptyList })
})
afterEach(() => vi.unstubAllGlobals())

const help = () => screen.findByRole('complementary', { name: 'Help' })
const helpButton = () => screen.findByRole('button', { name: 'Help for this page' })

it('declares help for every page without a resource', () => {
  const declaredPages: readonly string[] = helpPages
  expect(pages.map(({ path }) => path).filter((path) => !declaredPages.includes(path))).toEqual([])
})

describe('the help panel', () => {
  it('shows in the help the purpose of a page, three tasks and keys, and names controls by their labels', async () => {
    const user = userEvent.setup()
    renderApp('/app/news')
    await user.click(await helpButton())
    const panel = await help()
    expect(await within(panel).findByRole('heading', { name: 'News' })).toBeDefined()
    expect(within(panel).getAllByRole('listitem')).toHaveLength(3)
    expect(within(panel).getByText('Active').tagName).toBe('B')
    expect(within(panel).getByRole('heading', { name: 'Lists' })).toBeDefined()
    expect(within(panel).queryByText(/Needs the role/)).toBeNull()
  })

  it('changes the help with the page and the language of the user', async () => {
    const user = userEvent.setup()
    const { router } = renderApp('/app/news')
    await user.click(await helpButton())
    await within(await help()).findByRole('heading', { name: 'News' })
    await act(() => router.navigate({ to: '/app/settings/tags' }))
    expect(await within(await help()).findByRole('heading', { name: 'Tags' })).toBeDefined()
    act(() => setPreferences({ language: 'kaa' }))
    expect(await screen.findByRole('heading', { name: 'Tegler', level: 3 })).toBeDefined()
    await activateLanguage('en')
  })

  it('links the help to the guide in the language of the user where a chapter explains the page', async () => {
    const user = userEvent.setup()
    const { router } = renderApp('/app/translations')
    await user.click(await helpButton())
    const link = await within(await help()).findByRole('link', { name: 'Read more in the guide' })
    expect(link.getAttribute('href')).toBe('/guide/en/translations#find')
    act(() => setPreferences({ language: 'kaa' }))
    const translatedLink = await screen.findByRole('link', { name: 'Qollanbada tolıǵıraq' })
    expect(translatedLink.getAttribute('href')).toBe('/guide/kaa/translations#find')
    await activateLanguage('en')
    act(() => setPreferences({ language: 'en' }))
    await act(() => router.navigate({ to: '/app/news' }))
    await within(await help()).findByRole('heading', { name: 'News' })
    expect(screen.queryByRole('link', { name: 'Read more in the guide' })).toBeNull()
  })

  it('opens the help on F1, moves the focus into it, and returns the focus on Escape', async () => {
    const user = userEvent.setup()
    renderApp('/app/news')
    const button = await helpButton()
    const jumpButton = screen.getByRole('button', { name: /Search and go to/ })
    jumpButton.focus()
    fireEvent.keyDown(jumpButton, { key: 'F1', code: 'F1' })
    await help()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Help'))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary', { name: 'Help' })).toBeNull()
    expect(document.activeElement).toBe(jumpButton)
    expect(button.isConnected).toBe(true)
  })

  it('shows the help in place of the section’s pages in a wide window', async () => {
    const user = userEvent.setup()
    renderApp('/app/news')
    await user.click(await helpButton())
    await help()
    expect(screen.queryByRole('navigation', { name: /^Pages of the section/ })).toBeNull()
    await user.click(within(await help()).getByRole('button', { name: 'Close' }))
    expect(await screen.findByRole('navigation', { name: /^Pages of the section/ })).toBeDefined()
  })

  it('names in the help the role that a task requires to a user without the permission', async () => {
    fakeApi({ 'GET /api/users/me': consultant, 'GET /api/news': emptyList })
    const user = userEvent.setup()
    renderApp('/app/news')
    await user.click(await helpButton())
    const notes = await screen.findAllByText('Needs the role: Administrator or above')
    expect(notes).toHaveLength(3)
    // The help lists no shortcut for editing cells to a user who may not change the records.
    expect(screen.getByRole('heading', { name: 'Lists' })).toBeDefined()
    expect(screen.queryByRole('heading', { name: 'Cells of a list' })).toBeNull()
  })

  it('opens the help as a dialog over the whole window on a phone, from the account menu', async () => {
    setWindowWidth(390)
    const user = userEvent.setup()
    renderApp('/app/news')
    await user.click(await screen.findByRole('button', { name: /^Account/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Help for this page' }))
    expect(await screen.findByRole('dialog', { name: 'Help' })).toBeDefined()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { t } from '../../lib/i18n.ts'
import { errorAnswer, fakeApi, lastCallTo, owner } from '../../testing/fake-api.ts'
import { importAnswer, importAnswers } from '../../testing/fake-import.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { setWindowWidth } from '../../testing/window-width.ts'
import { screens } from '../screens.ts'
import { crumbsOf } from './breadcrumbs.tsx'

beforeEach(() => {
  localStorage.setItem('token', 'x')
  fakeApi({ 'GET /api/users/me': owner })
})
afterEach(() => vi.unstubAllGlobals())

const rail = () => screen.queryByRole('navigation', { name: 'Main navigation' })
const subMenu = () => screen.queryByRole('navigation', { name: 'Pages of the section “Advice”' })
const menuButton = () => screen.findByRole('button', { name: /^Change the menu/ })

describe('the menu button', () => {
  it('cycles the menu through its four states and announces the next state', async () => {
    const user = userEvent.setup()
    renderApp('/app/consultants')
    const button = await menuButton()
    expect(rail()).not.toBeNull()
    expect(subMenu()).not.toBeNull()
    expect(button.getAttribute('aria-label')).toBe('Change the menu. Next: Submenu hidden')

    await user.click(button)
    expect(rail()).not.toBeNull()
    expect(subMenu()).toBeNull()
    expect(button.getAttribute('aria-label')).toBe('Change the menu. Next: Main menu hidden')

    await user.click(button)
    expect(rail()).toBeNull()
    expect(localStorage.getItem('menu-state')).toBe('hidden-main')

    await user.click(button)
    expect(await screen.findByRole('dialog', { name: 'Main navigation' })).toBeDefined()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(button)

    await user.click(button)
    expect(rail()).not.toBeNull()
    expect(subMenu()).not.toBeNull()
    expect(localStorage.getItem('menu-state')).toBe('default')
  })

  it('starts without the submenu in a middle-sized window and opens it over the page', async () => {
    setWindowWidth(1000)
    const user = userEvent.setup()
    const { router } = renderApp('/app/chats')
    await menuButton()
    expect(subMenu()).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Content' }))
    const link = await screen.findByRole('link', { name: 'Static pages' })
    await user.click(link)
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/pages'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('starts without the submenu beside an import, which fills the window', async () => {
    fakeApi(importAnswers)
    localStorage.setItem('menu-state', 'default')
    renderApp('/app/import/48')
    await menuButton()
    expect(rail()).not.toBeNull()
    expect(screen.queryByRole('navigation', { name: /^Pages of the section/ })).toBeNull()
  })

  it('starts without the submenu on the chat desk, whose thread needs the width', async () => {
    const user = userEvent.setup()
    renderApp('/app/chats')
    const button = await menuButton()
    expect(rail()).not.toBeNull()
    expect(subMenu()).toBeNull()
    for (let pressCount = 0; pressCount < 3; pressCount += 1) {
      await user.click(button)
      await user.keyboard('{Escape}')
    }
    await waitFor(() => expect(subMenu()).not.toBeNull())
    expect(localStorage.getItem('menu-state')).toBeNull()
  })

  it('shows no submenu in a section with one page', async () => {
    renderApp('/app/e-learning')
    await menuButton()
    expect(rail()).not.toBeNull()
    expect(screen.queryByRole('navigation', { name: /^Pages of the section/ })).toBeNull()
    expect(screen.getByRole('link', { name: 'Learning' }).getAttribute('href')).toBe('/app/e-learning')
  })

  describe('beside an import', () => {
    const findMarkedLink = (name: string) =>
      screen.getByRole('navigation', { name }).querySelector('[aria-current]')?.textContent
    const crumbs = () =>
      within(screen.getByRole('navigation', { name: 'Breadcrumbs' }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)

    it.each([
      ['pricelists', 'Market', 'Price lists', ['Home', 'Price lists', 'Import']],
      ['companies', 'Market', 'Companies', ['Home', 'Companies', 'Import']],
      ['users', 'People', 'Users', ['Home', 'People', 'Users', 'Import']],
      ['regions', 'Settings', 'Regions', ['Home', 'Settings', 'Regions', 'Import']],
    ])('marks beside an import of %s the section and the list of its records', async (kind, section, list, path) => {
      fakeApi({ ...importAnswers, 'GET /api/insert_excel/48': importAnswer({ kind }) })
      const { router } = renderApp(`/app/import?kind=${kind}`)
      await screen.findByRole('heading', { level: 1, name: /^Import: / })
      expect(findMarkedLink('Main navigation')).toBe(section)
      expect(findMarkedLink(`Pages of the section “${section}”`)).toBe(list)
      expect(crumbs()).toEqual(path)
      await router.navigate({ to: '/app/import/48' })
      await waitFor(() => expect(document.title).toBe(`Import: ${list} · Agro back-office`))
      await waitFor(() => expect(findMarkedLink('Main navigation')).toBe(section))
      expect(crumbs()).toEqual(path)
    })

    it('marks the menu item of imports where an import names no kind', async () => {
      renderApp('/app/import')
      await screen.findByRole('heading', { level: 1, name: 'Import from a sheet' })
      expect(findMarkedLink('Main navigation')).toBe('Settings')
      expect(findMarkedLink('Pages of the section “Settings”')).toBe('Import from a sheet')
      expect(crumbs()).toEqual(['Home', 'Import from a sheet'])
    })
  })

  it('shows five sections on a phone, and the others under settings', async () => {
    setWindowWidth(390)
    const user = userEvent.setup()
    renderApp('/app/chats')
    const bar = await screen.findByRole('navigation', { name: 'Main navigation' })
    expect(bar.querySelectorAll('a, button')).toHaveLength(5)
    await user.click(screen.getByRole('button', { name: 'Settings' }))
    expect(await screen.findByRole('link', { name: 'Staff' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'News' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Regions' })).toBeDefined()
  })
})

describe('the tools of the top bar', () => {
  it('changes the language immediately from the top bar', async () => {
    const user = userEvent.setup()
    renderApp('/app/chats')
    await user.click(await screen.findByRole('button', { name: 'Interface language: English' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Qaraqalpaqsha' }))
    expect(await screen.findByRole('heading', { name: 'Sáwbetler', level: 1, hidden: true })).toBeDefined()
    expect(document.documentElement.lang).toBe('kaa')
    expect(localStorage.getItem('current-language')).toBe('kaa')
  })

  it('switches between light and dark from the top bar', async () => {
    const user = userEvent.setup()
    renderApp('/app/chats')
    await user.click(await screen.findByRole('button', { name: 'Switch to the light theme' }))
    expect(document.documentElement.dataset['mode']).toBe('light')
    expect(screen.getByRole('button', { name: 'Switch to the dark theme' })).toBeDefined()
  })
})

describe('breadcrumbs', () => {
  const labels = (path: string, name?: string) => crumbsOf(screens, path, t, name).map(({ label }) => label)

  it.each([
    ['/app/news', undefined, ['Home', 'News']],
    ['/app/news/new', undefined, ['Home', 'News', 'New']],
    ['/app/news/5', undefined, ['Home', 'News', 'Details']],
    ['/app/news/5', 'Rain is coming', ['Home', 'News', 'Rain is coming']],
    ['/app/settings/regions/5', 'Buxoro', ['Home', 'Settings', 'Regions', 'Buxoro']],
    ['/app/people/staff', undefined, ['Home', 'People', 'Staff']],
    ['/app/trading-post/update/5', undefined, ['Home', 'Trading posts', 'Details']],
    ['/app/e-learning/lesson-seen/5', 'Wheat', ['Home', 'E-learning', 'Lessons', 'Wheat']],
    ['/nowhere', undefined, ['Home']],
  ])('builds the breadcrumbs of %s (%s)', (path, name, expected) => {
    expect(labels(path, name)).toEqual(expected)
  })
})

describe('signing out', () => {
  it.each([
    ['the server answers', () => Response.json({ ok: true })],
    ['the server fails', () => errorAnswer(500, 'InternalServerError', 'internal server error')],
    ['the connection is gone', () => Promise.reject(new TypeError('network'))],
  ])('forgets the token and the display mode at sign-out when %s', async (_what, answer) => {
    const calls = fakeApi({ 'GET /api/users/me': owner, 'POST /api/auth/logout': answer })
    localStorage.setItem('display-mode', 'image')
    const user = userEvent.setup()
    renderApp('/app/chats')
    await user.click(await screen.findByRole('button', { name: /^Account/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined()
    expect([localStorage.getItem('token'), localStorage.getItem('display-mode')]).toEqual([null, null])
    // The sign-out request has the token, although the browser has already deleted the token.
    expect(lastCallTo(calls, '/api/auth/logout')).toMatchObject({ method: 'POST', authorization: 'Bearer x' })
  })
})

describe('the trash', () => {
  it('lists the trash in the menu of the content and in the palette', async () => {
    const user = userEvent.setup()
    renderApp('/app/news')
    const menu = await screen.findByRole('navigation', { name: 'Pages of the section “Content”' })
    expect((await within(menu).findByRole('link', { name: 'Trash' })).getAttribute('href')).toBe('/app/trash')
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'tras')
    expect(await screen.findByRole('option', { name: /Trash/ })).toBeTruthy()
  })
})

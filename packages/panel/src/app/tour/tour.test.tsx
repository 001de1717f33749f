import type { RoleType } from '@dala/model'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callerRoleOf } from '../../api/session.ts'
import { offerTour } from '../../lib/tour-mark.ts'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { noConsultations } from '../../testing/no-consultations.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { screens } from '../screens.ts'
import { sectionsForUser } from '../shell/menu/sections.ts'
import { stepsFor } from './steps.ts'

const emptyList = { data: [], meta: { pagination: { page: 1, pageSize: 15, pageCount: 0, total: 0 } } }
const answers = { 'GET /api/news': emptyList, 'GET /api/pages': emptyList, 'GET /api/consultations': noConsultations }

beforeEach(() => {
  localStorage.setItem('token', 'x')
  fakeApi({ 'GET /api/users/me': owner, ...answers })
})
afterEach(() => vi.unstubAllGlobals())

const dialog = (name: string) => screen.findByRole('dialog', { name })

async function startFromMenu() {
  const user = userEvent.setup()
  const view = renderApp('/app/pages')
  await user.click(await screen.findByRole('button', { name: /^Account/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Tour of the panel' }))
  await dialog('Menu and sections')
  return { user, ...view }
}

const findNextButton = () => screen.getByRole('button', { name: 'Next' })
const hasFocus = (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name })))

describe('the tour', () => {
  it('leads by Enter alone through six steps of the tour and back to its start', async () => {
    const { user, router } = await startFromMenu()
    expect(screen.getByText('Step 1 of 6')).toBeDefined()
    const names = [
      'Menu and sections',
      'Search and go to',
      'A list',
      'A form in four languages',
      'What is waiting for you',
    ]
    for (const name of names) {
      await dialog(name)
      await hasFocus('Next')
      await user.keyboard('{Enter}')
    }
    await dialog('Help and preferences')
    expect(router.state.location.pathname).toBe('/app/pages')
    await hasFocus('Done')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows the list and the form of the tour on their own pages, and goes back', async () => {
    const { user, router } = await startFromMenu()
    await user.click(findNextButton())
    await user.click(findNextButton())
    await dialog('A list')
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/news'))
    await user.click(findNextButton())
    await dialog('A form in four languages')
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/news/new'))
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await dialog('A list')
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/news'))
  })

  it('ends the tour on Escape', async () => {
    const { user } = await startFromMenu()
    await hasFocus('Next')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Account/ })))
  })
})

describe('the steps of the tour', () => {
  const listStepNames = (role: RoleType, isConsultant = false) => {
    const me = { ...owner, is_consultant: isConsultant, role: { id: 1, name: '', type: role } }
    return stepsFor(sectionsForUser(screens, callerRoleOf(me)), me, '/app').map(({ name, to }) =>
      to ? `${name} ${to}` : name,
    )
  }

  it('shows in the tour a form that the role may write', () => {
    expect(listStepNames('admin')).toContain('form /app/news/new')
    expect(listStepNames('authenticated', true)).toContain('form /app/settings/reply-templates/new')
    expect(listStepNames('authenticated')).toContain('form /app/trading-post/update/new')
  })

  it('omits from the tour what a role does not have', () => {
    expect(listStepNames('public')).toEqual(['menu', 'search', 'inbox /app', 'help /app'])
  })
})

describe('the offer of the tour', () => {
  const queryTourOffer = () => screen.queryByRole('region', { name: 'Tour of the panel' })

  it('offers the tour after signing in with a new account, until the offer is dismissed', async () => {
    offerTour({ id: owner.id, createdAt: new Date().toISOString() })
    const user = userEvent.setup()
    const { unmount } = renderApp('/app/news')
    const note = await screen.findByRole('region', { name: 'Tour of the panel' })
    await user.click(within(note).getByRole('button', { name: 'Not now' }))
    await waitFor(() => expect(queryTourOffer()).toBeNull())
    unmount()
    offerTour({ id: owner.id, createdAt: new Date().toISOString() })
    expect(localStorage.getItem('tour')).toBe('{"1":"left"}')
  })

  it('starts the tour from its offer', async () => {
    offerTour({ id: owner.id, createdAt: new Date().toISOString() })
    const user = userEvent.setup()
    renderApp('/app/news')
    const note = await screen.findByRole('region', { name: 'Tour of the panel' })
    await user.click(within(note).getByRole('button', { name: 'Start the tour' }))
    await dialog('Menu and sections')
    expect(queryTourOffer()).toBeNull()
  })

  it('offers the tour neither to an account older than a month nor to another user', () => {
    offerTour({ id: owner.id, createdAt: '2020-01-01T00:00:00.000Z' })
    expect(localStorage.getItem('tour')).toBeNull()
    offerTour({ id: 2, createdAt: new Date().toISOString() })
    expect(localStorage.getItem('tour')).toBe('{"2":"offered"}')
  })
})

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const foundRecords = {
  data: [
    { resource: 'branches', id: 7, name: 'Qońırat filialı', locale: 'kaa', rank: 1 },
    { resource: 'nowhere', id: 8, name: 'Qońırat', locale: 'kaa', rank: 2 },
  ],
}
const emptyAnswer = { data: [], meta: { pagination: { page: 1, pageSize: 15, pageCount: 0, total: 0 } } }
const answers = {
  'GET /api/users/me': owner,
  'GET /api/tags': emptyAnswer,
  'GET /api/list-views': emptyAnswer,
  'GET /api/search': foundRecords,
}

async function openPalette(address = '/app/settings/tags') {
  const { router } = renderApp(address)
  await screen.findByText('No data')
  const user = userEvent.setup()
  // The shortcut of the palette is pressed by position: a Cyrillic layout gives another letter.
  await user.keyboard('{Control>}[KeyK]{/Control}')
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Search and go to' })
  return { router, user, field }
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)

describe('the palette', () => {
  it('searches records in the user’s language once typing pauses, and opens one of them', async () => {
    const calls = fakeApi(answers)
    const { router, user, field } = await openPalette()
    await user.type(field, 'kongirat')
    const record = await screen.findByRole('option', { name: /^Qońırat filialı\s*Branch/ })
    const queries = calls.filter(({ path }) => path === '/api/search').map(({ query }) => query)
    expect(queries).toEqual(['?q=kongirat&locale=en'])
    // Records without a screen cannot be opened, and are not offered.
    expect(options()).toHaveLength(1)
    await user.click(record)
    expect(router.state.location.pathname).toBe('/app/branches/7')
    expect(router.state.location.search).toEqual({ lang: 'kaa' })
  })

  it('offers pages and commands although the search of records fails', async () => {
    fakeApi({ ...answers, 'GET /api/search': () => errorAnswer(500, 'InternalServerError', 'Broken') })
    const { router, user, field } = await openPalette()
    await user.type(field, 'news')
    expect(await screen.findByText(/Records could not be searched/)).toBeTruthy()
    expect(options()[0]).toMatch(/^News/)
    await user.keyboard('{Enter}')
    expect(router.state.location.pathname).toBe('/app/news')
  })

  it('offers in the palette only the actions of the user', async () => {
    fakeApi({ ...answers, 'GET /api/users/me': { ...owner, role: { id: 4, name: 'User', type: 'authenticated' } } })
    const { user, field } = await openPalette()
    await user.type(field, 'new: ')
    await screen.findByRole('option', { name: /^New: Trad/ })
    expect(options().some((name) => name?.startsWith('New: News'))).toBe(false)
    await user.clear(field)
    await user.type(field, 'sign')
    expect(await screen.findByRole('option', { name: 'Sign out' })).toBeTruthy()
  })

  it('starts the palette with the last choices, which are deleted with the session', async () => {
    fakeApi(answers)
    const { user, field, router } = await openPalette()
    await user.type(field, 'kongirat')
    await user.click(await screen.findByRole('option', { name: /^Qońırat/ }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/branches/7'))
    await user.keyboard('{Control>}[KeyK]{/Control}')
    const recentGroup = await screen.findByRole('group', { name: 'Recent' })
    expect(within(recentGroup).getAllByRole('option')).toHaveLength(1)
    await user.type(screen.getByRole('combobox', { name: 'Search and go to' }), 'sign out{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/user/login'))
    await waitFor(() => expect(localStorage.getItem('recent-choices')).toBeNull())
  })
})

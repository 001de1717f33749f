import { buildRegistry, defineResource, resources } from '@dala/model'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeApi, owner } from '../testing/fake-api.ts'
import { renderApp } from '../testing/render-app.tsx'
import { listScreens } from './screens.ts'

/** Everything that a new reference list needs: one file of the model, and messages in the catalogues. */
const crops = defineResource({
  name: 'crops',
  wire: 'crops',
  screens: [{ path: 'settings/crop', section: 'settings', group: 'market' }],
  title: 'name',
  fields: {
    name: { kind: 'text', required: true, message: 'validation.name', localized: true },
    slug: { kind: 'slug', unique: true, slugFrom: 'name' },
    order: { kind: 'int', default: 0 },
    active: { kind: 'bool', default: true },
  },
  list: { columns: ['name', 'slug', 'active'], search: ['name'], filters: ['active'], sort: 'order' },
  form: { sections: [{ name: 'main', fields: ['name', 'slug', 'active', 'order'] }] },
  access: { read: 'authenticated', write: 'admin' },
})
const screens = listScreens(buildRegistry({ ...resources, crops }))

vi.mock('virtual:catalogue/en', async (importOriginal) => {
  const { messages } = await importOriginal<{ messages: Record<string, unknown> }>()
  const cropMessages = { 'crops.many': 'Crops', 'crops.one': 'Crop', 'crops.about': 'What grows in the fields.' }
  return { messages: { ...messages, ...cropMessages } }
})

const rice = {
  id: 4,
  attributes: {
    name: 'Rice',
    slug: 'rice',
    active: true,
    order: 1,
    version: 1,
    locale: 'en',
    localizations: { data: [] },
  },
}
const listOf = (...data: object[]) => ({
  data,
  meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total: data.length } },
})

beforeEach(() => localStorage.setItem('token', 'x'))
afterEach(() => vi.unstubAllGlobals())

describe('a declared resource, without any code in the panel', () => {
  it('adds a declared resource to the menu and the breadcrumbs, and opens its list', async () => {
    fakeApi({ 'GET /api/users/me': owner, 'GET /api/crops': listOf(rice) })
    renderApp('/app/settings/crop', screens)
    const menu = await screen.findByRole('navigation', { name: 'Pages of the section “Settings”' })
    expect(
      within(menu)
        .getByRole('link', { name: /^Crops/ })
        .getAttribute('href'),
    ).toBe('/app/settings/crop')
    expect(await screen.findByRole('heading', { level: 1, name: /^Crops/ })).toBeDefined()
    expect(screen.getByText('What grows in the fields.')).toBeDefined()
    expect((await screen.findByRole('link', { name: 'Rice' })).getAttribute('href')).toBe('/app/settings/crop/4')
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumbs' }))
    expect(
      crumbs
        .getAllByRole('listitem')
        .map((item) => item.textContent)
        .filter(Boolean),
    ).toEqual(['Home', 'Settings', 'Crops'])
  })

  it('checks and saves a record of a declared resource by the declaration', async () => {
    const calls = fakeApi({
      'GET /api/users/me': owner,
      'GET /api/crops': listOf(rice),
      'GET /api/crops/4': { data: rice },
      'POST /api/crops': { data: rice },
    })
    const user = userEvent.setup()
    const { router } = renderApp('/app/settings/crop/new', screens)
    await screen.findByRole('heading', { level: 1, name: /Crop/ })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/please enter a name/i)).toBeDefined()
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Rice')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/crop/4'))
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ data: { name: 'Rice', locale: 'en' } })
  })
})

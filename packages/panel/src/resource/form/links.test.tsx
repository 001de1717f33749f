import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { bodies } from '../../testing/tags.ts'

interface NamedEntry {
  id: number
  locale: string
  name: string
  others?: NamedEntry[]
}
const makeEntry = ({ id, locale, name, others = [] }: NamedEntry, extraAttributes: object = {}): object => ({
  id,
  attributes: {
    name,
    locale,
    localizations: { data: others.map((otherEntry) => makeEntry(otherEntry)) },
    ...extraAttributes,
  },
})
const page = (...data: object[]) => ({ data, meta: { pagination: { page: 1, pageSize: 50 } } })

const nukus = {
  id: 1,
  locale: 'en',
  name: 'Karakalpakstan',
  others: [{ id: 2, locale: 'kaa', name: 'Qaraqalpaqstan' }],
}
const khorezm = { id: 5, locale: 'en', name: 'Khorezm' }
const shimbay = { id: 50, locale: 'en', name: 'Chimbay' }
const urgench = { id: 60, locale: 'en', name: 'Urgench' }

const answers = {
  'GET /api/users/me': owner,
  'GET /api/regions': page(makeEntry(nukus), makeEntry(khorezm)),
  'GET /api/districts': page(makeEntry(shimbay, { region: { data: makeEntry(nukus) } })),
  'GET /api/regions/1': { data: makeEntry(nukus), meta: {} },
  'GET /api/districts/60': { data: makeEntry(urgench, { region: { data: makeEntry(khorezm) } }), meta: {} },
}
const valueOf = (name: RegExp) => screen.getByRole<HTMLInputElement>('combobox', { name }).value

beforeEach(() => localStorage.setItem('token', 'a'))

describe('a district and its region', () => {
  it('sets the region of a record from its district, and empties the district for another region', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/branches/new')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('combobox', { name: /^District/ }))
    await user.click(await screen.findByRole('option', { name: 'Chimbay' }))
    expect(valueOf(/^Region/)).toBe('Karakalpakstan')
    await user.click(screen.getByRole('combobox', { name: /^District/ }))
    const queries = () => calls.filter(({ path }) => path === '/api/districts').map(({ query }) => query)
    await waitFor(() => expect(queries().at(-1)).toContain('filters[region]=1'))
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('combobox', { name: /^Region/ }))
    await user.click(await screen.findByRole('option', { name: 'Khorezm' }))
    await waitFor(() => expect(valueOf(/^District/)).toBe(''))
    expect(valueOf(/^Region/)).toBe('Khorezm')
  })

  it('takes region and district from the address as initial values, not as changes', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/branches/new?set.district=60&set.phone=123&set.active=false&set.unknown=1')
    expect(await screen.findByDisplayValue('Urgench')).toBeTruthy()
    expect(valueOf(/^Region/)).toBe('Khorezm')
    expect(screen.getByRole('switch', { name: 'Active' }).getAttribute('aria-checked')).toBe('false')
    expect(screen.queryByText('Unsaved changes')).toBeNull()
    expect(screen.getByRole('textbox', { name: /^Phone/ })).toHaveProperty('value', '123')
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

it('names linked records in the visible language of the form', async () => {
  const makeBranch = (id: number, locale: string, name: string, region: object, translations: object[]) => ({
    data: {
      id,
      attributes: { name, locale, version: 1, region: { data: region }, localizations: { data: translations } },
    },
    meta: {},
  })
  fakeApi({
    ...answers,
    'GET /api/branches/1': makeBranch(1, 'en', 'Office', makeEntry(khorezm), [
      makeEntry({ id: 2, locale: 'kaa', name: 'Filial' }),
    ]),
    'GET /api/branches/2': makeBranch(2, 'kaa', 'Filial', makeEntry({ id: 8, locale: 'kaa', name: 'Xorezm' }), []),
  })
  renderApp('/app/branches/1')
  const user = userEvent.setup()
  expect(await screen.findByDisplayValue('Khorezm')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Qaraqalpaqsha' }))
  expect(await screen.findByDisplayValue('Xorezm')).toBeTruthy()
  expect(screen.getByText('All changes are saved')).toBeTruthy()
})

it('hides a field that the screen has fixed, and sends its value', async () => {
  const calls = fakeApi({ ...answers, 'POST /api/serviceposts': { data: makeEntry(khorezm), meta: {} } })
  renderApp('/app/agri-finance/new')
  const user = userEvent.setup()
  await user.type(await screen.findByRole('textbox', { name: /^Title/ }), 'Loan')
  expect(screen.queryByRole('combobox', { name: /^Section/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/created successfully/)).toBeTruthy()
  expect(bodies(calls)).toMatchObject([['POST', '/api/serviceposts', { data: { title: 'Loan', section: 'finance' } }]])
})

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { bodies, tagAnswers } from '../../testing/tags.ts'

beforeEach(() => localStorage.setItem('token', 'a'))

const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ })

describe('save and next language', () => {
  it('saves a form, then opens the next missing language', async () => {
    const calls = fakeApi(tagAnswers)
    renderApp('/app/settings/tags/5')
    const user = userEvent.setup()
    await user.type(await nameField(), '!')
    await user.click(screen.getByRole('button', { name: 'Save and next language' }))
    await waitFor(async () => expect((await nameField()).lang).toBe('ru'))
    expect(document.activeElement).toBe(await nameField())
    expect(bodies(calls)).toHaveLength(1)
  })

  it('opens the next language without a call when nothing was changed', async () => {
    const calls = fakeApi(tagAnswers)
    renderApp('/app/settings/tags/5?lang=ru')
    const user = userEvent.setup()
    await waitFor(async () => expect((await nameField()).lang).toBe('ru'))
    await user.click(screen.getByRole('button', { name: 'Save and next language' }))
    await waitFor(async () => expect((await nameField()).lang).toBe('kaa'))
    expect(bodies(calls)).toEqual([])
  })
})

describe('a duplicate', () => {
  it('starts a duplicate with the values of all languages, without the slug, and saves all languages', async () => {
    const calls = fakeApi({
      ...tagAnswers,
      'POST /api/tags/9/localizations': { id: 10, locale: 'uz', name: 'Paxta', localizations: [] },
    })
    const { router } = renderApp('/app/settings/tags/5')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'More actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/tags/new'))
    expect(await screen.findByDisplayValue('Cotton')).toBeTruthy()
    expect(await screen.findByRole('textbox', { name: 'Code' })).toHaveProperty('value', '')
    expect(bodies(calls)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Tag created successfully')).toBeTruthy()
    expect(bodies(calls)).toMatchObject([
      ['POST', '/api/tags', { data: { name: 'Cotton', slug: null, locale: 'en' } }],
      ['POST', '/api/tags/9/localizations', { name: 'Paxta', locale: 'uz' }],
    ])
  })
})

describe('a record created from a picker', () => {
  const newsRecord = { id: 3, attributes: { title: 'Rain', locale: 'en', version: 1, kind: 'news', active: true } }
  const links = { tags: { data: [] }, gallery: { data: [] }, localizations: { data: [] } }
  const emptyPage = { data: [], meta: { pagination: { page: 1, pageSize: 50 } } }
  const answers = {
    ...tagAnswers,
    'GET /api/news/3': { data: { ...newsRecord, attributes: { ...newsRecord.attributes, ...links } }, meta: {} },
    'GET /api/tags': emptyPage,
  }

  const typeTag = async () => {
    const calls = fakeApi(answers)
    renderApp('/app/news/3')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('combobox', { name: 'Tags' }), 'Rice')
    return { calls, user }
  }

  it('offers a new record at the end of a picker, requires its fields, and selects the record', async () => {
    const { calls, user } = await typeTag()
    await user.click(await screen.findByRole('option', { name: 'Create “Rice”' }))
    const dialog = await screen.findByRole('dialog', { name: 'New: Tag' })
    const name = await within(dialog).findByRole<HTMLInputElement>('textbox', { name: /^Name/ })
    expect(name.value).toBe('Rice')
    await user.clear(name)
    await user.click(within(dialog).getByRole('button', { name: 'Create' }))
    expect(await within(dialog).findByText('Please enter a name')).toBeTruthy()
    await user.type(name, 'Rice{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByText('Rice')).toBeTruthy()
    expect(bodies(calls)).toMatchObject([['POST', '/api/tags', { data: { name: 'Rice', locale: 'en' } }]])
    expect(screen.getByText('Unsaved changes')).toBeTruthy()
  })

  it('offers a new record after the matches of a picker, where arrow keys do not reach the offer', async () => {
    const huskRecord = { id: 4, attributes: { name: 'Rice husk', locale: 'en' } }
    const calls = fakeApi({ ...answers, 'GET /api/tags': { ...emptyPage, data: [huskRecord] } })
    renderApp('/app/news/3')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('combobox', { name: 'Tags' }), 'Rice')
    expect(await screen.findByRole('option', { name: 'Rice husk' })).toBeTruthy()
    expect(screen.queryByRole('option', { name: /Create/ })).toBeNull()
    expect(await screen.findByRole('button', { name: /Create “Rice”/ })).toBeTruthy()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(screen.queryByRole('dialog', { name: 'New: Tag' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Remove Rice husk' })).toBeTruthy()
    await user.type(screen.getByRole('combobox', { name: 'Tags' }), 'Rice')
    await screen.findByRole('button', { name: /Create “Rice”/ })
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByRole('dialog', { name: 'New: Tag' })).toBeTruthy()
    expect(bodies(calls)).toEqual([])
  })

  it('selects no new record in the picker after the dialog was cancelled', async () => {
    const { calls, user } = await typeTag()
    const send = globalThis.fetch
    const creation = Promise.withResolvers<void>()
    globalThis.fetch = async (address, init) => {
      if (init?.method === 'POST') await creation.promise
      return send(address, init)
    }
    await user.click(await screen.findByRole('option', { name: 'Create “Rice”' }))
    const dialog = await screen.findByRole('dialog', { name: 'New: Tag' })
    await user.type(await within(dialog).findByRole('textbox', { name: /^Name/ }), '{Enter}')
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    creation.resolve()
    expect(await screen.findByText('Tag created successfully')).toBeTruthy()
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/tags/9')).toBe(true))
    expect(screen.queryByText('Unsaved changes')).toBeNull()
  })

  it('creates a record from a picker once, however often it is submitted before its selection', async () => {
    const { calls, user } = await typeTag()
    const send = globalThis.fetch
    let release = () => {}
    const releasedLock = new Promise<void>((resolve) => (release = resolve))
    globalThis.fetch = async (address, init) => {
      if (typeof address === 'string' && address.startsWith('/api/tags/9')) await releasedLock
      return send(address, init)
    }
    await user.click(await screen.findByRole('option', { name: 'Create “Rice”' }))
    const dialog = await screen.findByRole('dialog', { name: 'New: Tag' })
    const name = await within(dialog).findByRole('textbox', { name: /^Name/ })
    await user.type(name, '{Enter}')
    expect(await screen.findByText('Tag created successfully')).toBeTruthy()
    await user.type(name, '{Enter}')
    release()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bodies(calls)).toHaveLength(1)
  })
})

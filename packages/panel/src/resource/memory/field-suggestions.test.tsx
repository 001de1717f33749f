import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const tag = {
  id: 5,
  attributes: {
    name: 'Rice prices',
    slug: 'rice',
    locale: 'en',
    version: 3,
    outdated: false,
    localizations: { data: [] },
  },
}
const suggestion = {
  share: 92,
  source: 'Rice price',
  target: 'Salı bahası',
  uses: [{ resource: 'news', id: 7, name: 'A rice year', field: 'title' }],
  imported: null,
}
const answerWith = (data: readonly object[], reading = false) => ({ data, meta: { reading } })

function answers(memory: object | (() => Response) = answerWith([suggestion])) {
  return {
    'GET /api/users/me': owner,
    'GET /api/translations': { data: [] },
    'GET /api/tags': { data: [tag], meta: { pagination: { page: 1, pageSize: 20, pageCount: 1, total: 1 } } },
    'GET /api/tags/5': { data: tag, meta: {} },
    'GET /api/memory/suggestions': memory as Record<string, unknown>,
  }
}
const altEnter = { code: 'Enter', key: 'Enter', altKey: true }
const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ })
const section = async () => within(await screen.findByRole('region', { name: 'Earlier translations: Name' }))

describe('suggestions in the translations workspace', () => {
  it('shows an earlier translation with its share and where it was used, and asks for the segment once', async () => {
    const calls = fakeApi(answers())
    renderApp('/app/translations/tags/kaa')
    const suggestions = await section()
    expect(await suggestions.findByText('92%')).toBeTruthy()
    expect((await suggestions.findByText('bahası')).tagName).toBe('MARK')
    expect(suggestions.getByRole('link', { name: 'A rice year · Title' }).getAttribute('href')).toContain('/news/7')
    const asked = calls.filter(({ path }) => path === '/api/memory/suggestions')
    expect(asked.map(({ query }) => query)).toEqual([
      '?q=Rice prices&source=en&target=kaa&resource=tags&field=name&locale=en&record=5',
    ])
  })

  it('inserts a suggestion by its button, and takes it back with the text that was typed before', async () => {
    fakeApi(answers())
    renderApp('/app/translations/tags/kaa')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Salı')
    const suggestions = await section()
    await user.click(await suggestions.findByRole('button', { name: 'Insert: Salı bahası' }))
    await waitFor(async () => expect((await nameField()).value).toBe('Salı bahası'))
    await user.click(await suggestions.findByRole('button', { name: 'Undo' }))
    await waitFor(async () => expect((await nameField()).value).toBe('Salı'))
    expect(suggestions.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('inserts the best suggestion on Alt+Enter, and offers the text before it while typing goes on', async () => {
    fakeApi(answers())
    renderApp('/app/translations/tags/kaa')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Salı')
    const suggestions = await section()
    await suggestions.findByRole('button', { name: 'Insert: Salı bahası' })
    fireEvent.keyDown(await nameField(), altEnter)
    await waitFor(async () => expect((await nameField()).value).toBe('Salı bahası'))
    await user.type(await nameField(), '!')
    await user.click(suggestions.getByRole('button', { name: 'Undo' }))
    await waitFor(async () => expect((await nameField()).value).toBe('Salı'))
  })

  it('offers no undo after the save', async () => {
    const saved = { ...tag, id: 6, attributes: { ...tag.attributes, name: 'Salı bahası', locale: 'kaa', version: 1 } }
    fakeApi({
      ...answers(),
      'POST /api/tags/5/localizations': { data: saved, meta: {} },
      'GET /api/tags/6': { data: saved, meta: {} },
    })
    renderApp('/app/translations/tags/kaa')
    const user = userEvent.setup()
    const suggestions = await section()
    await user.click(await suggestions.findByRole('button', { name: 'Insert: Salı bahası' }))
    expect(await suggestions.findByRole('button', { name: 'Undo' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
    expect((await nameField()).value).toBe('Salı bahası')
  })

  it('ignores a held key, and Enter of a keyboard that composes letters', async () => {
    fakeApi(answers())
    renderApp('/app/translations/tags/kaa')
    const suggestions = await section()
    await suggestions.findByRole('button', { name: 'Insert: Salı bahası' })
    fireEvent.keyDown(await nameField(), { ...altEnter, repeat: true })
    fireEvent.keyDown(await nameField(), { ...altEnter, isComposing: true })
    expect((await nameField()).value).toBe('')
    expect(suggestions.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('inserts a suggestion that is only a part of a word of the text', async () => {
    fakeApi(answers(answerWith([{ ...suggestion, target: 'Salı' }])))
    renderApp('/app/translations/tags/kaa')
    await userEvent.setup().type(await nameField(), 'Salıgershilik')
    await (await section()).findByRole('button', { name: 'Insert: Salı' })
    fireEvent.keyDown(await nameField(), altEnter)
    await waitFor(async () => expect((await nameField()).value).toBe('Salı'))
  })

  it('inserts each sentence once, also without a full stop, and looks up a repeated sentence once', async () => {
    const name = 'Rice grows. Water them. Rice grows.'
    const longTag = { ...tag, attributes: { ...tag.attributes, name } }
    const calls = fakeApi({
      ...answers(),
      'GET /api/tags/5': { data: longTag, meta: {} },
      'GET /api/memory/suggestions': ({ query }) =>
        Response.json(answerWith([{ ...suggestion, target: query.includes('Rice') ? 'Salı ósedi' : 'Suw beriń' }])),
    })
    renderApp('/app/translations/tags/kaa')
    const suggestions = await section()
    expect(await suggestions.findAllByRole('button', { name: /^Insert: / })).toHaveLength(2)
    expect(calls.filter(({ path }) => path === '/api/memory/suggestions')).toHaveLength(2)
    fireEvent.keyDown(await nameField(), altEnter)
    await waitFor(async () => expect((await nameField()).value).toBe('Salı ósedi'))
    fireEvent.keyDown(await nameField(), altEnter)
    await waitFor(async () => expect((await nameField()).value).toBe('Salı ósedi Suw beriń'))
    fireEvent.keyDown(await nameField(), altEnter)
    expect((await nameField()).value).toBe('Salı ósedi Suw beriń')
  })

  it('names the file of an imported suggestion', async () => {
    const imported = { name: 'office.tmx', at: '2026-03-01T10:00:00.000Z' }
    fakeApi(answers(answerWith([{ ...suggestion, uses: [], imported }])))
    renderApp('/app/translations/tags/kaa')
    expect(await (await section()).findByText(/From the file office\.tmx, /)).toBeTruthy()
  })

  it('says that there is none, and that new texts are still being read', async () => {
    fakeApi(answers(answerWith([], true)))
    renderApp('/app/translations/tags/kaa')
    const note = await (await section()).findByText(/^No earlier translation/)
    expect(note.textContent).toContain('New texts are still being read.')
  })

  it('says that they could not be loaded, and loads them again', async () => {
    let isBroken = true
    fakeApi(
      answers(() =>
        isBroken ? errorAnswer(500, 'InternalServerError', 'Broken') : Response.json(answerWith([suggestion])),
      ),
    )
    renderApp('/app/translations/tags/kaa')
    const suggestions = await section()
    await suggestions.findByText(/^Earlier translations could not be loaded/)
    isBroken = false
    await userEvent.setup().click(suggestions.getByRole('button', { name: 'Try again' }))
    expect(await suggestions.findByRole('button', { name: 'Insert: Salı bahası' })).toBeTruthy()
  })

  it('names the glossary terms that the translation misses', async () => {
    const region = { ...tag, attributes: { ...tag.attributes, name: 'Prices of the district' } }
    fakeApi({ ...answers(answerWith([])), 'GET /api/tags/5': { data: region, meta: {} } })
    renderApp('/app/translations/tags/kaa')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Qımbat')
    const suggestions = await section()
    expect(await suggestions.findByText('Missing from the translation:')).toBeTruthy()
    expect(suggestions.queryByRole('list', { name: 'In the translation' })).toBeNull()
  })

  it('checks off the glossary terms that the translation has', async () => {
    const region = { ...tag, attributes: { ...tag.attributes, name: 'Prices of the district' } }
    fakeApi({ ...answers(answerWith([])), 'GET /api/tags/5': { data: region, meta: {} } })
    renderApp('/app/translations/tags/kaa')
    const suggestions = await section()
    expect(suggestions.queryByRole('list', { name: 'In the translation' })).toBeNull()
    await userEvent.setup().type(await nameField(), 'Rayonlar')
    const used = within(await suggestions.findByRole('list', { name: 'In the translation' }))
    expect(used.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'In the translation: Rayonlar',
    ])
    expect(suggestions.getByText('Missing from the translation:').textContent).not.toContain('Rayon')
  })
})

describe('suggestions in a form', () => {
  it('appear once a field of another language is entered', async () => {
    const calls = fakeApi(answers())
    renderApp('/app/settings/tags/5?lang=kaa')
    const field = await nameField()
    expect(calls.some(({ path }) => path === '/api/memory/suggestions')).toBe(false)
    await userEvent.setup().click(field)
    expect(await (await section()).findByRole('button', { name: 'Insert: Salı bahası' })).toBeTruthy()
  })
})

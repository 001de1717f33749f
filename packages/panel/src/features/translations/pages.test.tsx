import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeCall, fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'

beforeEach(() => localStorage.setItem('token', 'a'))

const counts = (resource: string, missingCount: number) =>
  ['en', 'ru', 'uz', 'kaa'].map((locale) => ({
    resource,
    locale,
    total: 9,
    current: 9 - missingCount,
    outdated: 0,
    missing: missingCount,
  }))

const tag = (id: number, name: string) => ({
  id,
  attributes: { name, slug: `tag-${id}`, locale: 'en', version: 3, outdated: false, localizations: { data: [] } },
})
const [rice, wheat] = [tag(5, 'Rice'), tag(4, 'Wheat')]
const pageOf = (data: readonly object[]) => ({
  data,
  meta: { pagination: { page: 1, pageSize: 20, pageCount: 1, total: data.length } },
})

/** A translated tag leaves the list of open translations. */
function answers() {
  let remainingTags = [rice, wheat]
  return {
    'GET /api/users/me': owner,
    'GET /api/translations': { data: [...counts('tags', 2), ...counts('genders', 0)] },
    'GET /api/tags': () => Response.json(pageOf(remainingTags)),
    'GET /api/tags/5': { data: rice, meta: {} },
    'GET /api/tags/4': { data: wheat, meta: {} },
    'POST /api/tags/5/localizations': () => {
      remainingTags = [wheat]
      return Response.json({ id: 51, name: 'Salı', locale: 'kaa', localizations: [] })
    },
  }
}

const writesOf = (calls: readonly FakeCall[]) => calls.filter(({ method }) => method === 'POST' || method === 'PUT')
const altEnter = { code: 'Enter', key: 'Enter', altKey: true }
const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ })

describe('the translations workspace', () => {
  it('links from open translations to the work list', async () => {
    fakeApi(answers())
    const { router } = renderApp('/app/translations')
    const row = within(await screen.findByRole('row', { name: /^Tags/ }))
    const [, , , kaa] = row.getAllByRole('link')
    expect(kaa?.textContent).toContain('2 not translated')
    await userEvent.setup().click(kaa ?? document.body)
    expect(router.state.location.pathname).toBe('/app/translations/tags/kaa')
  })

  it('shows in the workspace only records the user may change', async () => {
    fakeApi({ ...answers(), 'GET /api/users/me': { ...owner, role: { id: 4, name: 'User', type: 'authenticated' } } })
    renderApp('/app/translations')
    expect(await screen.findByText('You do not have permission to change translated texts.')).toBeTruthy()
    expect(screen.queryByRole('row', { name: /^Tags/ })).toBeNull()
  })
})

describe('the work list', () => {
  it('saves a translation on Alt+↓ and opens the next record, with the focus in its first field', async () => {
    const calls = fakeApi(answers())
    const { router } = renderApp('/app/translations/tags/kaa')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Salı')
    expect(screen.getByText('1 of 1 fields translated')).toBeTruthy()
    fireEvent.keyDown(await nameField(), { code: 'ArrowDown', key: 'ArrowDown', altKey: true })
    await waitFor(() => expect(router.state.location.search).toEqual({ record: '4' }))
    expect(writesOf(calls)).toMatchObject([
      { path: '/api/tags/5/localizations', body: { name: 'Salı', locale: 'kaa' } },
    ])
    await screen.findByRole('heading', { level: 2, name: 'Wheat' })
    await waitFor(async () => expect(document.activeElement).toBe(await nameField()))
    expect((await nameField()).value).toBe('')
  })

  it('keeps typed text of a translation when another record is opened', async () => {
    const calls = fakeApi(answers())
    renderApp('/app/translations/tags/kaa')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Sal')
    await user.click(screen.getByRole('link', { name: /^Wheat/ }))
    await screen.findByRole('heading', { level: 2, name: 'Wheat' })
    expect((await nameField()).value).toBe('')
    await user.click(screen.getByRole('link', { name: /^Rice/ }))
    await screen.findByRole('heading', { level: 2, name: 'Rice' })
    await waitFor(async () => expect((await nameField()).value).toBe('Sal'))
    expect(writesOf(calls)).toEqual([])
  })

  it('copies the source text into an empty field only', async () => {
    fakeApi(answers())
    renderApp('/app/translations/tags/kaa')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Copy the source of Name' }))
    await waitFor(async () => expect((await nameField()).value).toBe('Rice'))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Copy the source of Name' })).toBeNull())
  })
  it('marks glossary terms in a rich source, and adds suggestions to a rich translation', async () => {
    const content = '<h2>Seeds</h2><p>Prices of <b>districts</b></p>'
    const story = {
      id: 7,
      attributes: {
        title: 'A',
        slug: 'a',
        content,
        locale: 'en',
        version: 3,
        outdated: false,
        localizations: { data: [] },
      },
    }
    const suggestion = { share: 100, source: 'Seeds', target: 'N & P < K', uses: [], imported: null }
    fakeApi({
      ...answers(),
      'GET /api/news': pageOf([story]),
      'GET /api/news/7': { data: story, meta: {} },
      'GET /api/memory/suggestions': ({ query }) =>
        Response.json({ data: query.includes('q=Seeds&') ? [suggestion] : [], meta: { reading: false } }),
    })
    renderApp('/app/translations/news/kaa')
    const source = within(await screen.findByRole('region', { name: 'Full text, source: English' }))
    await waitFor(() => expect(source.getByText('districts', { selector: 'mark' })).toBeTruthy())
    expect(source.getByText('districts').closest('b')).toBeTruthy()
    const editor = await screen.findByRole('textbox', { name: /^Full text/ })
    const suggestions = within(await screen.findByRole('region', { name: 'Earlier translations: Full text' }))
    await suggestions.findByRole('button', { name: 'Insert: N & P < K' })
    fireEvent.keyDown(editor, altEnter)
    await waitFor(() => expect(editor.innerHTML).toBe('<p>N &amp; P &lt; K</p>'))
    fireEvent.keyDown(editor, altEnter)
    expect(editor.innerHTML).toBe('<p>N &amp; P &lt; K</p>')
  })
})

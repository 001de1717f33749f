import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { bodies, tagAnswers as answers } from '../../testing/tags.ts'

beforeEach(() => localStorage.setItem('token', 'a'))

describe('a form', () => {
  it('sends only changed fields of a form, each language separately, with its version', async () => {
    const calls = fakeApi(answers)
    renderApp('/app/settings/tags/5')
    const user = userEvent.setup()
    const name = await screen.findByRole('textbox', { name: /^Name/ })
    await user.clear(name)
    await user.type(name, 'Cotton plant')
    await user.click(screen.getByRole('button', { name: 'Oʻzbekcha' }))
    const uzbek = await screen.findByRole('textbox', { name: /^Name/ })
    expect(uzbek.getAttribute('lang')).toBe('uz')
    await user.type(uzbek, 'chilik')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Tag updated successfully')).toBeTruthy()
    expect(bodies(calls)).toEqual([
      ['PUT', '/api/tags/5', { data: { name: 'Cotton plant', version: 3 } }],
      ['PUT', '/api/tags/6', { data: { name: 'Paxtachilik', version: 7 } }],
    ])
  })

  it('creates a record in one language, adds the others, then opens the address of the record', async () => {
    const calls = fakeApi(answers)
    const { router } = renderApp('/app/settings/tags/new')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Rice')
    await user.click(screen.getByRole('button', { name: 'Русский' }))
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Рис')
    await user.click(screen.getByRole('button', { name: 'English' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Tag created successfully')).toBeTruthy()
    expect(bodies(calls)).toMatchObject([
      ['POST', '/api/tags', { data: { name: 'Rice', locale: 'en' } }],
      ['POST', '/api/tags/9/localizations', { name: 'Рис', locale: 'ru' }],
    ])
    await screen.findByRole('heading', { level: 1, name: 'Rice' })
    expect(router.state.location.pathname).toBe('/app/settings/tags/9')
  })

  it('marks a wrong field when it is left and all at a save of a form, keeps the text, and sends nothing', async () => {
    const calls = fakeApi(answers)
    const { router } = renderApp('/app/settings/tags/new')
    const user = userEvent.setup()
    const slug = await screen.findByRole('textbox', { name: 'Code' })
    await user.type(slug, 'Not A Slug')
    await user.tab()
    expect(screen.getByText('Use lowercase Latin letters, digits and single hyphens')).toBeTruthy()
    expect(screen.queryByText('Please enter a name')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const name = screen.getByRole('textbox', { name: /^Name/ })
    expect(document.activeElement).toBe(name)
    expect(router.state.location.pathname).toBe('/app/settings/tags/new')
    expect(name.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('Please enter a name')).toBeTruthy()
    expect(screen.getByText('Use lowercase Latin letters, digits and single hyphens')).toBeTruthy()
    expect((slug as HTMLInputElement).value).toBe('Not A Slug')
    expect(bodies(calls)).toEqual([])
    await user.type(name, 'Rice')
    expect(screen.queryByText('Please enter a name')).toBeNull()
  })

  it('shows refusals of the server at the fields of the form', async () => {
    fakeApi({
      ...answers,
      'POST /api/tags': () =>
        Response.json(
          {
            data: null,
            error: {
              status: 400,
              name: 'ValidationError',
              message: 'This attribute must be unique',
              code: 'validation.unique',
              details: {
                errors: [
                  {
                    path: ['slug'],
                    message: 'This attribute must be unique',
                    name: 'ValidationError',
                    code: 'validation.unique',
                    params: {},
                  },
                ],
              },
            },
          },
          { status: 400 },
        ),
    })
    renderApp('/app/settings/tags/new')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Rice')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('This value is already used')).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'Code' }).getAttribute('aria-invalid')).toBe('true')
  })

  it('restores typed text of a form after a reload', async () => {
    fakeApi(answers)
    const firstApp = renderApp('/app/settings/tags/5')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), ' seed')
    window.dispatchEvent(new Event('pagehide'))
    firstApp.unmount()
    renderApp('/app/settings/tags/5')
    expect(await screen.findByDisplayValue('Cotton seed')).toBeTruthy()
    await user.click(screen.getAllByRole('button', { name: 'Discard' })[0] as HTMLElement)
    expect(await screen.findByDisplayValue('Cotton')).toBeTruthy()
    expect(localStorage.getItem('draft/form/1/tags/5')).toBeNull()
  })

  it('asks before leaving a form with changes, and stores them as a draft or discards them', async () => {
    fakeApi({
      ...answers,
      'GET /api/tags': { data: [], meta: { pagination: { page: 1, pageSize: 15, pageCount: 0, total: 0 } } },
    })
    const { router } = renderApp('/app/settings/tags/5')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), '!')
    await user.click(screen.getAllByRole('link', { name: 'Tags' })[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: 'You have unsaved changes' })
    await user.click(within(dialog).getByRole('button', { name: 'Stay on page' }))
    expect(router.state.location.pathname).toBe('/app/settings/tags/5')
    await user.click(screen.getAllByRole('link', { name: 'Tags' })[0] as HTMLElement)
    await user.click(await screen.findByRole('button', { name: 'Leave and keep the draft' }))
    expect(await screen.findByText('No data')).toBeTruthy()
    await act(() => router.navigate({ to: '/app/settings/tags/5' }))
    expect(await screen.findByDisplayValue('Cotton!')).toBeTruthy()
    await user.click(screen.getAllByRole('link', { name: 'Tags' })[0] as HTMLElement)
    await user.click(await screen.findByRole('button', { name: 'Discard the changes' }))
    expect(await screen.findByText('No data')).toBeTruthy()
    await act(() => router.navigate({ to: '/app/settings/tags/5' }))
    expect(await screen.findByDisplayValue('Cotton')).toBeTruthy()
  })

  it('shows a message in place of the form when the record does not exist', async () => {
    fakeApi({ 'GET /api/users/me': owner })
    renderApp('/app/settings/tags/404')
    expect(await screen.findByRole('heading', { level: 1, name: 'The record could not be loaded' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})

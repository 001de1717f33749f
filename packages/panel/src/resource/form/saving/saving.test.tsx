import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { errorAnswer, fakeApi, owner } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { bodies, tagAnswers, tagFamily } from '../../../testing/tags.ts'

beforeEach(() => localStorage.setItem('token', 'a'))

const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ })

describe('saving a form', () => {
  it('opens an empty form after "add another" with the same initial values, and focuses its first field', async () => {
    const calls = fakeApi(tagAnswers)
    const { router } = renderApp('/app/settings/tags/new?set.color=%23112233')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Rice')
    await user.click(screen.getByRole('button', { name: 'Save and add another' }))
    expect(await screen.findByText('Tag created successfully')).toBeTruthy()
    await waitFor(async () => expect((await nameField()).value).toBe(''))
    expect(screen.getAllByDisplayValue('#112233')).not.toEqual([])
    expect(document.activeElement).toBe(await nameField())
    expect(router.state.location.pathname).toBe('/app/settings/tags/new')
    await user.type(await nameField(), 'Wheat')
    await user.click(screen.getByRole('button', { name: 'Save and add another' }))
    await waitFor(() => expect(bodies(calls)).toHaveLength(2))
    const keys = calls.flatMap(({ key }) => key ?? [])
    expect(new Set(keys).size).toBe(2)
  })

  it('saves on Ctrl+S in any keyboard layout, and sends nothing without changes', async () => {
    const calls = fakeApi(tagAnswers)
    renderApp('/app/settings/tags/5')
    const user = userEvent.setup()
    const name = await nameField()
    fireEvent.keyDown(name, { code: 'KeyS', key: 'ы', ctrlKey: true })
    expect(bodies(calls)).toEqual([])
    await user.type(name, '!')
    const isLeftToBrowser = fireEvent.keyDown(name, { code: 'KeyS', key: 'ы', ctrlKey: true })
    expect(isLeftToBrowser).toBe(false)
    expect(await screen.findByText('Tag updated successfully')).toBeTruthy()
  })

  it('keeps text that is typed in a form during the save', async () => {
    let answer: (response: Response) => void = () => undefined
    fakeApi(tagAnswers)
    const send = globalThis.fetch
    globalThis.fetch = (address, init) =>
      init?.method === 'PUT' ? new Promise((resolve) => (answer = resolve)) : send(address, init)
    renderApp('/app/settings/tags/5')
    const user = userEvent.setup()
    await user.type(await nameField(), '!')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await user.type(await nameField(), '?')
    answer(Response.json({ data: tagFamily, meta: {} }))
    expect(await screen.findByText('Tag updated successfully')).toBeTruthy()
    await waitFor(() => expect(screen.getByText('Unsaved changes')).toBeTruthy())
    expect((await nameField()).value).toBe('Cotton!?')
  })

  it('announces the state of the form after the first change, and not when the form opens', async () => {
    fakeApi(tagAnswers)
    renderApp('/app/settings/tags/5?view=edit')
    const state = await screen.findByText('All changes are saved')
    expect(state.closest('output')?.getAttribute('aria-live')).toBe('off')
    await userEvent.setup().type(await nameField(), '!')
    const changeNotice = await screen.findByText('Unsaved changes')
    expect(changeNotice.closest('output')?.getAttribute('aria-live')).toBeNull()
  })

  it('opens the page of a new record without waiting for other refetches', async () => {
    let isSaved = false
    fakeApi({
      ...tagAnswers,
      'POST /api/tags': () => {
        isSaved = true
        return Response.json({ data: tagFamily, meta: {} })
      },
    })
    const send = globalThis.fetch
    const pendingBodies: string[] = []
    globalThis.fetch = (address, init) => {
      const path = typeof address === 'string' ? address.split('?')[0] : ''
      if (!isSaved || path === '/api/tags/5') return send(address, init)
      pendingBodies.push(path ?? '')
      return new Promise(() => undefined)
    }
    const { router } = renderApp('/app/settings/tags/new')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Cotton')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/tags/5'))
    expect(await screen.findByText('All changes are saved')).toBeTruthy()
    expect(pendingBodies).not.toEqual([])
  })

  it('takes only the text typed during the save to the page of a new record', async () => {
    let answer: (response: Response) => void = () => undefined
    fakeApi({ ...tagAnswers, 'POST /api/tags': () => new Promise<Response>((resolve) => (answer = resolve)) })
    const { router } = renderApp('/app/settings/tags/new')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Cotton')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.type(await nameField(), '!')
    answer(Response.json({ data: tagFamily, meta: {} }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/tags/5'))
    expect(await screen.findByText('Unsaved changes')).toBeTruthy()
    expect((await nameField()).value).toBe('Cotton!')
    // The server derived the slug of the tag from its name.
    expect(screen.getByDisplayValue('paxta')).toBeTruthy()
    await router.navigate({ href: '/app/settings/tags/new', ignoreBlocker: true })
    expect((await nameField()).value).toBe('')
  })

  it('does not navigate after a save when the user has gone to another page', async () => {
    const creation = Promise.withResolvers<void>()
    const calls = fakeApi({
      ...tagAnswers,
      'POST /api/tags': async () => {
        await creation.promise
        return Response.json({ data: tagFamily, meta: {} })
      },
    })
    const { router } = renderApp('/app/settings/tags/new')
    const user = userEvent.setup()
    await user.type(await nameField(), 'Cotton')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(bodies(calls)).toHaveLength(1))
    await router.navigate({ href: '/app/profile' })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull())
    creation.resolve()
    expect(await screen.findByText('Tag created successfully')).toBeTruthy()
    expect(router.state.location.pathname).toBe('/app/profile')
  })

  it('keeps text typed during the save for a user who has gone to another page', async () => {
    const pendingSave = Promise.withResolvers<void>()
    const calls = fakeApi({
      ...tagAnswers,
      'PUT /api/tags/5': async () => {
        await pendingSave.promise
        return Response.json({ data: tagFamily, meta: {} })
      },
    })
    const { router } = renderApp('/app/settings/tags/5')
    const user = userEvent.setup()
    await user.type(await nameField(), '!')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(bodies(calls)).toHaveLength(1))
    await user.type(await nameField(), '?')
    await router.navigate({ href: '/app/profile' })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull())
    pendingSave.resolve()
    expect(await screen.findByText('Tag updated successfully')).toBeTruthy()
    await router.navigate({ href: '/app/settings/tags/5' })
    await waitFor(async () => expect((await nameField()).value).toBe('Cotton!?'))
  })

  it('reports a failed save to a user who has gone to another page', async () => {
    const pendingRefusal = Promise.withResolvers<void>()
    const calls = fakeApi({
      ...tagAnswers,
      'PUT /api/tags/5': async () => {
        await pendingRefusal.promise
        return errorAnswer(500, 'InternalServerError', 'internal server error', 'server.internal')
      },
    })
    const { router } = renderApp('/app/settings/tags/5')
    const user = userEvent.setup()
    await user.type(await nameField(), '!')
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(bodies(calls)).toHaveLength(1))
    await router.navigate({ href: '/app/profile' })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull())
    pendingRefusal.resolve()
    expect(await screen.findByText('Tag was not saved')).toBeTruthy()
  })

  it('focuses the first wrong field of a form, in whichever language it is', async () => {
    fakeApi({
      ...tagAnswers,
      'PUT /api/tags/6': () => errorAnswer(500, 'InternalServerError', 'internal server error', 'server.internal'),
    })
    renderApp('/app/settings/tags/5')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Oʻzbekcha' }))
    await waitFor(async () => expect((await nameField()).lang).toBe('uz'))
    await user.clear(await nameField())
    await user.click(screen.getByRole('button', { name: 'English' }))
    await waitFor(async () => expect((await nameField()).lang).toBe('en'))
    await user.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() => expect(document.activeElement?.getAttribute('lang')).toBe('uz'))
    expect(document.activeElement).toBe(await nameField())
    expect(screen.getByText('Please enter a name')).toBeTruthy()
  })

  it('shows the message of the specification for missing links', async () => {
    fakeApi({ 'GET /api/users/me': owner })
    renderApp('/app/companies/new')
    const user = userEvent.setup()
    const name = await screen.findByRole('textbox', { name: /^Company name/ })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(screen.getByText('Please enter a name')).toBeTruthy()
    expect(screen.getByText('Please select directions')).toBeTruthy()
    expect(screen.getByText('Please enter an address')).toBeTruthy()
    expect(document.activeElement).toBe(name)
  })
})

describe('a language without text', () => {
  it('marks a language without text as missing, and copies texts from another language above its fields', async () => {
    fakeApi(tagAnswers)
    renderApp('/app/settings/tags/5?lang=kaa')
    const user = userEvent.setup()
    const section = await screen.findByRole('group', { name: /^Main/ })
    expect(within(section).getByText(/Nothing is written in Qaraqalpaqsha yet/)).toBeTruthy()
    await user.click(within(section).getByRole('button', { name: 'Copy from…' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Oʻzbekcha' }))
    await waitFor(async () => expect((await nameField()).value).toBe('Paxta'))
    expect(within(section).queryByText(/Nothing is written/)).toBeNull()
  })
})

it('drops fields from an old draft that the form no longer has', async () => {
  const calls = fakeApi(tagAnswers)
  const texts = { en: { name: 'Cotton seed', gone: 'x' }, xx: { name: 'y' } }
  const draft = { at: '2026-03-01T10:00:00.000Z', values: { shared: { gone: 1 }, texts } }
  localStorage.setItem('draft/form/1/tags/5', JSON.stringify(draft))
  renderApp('/app/settings/tags/5')
  const user = userEvent.setup()
  expect(await screen.findByDisplayValue('Cotton seed')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText('Tag updated successfully')).toBeTruthy()
  expect(bodies(calls)).toEqual([['PUT', '/api/tags/5', { data: { name: 'Cotton seed', version: 3 } }]])
})

import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { errorAnswer, fakeApi } from '../../../testing/fake-api.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { bodies, tagAnswers, tagFamily } from '../../../testing/tags.ts'

const emptyList = { data: [], meta: { pagination: { page: 1, pageSize: 15, pageCount: 0, total: 0 } } }

beforeEach(() => localStorage.setItem('token', 'a'))
afterEach(() => vi.restoreAllMocks())

/** Types "!" after the name of a tag and presses save. */
async function changeAndSave() {
  const user = userEvent.setup()
  const name = await screen.findByRole('textbox', { name: /^Name/ })
  await user.type(name, '!')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  const notice = await screen.findByRole('alert')
  return { user, name, notice }
}

describe('a save that fails', () => {
  it('creates a new record with all languages on a save when somebody has deleted the old record', async () => {
    let isGone = false
    const calls = fakeApi({
      ...tagAnswers,
      'GET /api/tags/5': () =>
        isGone ? errorAnswer(404, 'NotFoundError', 'Not Found') : Response.json({ data: tagFamily, meta: {} }),
      'PUT /api/tags/5': () => {
        isGone = true
        return errorAnswer(404, 'NotFoundError', 'Not Found', 'record.not-found')
      },
      'POST /api/tags/9/localizations': { id: 10, locale: 'uz', name: 'Paxta', localizations: [] },
    })
    const { router } = renderApp('/app/settings/tags/5')
    const { user, name, notice } = await changeAndSave()
    expect(notice.textContent).toContain('This record was deleted in the meantime')
    expect(name).toHaveProperty('value', 'Cotton!')
    expect(within(notice).getByRole('link', { name: 'Back to the list' })).toBeTruthy()
    await user.click(within(notice).getByRole('button', { name: 'Save as a new record' }))
    expect(await screen.findByText('Tag created successfully')).toBeTruthy()
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/settings/tags/9'))
    expect(bodies(calls).slice(1)).toMatchObject([
      ['POST', '/api/tags', { data: { name: 'Cotton!', slug: 'paxta', locale: 'en' } }],
      ['POST', '/api/tags/9/localizations', { name: 'Paxta', locale: 'uz' }],
    ])
  })

  it('keeps the text for copying when the permission is gone, and lets the user leave without a question', async () => {
    fakeApi({
      ...tagAnswers,
      'GET /api/tags': emptyList,
      'PUT /api/tags/5': () => errorAnswer(403, 'ForbiddenError', 'Forbidden', 'access.denied'),
    })
    renderApp('/app/settings/tags/5')
    const { user, name, notice } = await changeAndSave()
    expect(notice.textContent).toContain('You do not have permission for this action.')
    expect(name).toHaveProperty('value', 'Cotton!')
    expect(name).toHaveProperty('readOnly', true)
    expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
    await user.click(within(notice).getByRole('link', { name: 'Back to the list' }))
    expect(await screen.findByText('No data')).toBeTruthy()
  })

  it('retries a save after a lost connection', async () => {
    let tryCount = 0
    const calls = fakeApi({
      ...tagAnswers,
      'PUT /api/tags/5': () => {
        tryCount += 1
        if (tryCount === 1) throw new TypeError('Failed to fetch')
        return Response.json({ data: tagFamily, meta: {} })
      },
    })
    renderApp('/app/settings/tags/5')
    const { user, name, notice } = await changeAndSave()
    expect(notice.textContent).toContain('No connection')
    expect(name).toHaveProperty('value', 'Cotton!')
    expect(bodies(calls)).toHaveLength(1)
    await user.click(within(notice).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Tag updated successfully')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('waits with a save as long as the server asks for, then retries', async () => {
    fakeApi({
      ...tagAnswers,
      'PUT /api/tags/5': () => {
        const answer = errorAnswer(429, 'RateLimitError', 'Too many requests', 'auth.throttled')
        answer.headers.set('Retry-After', '1')
        return answer
      },
    })
    renderApp('/app/settings/tags/5')
    const { notice } = await changeAndSave()
    expect(notice.textContent).toContain('Saving is possible in 1 second.')
    const save = screen.getByRole('button', { name: 'Save changes' })
    expect(save.getAttribute('aria-disabled')).toBe('true')
    await waitFor(() => expect(save.getAttribute('aria-disabled')).toBeNull(), { timeout: 4000 })
    expect(within(notice).getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('repeats an unanswered create unchanged to create one record, and sends later edits after it', async () => {
    let tryCount = 0
    const calls = fakeApi({
      ...tagAnswers,
      'POST /api/tags': () => {
        tryCount += 1
        if (tryCount === 1) throw new DOMException('', 'TimeoutError')
        return Response.json({ data: { id: 9, attributes: { name: 'Rice', locale: 'en', version: 1 } }, meta: {} })
      },
      'PUT /api/tags/9': { data: { id: 9, attributes: { name: 'Rice plant', locale: 'en', version: 2 } }, meta: {} },
    })
    const firstApp = renderApp('/app/settings/tags/new')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Rice')
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findByRole('alert')).textContent).toContain('nothing will be saved twice')
    timeout.mockRestore()
    // The idempotency key of the save outlives the page, so a reload between the two attempts changes
    // nothing.
    firstApp.unmount()
    renderApp('/app/settings/tags/new')
    await user.type(await screen.findByDisplayValue('Rice'), ' plant')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Tag created successfully')).toBeTruthy()
    const [lostCall, repeatedCall, changeCall] = calls.filter(({ method }) => method !== 'GET')
    expect(lostCall?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(repeatedCall).toMatchObject({ key: lostCall?.key, body: lostCall?.body })
    expect(changeCall).toMatchObject({
      method: 'PUT',
      path: '/api/tags/9',
      body: { data: { name: 'Rice plant' } },
      key: null,
    })
    expect(localStorage.getItem('draft/form/1/tags/new')).toBeNull()
  })

  it('creates a record once when only its translation was refused', async () => {
    let refusals = 1
    const calls = fakeApi({
      ...tagAnswers,
      'POST /api/tags/9/localizations': () => {
        refusals -= 1
        return refusals < 0
          ? Response.json({ id: 10, locale: 'ru', name: 'Рис', localizations: [] })
          : errorAnswer(422, 'UnprocessableEntityError', 'no', 'request.unprocessable')
      },
    })
    renderApp('/app/settings/tags/new')
    const user = userEvent.setup()
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Rice')
    await user.click(screen.getByRole('button', { name: 'Русский' }))
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Рис')
    await user.click(screen.getByRole('button', { name: 'English' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('alert')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Tag created successfully')).toBeTruthy()
    const createCalls = calls.filter(({ method, path }) => method === 'POST' && path === '/api/tags')
    expect(new Set(createCalls.map(({ key }) => key)).size).toBe(1)
    const translationCalls = calls.filter(({ path }) => path.endsWith('/localizations'))
    expect(new Set(translationCalls.map(({ key }) => key)).size).toBe(2)
  })
})

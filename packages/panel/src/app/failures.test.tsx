import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { activateLanguage } from '../lib/i18n.ts'
import { setPreferences } from '../lib/preferences.ts'
import { errorAnswer, fakeApi, owner } from '../testing/fake-api.ts'
import { renderApp } from '../testing/render-app.tsx'
import { hasWaiting } from '../ui/feedback/toast.ts'

const tag = {
  id: 2,
  attributes: { name: 'Рис', slug: 'rice', color: '#1a2b3c', version: 1, locale: 'ru', outdated: false },
}
const answers = {
  'GET /api/users/me': owner,
  'GET /api/tags': { data: [tag], meta: { pagination: { page: 1, pageSize: 15, pageCount: 1, total: 1 } } },
  'GET /api/tags/2/uses': { data: [] },
}

beforeEach(async () => {
  setPreferences({ language: 'ru' })
  await activateLanguage('ru')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const notices = async () => within(await screen.findByRole('region', { name: 'Уведомления' }))

/** Deletes the tag in its list, which the server refuses with this status. */
async function deleteTag(status: number) {
  localStorage.setItem('token', 'a')
  fakeApi({ ...answers, 'DELETE /api/tags/2': () => errorAnswer(status, 'TestError', 'Because of the test') })
  const { router } = renderApp('/app/settings/tags')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Действия: Рис' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Удалить' }))
  const dialog = await screen.findByRole('dialog', { name: 'Вы хотите удалить это?' })
  await user.click(within(dialog).getByRole('button', { name: 'Удалить' }))
  return { router, dialog }
}

/** Submits the sign-in form with an account. */
async function signIn() {
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText('Имя пользователя или эл. почта'), 'someone')
  await user.type(screen.getByLabelText('Пароль'), 'something')
  await user.click(screen.getByRole('button', { name: 'Войти' }))
}

describe('a refused call (requirements §8)', () => {
  it.each([
    [400, 'Неверный запрос'],
    [403, 'Нет доступа'],
    [404, 'Не найдено'],
    [422, 'Данные не прошли проверку'],
    [429, 'Слишком много запросов'],
    [500, 'Внутренняя ошибка сервера'],
  ])('shows %i as “%s” with the server’s message, in a toast and in the dialog', async (status, title) => {
    const { dialog } = await deleteTag(status)
    expect((await within(dialog).findByRole('alert')).textContent).toContain('Because of the test')
    expect(await (await notices()).findByText(title)).toBeTruthy()
    expect((await notices()).getByText('Because of the test')).toBeTruthy()
  })

  it('shows a deletion refused with 409 in its dialog without a toast', async () => {
    const { dialog } = await deleteTag(409)
    expect((await within(dialog).findByRole('alert')).textContent).toContain('Because of the test')
    // No toast shows the failure that the dialog shows; a toast of another test file may still be open.
    expect(hasWaiting()).toBe(false)
    for (const text of screen.getAllByText('Because of the test')) expect(dialog.contains(text)).toBe(true)
  })

  it('ends the session on 401, with its message and the sign-in page', async () => {
    const { router } = await deleteTag(401)
    expect(await (await notices()).findByText('Вход не выполнен')).toBeTruthy()
    expect((await notices()).getByText('Because of the test')).toBeTruthy()
    await waitFor(() => expect(router.state.location.pathname).toBe('/user/login'))
    expect(localStorage.getItem('token')).toBeNull()
  })

  it('names the e-mail and the password for a 400 on the sign-in page', async () => {
    fakeApi({ 'POST /api/auth/local': () => errorAnswer(400, 'TestError', 'Because of the test') })
    renderApp('/user/login')
    await signIn()
    expect(await (await notices()).findByText('Неверная эл. почта или пароль')).toBeTruthy()
  })
})

it('reports a timeout when a call takes too long', async () => {
  fakeApi({})
  const originalFetch = globalThis.fetch
  globalThis.fetch = (address, init) =>
    init?.method === 'POST'
      ? new Promise((_resolve, reject) =>
          init.signal?.addEventListener('abort', () => reject(new DOMException('', 'TimeoutError'))),
        )
      : originalFetch(address, init)
  renderApp('/user/login')
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const timeoutSpy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(100))
  await signIn()
  expect(await (await notices()).findByText('Время ожидания истекло')).toBeTruthy()
  expect(
    within(screen.getByRole('main')).getByText('Сервер слишком долго не отвечает. Попробуйте ещё раз.'),
  ).toBeTruthy()
  expect(timeoutSpy).toHaveBeenCalledWith(120_000)
})

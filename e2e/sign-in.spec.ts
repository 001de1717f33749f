/** Signing in and out: the guard, the sign-in form, and the end of a session. */
import type { Page } from '@playwright/test'
import { accountOf, expect, expectAccessible, serverUrl, test, unique } from './fixtures.ts'
import { delayCalls } from './delayed-calls.ts'
import { appRoutes } from './routes.ts'
import { t } from './messages.ts'

const identifier = 'Имя пользователя или эл. почта'

async function fillIn(page: Page, account: { identifier: string; password: string }): Promise<void> {
  await page.getByLabel(identifier).fill(account.identifier)
  await page.getByRole('textbox', { name: 'Пароль' }).fill(account.password)
  await page.getByRole('button', { name: 'Войти' }).click()
}

test('leads from every page to the sign-in page without a token, and back to the requested page', async ({ page }) => {
  // One load of the panel, then its own history: the guard is in the panel, not in the server.
  await page.goto('/user/login')
  for (const route of ['/', ...appRoutes, '/error', '/unauthorized', '/nowhere', '/user']) {
    await page.evaluate((to) => history.pushState({}, '', to), route)
    await expect(page, route).toHaveURL(/\/user\/login(\?|$)/)
  }
  for (const route of ['/', '/app/people/users', '/error']) {
    await page.goto(route)
    await expect(page, route).toHaveURL(/\/user\/login(\?|$)/)
  }
  await page.goto('/app/settings/tags?page=2')
  await fillIn(page, accountOf('admin'))
  await expect(page).toHaveURL('/app/settings/tags?page=2')
  await expect(page.getByRole('heading', { name: 'Теги' })).toBeVisible()
})

test('keeps the four pages before signing in open without a token', async ({ page }) => {
  for (const route of ['/user/login', '/user/register', '/user/forgot-password', '/user/reset-password']) {
    await page.goto(route)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveURL(route)
  }
})

test('leads from the root address to the consultants with a token', async ({ page, login }) => {
  await login('authenticated')
  for (const [from, to] of [
    ['/', '/app/consultants'],
    ['/app', '/app/consultants'],
    ['/app/people', '/app/people/users'],
    ['/app/settings', '/app/settings/regions'],
  ] as const) {
    await page.goto(from)
    await expect(page).toHaveURL(to)
  }
})

test('reports a wrong password in the form and by a toast, and keeps the typed text', async ({ page }) => {
  await page.goto('/user/login')
  const account = { identifier: unique('nobody').replace(' ', '.'), password: 'wrong-one' }
  await fillIn(page, account)
  await expect(
    page.getByRole('alert').filter({ hasText: 'Недействительная эл. почта или пароль' }).first(),
  ).toBeVisible()
  const toast = page.getByRole('region', { name: 'Уведомления' })
  await expect(toast.getByText('Неверная эл. почта или пароль', { exact: true })).toBeVisible()
  await expect(page.getByLabel(identifier)).toHaveValue(account.identifier)
  await expect(page.getByRole('textbox', { name: 'Пароль' })).toHaveValue(account.password)
  await expectAccessible(page)
})

test('marks empty fields of the sign-in form immediately and focuses the first of them', async ({ page }) => {
  await page.goto('/user/login')
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page.getByText('Введите адрес эл. почты')).toBeVisible()
  await expect(page.getByText('Введите пароль', { exact: true })).toBeVisible()
  await expect(page.getByLabel(identifier)).toBeFocused()
  await expectAccessible(page)
})

test('forgets the token and the display mode at sign-out', async ({ page, login }) => {
  const token = await login('admin')
  await page.goto('/app/news')
  await page.evaluate(() => localStorage.setItem('display-mode', 'image'))
  await page.getByRole('button', { name: 'Учётная запись: Marat A.' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page).toHaveURL(/\/user\/login/)
  await expect(page.getByText('Вы вышли из системы')).toBeVisible()
  expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('display-mode')])).toEqual([
    null,
    null,
  ])
  // The page does not wait for the server's answer.
  const headers = { authorization: `Bearer ${token}` }
  await expect.poll(async () => (await page.request.get('/api/users/me', { headers })).status()).toBe(401)
  await page.goto('/app/news')
  await expect(page).toHaveURL(/\/user\/login/)
})

test('leads to the sign-in page when the session ended elsewhere, and back to the typed text', async ({
  page,
  login,
  newRecord,
}) => {
  const name = unique('Тег')
  const tag = await newRecord('tags', { name })
  const token = await login('admin')
  await page.goto(`/app/settings/tags/${tag.id}`)
  await page.getByRole('textbox', { name: /^Название/ }).fill(`${name} и полив`)
  await page.request.post(`${serverUrl()}/api/auth/logout`, { headers: { authorization: `Bearer ${token}` } })
  // With the keyboard: the server may have notified the page before, and then its button is gone.
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/user\/login/)
  await expect(page.getByText('Вход не выполнен')).toBeVisible()
  await fillIn(page, accountOf('admin'))
  await expect(page).toHaveURL(`/app/settings/tags/${tag.id}`)
  await expect(page.getByRole('textbox', { name: /^Название/ })).toHaveValue(`${name} и полив`)
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByText('Успешно обновлено: Тег')).toBeVisible()
})

test('signs a user out and in in all tabs at the same time', async ({ page, login, context }) => {
  await login('admin')
  await page.goto('/app/settings/tags')
  const other = await context.newPage()
  await other.goto('/app/news')
  await other.getByRole('button', { name: /^Учётная запись/ }).click()
  await other.getByRole('menuitem', { name: t('nav.signOut') }).click()
  await expect(other).toHaveURL(/\/user\/login/)
  await expect(page).toHaveURL(/\/user\/login\?from=/)
  await fillIn(other, accountOf('admin'))
  await expect(other).toHaveURL(/\/app\//)
  await expect(page).toHaveURL(/\/app\/settings\/tags/)
})

test('forgets the session immediately at sign-out, and notifies the server', async ({ page, login }) => {
  const token = await login('admin')
  const release = await delayCalls(page, '**/api/auth/logout')
  await page.goto('/app/news')
  await page.getByRole('button', { name: /^Учётная запись/ }).click()
  const logoutRequest = page.waitForRequest('**/api/auth/logout')
  await page.getByRole('menuitem', { name: t('nav.signOut') }).click()
  expect((await logoutRequest).headers()['authorization']).toBe(`Bearer ${token}`)
  // The page does not wait for the answer.
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  release()
})

test('creates an account that can sign in', async ({ page }) => {
  const name = unique('fermer').replace(' ', '-')
  await page.goto('/user/login')
  await page.getByRole('link', { name: 'Зарегистрироваться' }).click()
  await expect(page.getByRole('heading', { name: 'Регистрация' })).toBeVisible()
  await page.getByLabel('Имя пользователя').fill(name)
  await page.getByLabel('Эл. почта').fill(`${name}@example.org`)
  await page.getByRole('textbox', { name: 'Пароль' }).fill('abc')
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(page.getByText('Пароль должен содержать от 4 до 16 символов')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Пароль' }).fill('abcd-5')
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(page).toHaveURL(/\/app\//)
  await expect(page.getByRole('button', { name: `Учётная запись: ${name}` })).toBeVisible()
})

test('answers a forgotten password alike for every address, and refuses a new password without the emailed code', async ({
  page,
}) => {
  await page.goto('/user/forgot-password')
  await page.getByLabel('Эл. почта').fill('nobody@example.org')
  await page.getByRole('button', { name: 'Отправить ссылку' }).click()
  await expect(page.getByText('nobody@example.org', { exact: false })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/user/reset-password?code=never-sent')
  await page.getByLabel('Новый пароль').fill('abcd-5')
  await page.getByLabel('Повторите пароль').fill('abcd-5')
  await page.getByRole('button', { name: 'Сохранить пароль' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Запросите новую' })).toBeVisible()
  await expectAccessible(page)
})

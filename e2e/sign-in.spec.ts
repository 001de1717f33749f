/** Signing in and out: the guard, the sign-in form, and the end of a session. */
import { accountOf, expect, expectAccessible, serverUrl, test, makeUniqueName } from './fixtures.ts'
import { delayCalls } from './delayed-calls.ts'
import { appRoutes } from './routes.ts'
import { fillSignIn, identifierLabel } from './sign-in.ts'
import { expectAccessibleInBothThemes } from './walk.ts'
import { t } from './messages.ts'

test('leads from every page to the sign-in page without a token, and back to the requested page', async ({ page }) => {
  // The panel is loaded once and the address changed by its history: the guard is in the panel, not in the
  // server.
  await page.goto('/user/login')
  for (const route of ['/', ...appRoutes, '/error', '/unauthorized', '/nowhere', '/user']) {
    await page.evaluate((targetRoute) => history.pushState({}, '', targetRoute), route)
    await expect(page, route).toHaveURL(/\/user\/login(\?|$)/)
  }
  for (const route of ['/', '/app/people/users', '/error']) {
    await page.goto(route)
    await expect(page, route).toHaveURL(/\/user\/login(\?|$)/)
  }
  await page.goto('/app/settings/tags?page=2')
  await fillSignIn(page, accountOf('admin'))
  await expect(page).toHaveURL('/app/settings/tags?page=2')
  await expect(page.getByRole('heading', { name: 'Теги' })).toBeVisible()
})

test('marks empty fields, a wrong password and too many tries in place, and keeps the typed text', async ({ page }) => {
  await page.goto('/user/login')
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page.getByText('Введите адрес эл. почты')).toBeVisible()
  await expect(page.getByText('Введите пароль', { exact: true })).toBeVisible()
  await expect(page.getByLabel(identifierLabel)).toBeFocused()
  await expectAccessible(page)

  const account = { identifier: makeUniqueName('nobody').replace(' ', '.'), password: 'wrong-one' }
  await fillSignIn(page, account)
  await expect(
    page.getByRole('alert').filter({ hasText: 'Недействительная эл. почта или пароль' }).first(),
  ).toBeVisible()
  const toastRegion = page.getByRole('region', { name: 'Уведомления' })
  await expect(toastRegion.getByText('Неверная эл. почта или пароль', { exact: true })).toBeVisible()
  await expect(page.getByLabel(identifierLabel)).toHaveValue(account.identifier)
  await expect(page.getByRole('textbox', { name: 'Пароль' })).toHaveValue(account.password)
  await expectAccessible(page)

  const error = { status: 429, name: 'RateLimitError', message: 'x', code: 'auth.throttled', details: {} }
  await page.route('**/api/auth/local', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '90' }, json: { data: null, error } }),
  )
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page.getByText(/1:(2\d|30)/).first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Пароль' })).toHaveValue(account.password)
  await expectAccessibleInBothThemes(page)
})

test('forgets the token and the display mode at sign-out, immediately, and notifies the server', async ({
  page,
  login,
}) => {
  const token = await login('admin')
  const release = await delayCalls(page, '**/api/auth/logout')
  await page.goto('/app/news')
  await page.evaluate(() => localStorage.setItem('display-mode', 'image'))
  await page.getByRole('button', { name: 'Учётная запись: Marat A.' }).click()
  const logoutRequest = page.waitForRequest('**/api/auth/logout')
  await page.getByRole('menuitem', { name: t('nav.signOut') }).click()
  expect((await logoutRequest).headers()['authorization']).toBe(`Bearer ${token}`)
  // The page shows the sign-in form without waiting for the server's answer.
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
  await expect(page).toHaveURL(/\/user\/login/)
  await expect(page.getByText('Вы вышли из системы')).toBeVisible()
  expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('display-mode')])).toEqual([
    null,
    null,
  ])
  release()
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
  const name = makeUniqueName('Тег')
  const tag = await newRecord('tags', { name })
  const token = await login('admin')
  await page.goto(`/app/settings/tags/${tag.id}`)
  await page.getByRole('textbox', { name: /^Название/ }).fill(`${name} и полив`)
  await page.request.post(`${serverUrl()}/api/auth/logout`, { headers: { authorization: `Bearer ${token}` } })
  // The form is saved by keyboard, because the save button disappears when the page learns that its session ended.
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/user\/login/)
  await expect(page.getByText('Вход не выполнен')).toBeVisible()
  await fillSignIn(page, accountOf('admin'))
  await expect(page).toHaveURL(`/app/settings/tags/${tag.id}`)
  await expect(page.getByRole('textbox', { name: /^Название/ })).toHaveValue(`${name} и полив`)
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByText('Успешно обновлено: Тег')).toBeVisible()
})

test('signs a user out and in in all tabs at the same time', async ({ page, login, context }) => {
  await login('admin')
  await page.goto('/app/settings/tags')
  const otherPage = await context.newPage()
  await otherPage.goto('/app/news')
  await otherPage.getByRole('button', { name: /^Учётная запись/ }).click()
  await otherPage.getByRole('menuitem', { name: t('nav.signOut') }).click()
  await expect(otherPage).toHaveURL(/\/user\/login/)
  await expect(page).toHaveURL(/\/user\/login\?from=/)
  await fillSignIn(otherPage, accountOf('admin'))
  await expect(otherPage).toHaveURL(/\/app\//)
  await expect(page).toHaveURL(/\/app\/settings\/tags/)
})

/** The error table of requirements §8: the message for each refusal of the server. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test, unique } from './fixtures.ts'
import { t } from './messages.ts'

const toasts = (page: Page) => page.getByRole('region', { name: 'Уведомления', exact: true })

function refusal(status: number) {
  return {
    status,
    json: { data: null, error: { status, name: 'TestError', message: 'Because of the test', details: {} } },
  }
}

/** Opens the list on one tag and asks to delete it, with the given answer of the server. */
async function deleteTag(page: Page, name: string): Promise<void> {
  await page.goto(`/app/settings/tags?q=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Действия: ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
}

for (const [status, title] of [
  [400, 'Неверный запрос'],
  [403, 'Нет доступа'],
  [404, 'Не найдено'],
  [422, 'Данные не прошли проверку'],
  [429, 'Слишком много запросов'],
  [500, 'Внутренняя ошибка сервера'],
] as const) {
  test(`shows a response with status ${status} as “${title}” with the server's message`, async ({
    page,
    login,
    newRecord,
  }) => {
    const name = unique('Тег для отказа')
    const { id } = await newRecord('tags', { name })
    await login('owner')
    await page.route(`**/api/tags/${id}?**`, (route) => route.fulfill(refusal(status)))
    await deleteTag(page, name)
    await expect(toasts(page).getByText(title, { exact: true })).toBeVisible()
    await expect(toasts(page).getByText('Because of the test')).toBeVisible()
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Because of the test')
  })
}

test('ends the session on status 401, with the message of the server and the sign-in page', async ({
  page,
  login,
  newRecord,
}) => {
  const name = unique('Тег для отказа')
  const { id } = await newRecord('tags', { name })
  await login('owner')
  await page.route(`**/api/tags/${id}?**`, (route) => route.fulfill(refusal(401)))
  await deleteTag(page, name)
  await expect(toasts(page).getByText('Вход не выполнен', { exact: true })).toBeVisible()
  await expect(toasts(page).getByText('Because of the test')).toBeVisible()
  await expect(page).toHaveURL(/\/user\/login/)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('shows an error of any other status in the dialog without a toast', async ({ page, login, newRecord }) => {
  const name = unique('Тег для отказа')
  const { id } = await newRecord('tags', { name })
  await login('owner')
  await page.route(`**/api/tags/${id}?**`, (route) => route.fulfill(refusal(409)))
  await deleteTag(page, name)
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Because of the test')
  await expect(toasts(page)).toBeHidden()
})

test('names the e-mail and the password for a status of 400 on the sign-in page', async ({ page }) => {
  await page.route('**/api/auth/local', (route) => route.fulfill(refusal(400)))
  await page.goto('/user/login')
  await page.getByLabel('Имя пользователя или эл. почта').fill('someone')
  await page.getByRole('textbox', { name: 'Пароль' }).fill('something')
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(toasts(page).getByText('Неверная эл. почта или пароль', { exact: true })).toBeVisible()
})

test('reports a timeout when a call takes too long', async ({ page }) => {
  await page.addInitScript(() => {
    // The product's 120 s, shortened to 300 ms.
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = () => timeout(300)
  })
  await page.route('**/api/auth/local', () => undefined)
  await page.goto('/user/login')
  await page.getByLabel('Имя пользователя или эл. почта').fill('someone')
  await page.getByRole('textbox', { name: 'Пароль' }).fill('something')
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(toasts(page).getByText('Время ожидания истекло', { exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByText('Сервер слишком долго не отвечает. Попробуйте ещё раз.')).toBeVisible()
})

test('reports a missing record inside the page and offers the way back', async ({ page, login }) => {
  await login('owner')
  for (const address of ['/app/news/999999', '/app/news/abc', '/app/news/99999999999999']) {
    await page.goto(address)
    await expect(page.getByText('Не удалось загрузить запись')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Основная навигация' })).toBeVisible()
  }
})

test('offers to reload when the code of a page fails to load', async ({ page, login, complaints }) => {
  await login('owner')
  await page.goto('/app/settings/tags')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  // The page has finished its background loading after the rows.
  await page.waitForLoadState('networkidle')
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Добавить новый' }).click()
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить страницу' })).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/assets/*.js')
  await page.getByRole('button', { name: 'Обновить страницу' }).click()
  await expect(page.getByRole('textbox', { name: /^Название/ })).toBeVisible()
  complaints.length = 0
})

test('opens a page that failed offline once the connection is back, unless the user has left', async ({
  page,
  login,
  complaints,
}) => {
  await login('owner')
  await page.goto('/app/settings/tags')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.context().setOffline(true)
  const button = page.getByRole('button', { name: /^Учётная запись/ })
  await button.click()
  await expect(page.getByText('Нет подключения к интернету').first()).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  const colours = page.getByRole('button', { name: t('theme.open') })
  await colours.click()
  await page.context().setOffline(false)
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(colours).toHaveAttribute('aria-expanded', 'true')
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  complaints.length = 0
})

test('draws a menu above a toast that arrives while it is open', async ({ page, login, newRecord }) => {
  const name = unique('Метка')
  await newRecord('tags', { name, color: '#1a2b3c' })
  await login('owner')
  await deleteTag(page, name)
  // A toast stays while the pointer rests on it.
  await toasts(page).getByRole('dialog').hover()
  await page.getByRole('button', { name: /^Учётная запись/ }).press('Enter')
  const item = page.getByRole('menuitem', { name: t('nav.profile') })
  await expect(item).toBeVisible()
  const covered = await page.getByRole('menuitem').evaluateAll((items) =>
    items.filter((one) => {
      const { x, y, width, height } = one.getBoundingClientRect()
      return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }),
  )
  await expect(toasts(page).getByRole('dialog')).toBeVisible()
  expect(covered).toEqual([])
})

test('reports a failure to load chats in place, without a toast', async ({ page, login }) => {
  await login('owner')
  await page.route('**/api/get_customized_rooms**', (route) => route.fulfill(refusal(500)))
  await page.goto('/app/chats')
  const failure = page.getByRole('alert').filter({ hasText: 'Не удалось загрузить чаты' })
  await expect(failure).toBeVisible()
  await expect(toasts(page)).toBeHidden()
  await page.unroute('**/api/get_customized_rooms**')
  await failure.getByRole('button', { name: 'Повторить' }).click()
  await expect(page.getByRole('link', { name: /Aybek/ }).first()).toBeVisible()
})

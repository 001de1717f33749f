/**
 * Failures of requirements §8 that only a browser shows: files that do not load, a lost connection, a covered
 * menu.
 */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'
import { t } from './messages.ts'

const toasts = (page: Page) => page.getByRole('region', { name: 'Уведомления', exact: true })

/** Opens the list of tags with one tag, and deletes that tag. */
async function deleteTag(page: Page, name: string): Promise<void> {
  await page.goto(`/app/settings/tags?q=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Действия: ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
}

test('offers to reload when the code of a page fails to load', async ({ page, login, pageComplaints: complaints }) => {
  await login('owner')
  await page.goto('/app/settings/tags')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  // Files that the panel loads in the background, after the rows, have arrived.
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
  pageComplaints: complaints,
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
  const themeButton = page.getByRole('button', { name: t('theme.open') })
  await themeButton.click()
  await page.context().setOffline(false)
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(themeButton).toHaveAttribute('aria-expanded', 'true')
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  complaints.length = 0
})

test('draws a menu above a toast that arrives while it is open', async ({ page, login, newRecord }) => {
  const name = makeUniqueName('Метка')
  await newRecord('tags', { name, color: '#1a2b3c' })
  await login('owner')
  await deleteTag(page, name)
  // A toast stays while the pointer rests on it.
  await toasts(page).getByRole('dialog').hover()
  await page.getByRole('button', { name: /^Учётная запись/ }).press('Enter')
  const item = page.getByRole('menuitem', { name: t('nav.profile') })
  await expect(item).toBeVisible()
  const coveredItems = await page.getByRole('menuitem').evaluateAll((items) =>
    items.filter((menuItem) => {
      const { x, y, width, height } = menuItem.getBoundingClientRect()
      return !menuItem.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }),
  )
  await expect(toasts(page).getByRole('dialog')).toBeVisible()
  expect(coveredItems).toEqual([])
})

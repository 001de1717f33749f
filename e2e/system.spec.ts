/** The System page of owners, from the first backup to its proof, and the guide that the help leads to. */
import { signIn, startServer } from '../scripts/lib/server-process.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { t } from './messages.ts'
import { openWithToken } from './sign-in.ts'
import { tabToTarget } from './tab-to.ts'
import { expectAccessibleInBothThemes } from './walk.ts'

test('takes a backup by keyboard and shows its proof', async ({ page }) => {
  test.slow()
  const server = await startServer({ seed: 'none' })
  try {
    await page.goto(`${server.url}/user/login`)
    await openWithToken(page, await signIn(server.url))
    await page.goto(`${server.url}/app/system`)
    await expect(page.getByRole('heading', { level: 1, name: t('page.system') })).toBeVisible()
    await expect(page.getByText(t('system.backups.none'))).toBeVisible()
    await tabToTarget(page, page.getByRole('button', { name: t('system.backups.take') }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    await expect(dialog.getByText(t('system.backups.takeText'))).toBeVisible()
    await dialog.getByRole('button', { name: t('system.backups.take') }).press('Enter')
    await expect(dialog).toBeHidden()
    const row = page
      .getByRole('table', { name: t('system.backups.title') })
      .getByRole('row')
      .nth(1)
    await expect(row.getByText(t('system.backups.proofs.proved', { time: '' }).trim())).toBeVisible({ timeout: 90_000 })
    await expectAccessibleInBothThemes(page)
  } finally {
    await page.close()
    await server.close()
  }
})

test('reads a chapter of the guide in every language without JavaScript', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
  const page = await context.newPage()
  await page.goto('/guide/ru/prices')
  for (const language of ['English', 'Oʻzbekcha', 'Qaraqalpaqsha', 'Русский']) {
    await page.getByRole('link', { name: language }).click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', /^(en|uz|kaa|ru)/)
  }
  await context.close()
})

test('opens the guide without accessibility violations', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/guide/kaa/backups')
    await expectAccessible(page, colorScheme === 'light' ? undefined : 'repainted')
  }
})

test('closes the registration and names the organisation by keyboard, with an effect at once', async ({ page }) => {
  test.slow()
  const server = await startServer({ seed: 'none' })
  try {
    await page.goto(`${server.url}/user/login`)
    await openWithToken(page, await signIn(server.url))
    await page.goto(`${server.url}/app/system/organisation`)
    await expect(page.getByRole('heading', { level: 1, name: t('page.organisation') })).toBeVisible()
    await tabToTarget(page, page.locator('input[name="name.ru"]'))
    await page.keyboard.type('Агроцентр')
    const colours = page.getByRole('combobox', { name: t('organisation.settings.palette') })
    await tabToTarget(page, colours)
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: t('theme.greenmoss') }).press('Enter')
    await expect(colours).toBeFocused()
    await tabToTarget(page, page.getByRole('combobox', { name: t('organisation.settings.registration') }))
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: t('action.no') }).press('Enter')
    await page.keyboard.press('Control+s')
    await expect(page.getByText(t('organisation.saved'))).toBeVisible()
    const line = page.getByRole('listitem').filter({ hasText: t('organisation.settings.registration') })
    await expect(line).toContainText(
      t('organisation.fromTo', { before: t('organisation.default'), after: t('action.no') }),
    )
    await page.evaluate(() => localStorage.removeItem('token'))
    await page.goto(`${server.url}/user/login`)
    await expect(page.getByRole('complementary').getByText('Агроцентр')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-palette', 'greenmoss')
    await expect(page.getByRole('link', { name: t('auth.register.submit') })).toBeHidden()
  } finally {
    await page.close()
    await server.close()
  }
})

/** Pages without a resource and overlays: no accessibility violations and no errors of the browser. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectOverlayAccessible, test } from './fixtures.ts'
import { otherAppearance, setAppearance } from './appearance.ts'
import { expectSettledPage } from './settled.ts'
import { expectAccessibleInBothThemes } from './walk.ts'
import { t } from './messages.ts'

const userRoutes = [
  '/user/login',
  '/user/register',
  '/user/forgot-password',
  '/user/reset-password',
  '/user/confirm-email',
]
/** Routes and the headings of their pages; consecutive pages have different headings. */
const otherRoutes: readonly [route: string, heading: string][] = [
  ['/error', t('error.page.title')],
  ['/app/news/999999', t('form.failed')],
  ['/error?code=503', t('error.page.title')],
  ['/app/news/abc', t('form.failed')],
  ['/nowhere', t('error.404.title')],
  ['/app/news/99999999999999', t('form.failed')],
  ['/app/nowhere', t('error.404.title')],
  ['/unauthorized', t('error.unauthorized.title')],
]

/** Opens an address without loading the panel again, as a link of the panel would. */
async function openInsidePanel(page: Page, route: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, route)
}

/** Waits until the page of an address shows its data. */
async function settlePage(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByText(/\S/).first()).toBeVisible()
  await expectSettledPage(page)
}

/** Checks a page in the appearance that it has, then in the other one, in which the next page opens. */
async function expectAccessibleInEachAppearance(page: Page): Promise<void> {
  await expectSettledPage(page)
  await expectAccessible(page)
  await setAppearance(page, await otherAppearance(page))
  await expectSettledPage(page)
  await expectAccessible(page, 'repainted')
}

test('opens a list in Cyrillic without accessibility violations', async ({ page, login }) => {
  await login('owner', { language: 'uz' })
  await page.goto('/app/news')
  await page.evaluate(() => localStorage.setItem('script', 'cyrillic'))
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'uz-Cyrl')
  await expect(page.getByRole('heading', { level: 1, name: 'Янгиликлар' })).toBeVisible()
  await expectSettledPage(page)
  await expectAccessible(page)
})

// Pages that show no single resource have no other test that checks every appearance.
test('opens the pages of an account, the home page and the permissions without accessibility violations in every appearance', async ({
  page,
  login,
}) => {
  await login('owner')
  for (const route of [
    '/app/home',
    '/app/profile',
    '/app/profile/notifications',
    '/app/profile/security',
    '/app/permissions',
    '/app/system',
    '/app/system/organisation',
  ]) {
    await page.goto(route)
    await settlePage(page)
    await test.step(route, () => expectAccessibleInEachAppearance(page))
  }
})

test('opens the pages before signing in without accessibility violations, in every appearance', async ({ page }) => {
  for (const route of [
    ...userRoutes,
    '/user/confirm-email?code=abc',
    '/user/reset-password?code=abc',
    '/user/reset-password?code=abc&invited=1',
    '/certificate',
    '/certificate/0123',
  ]) {
    await page.goto(route)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // The listed pages need no token, so none of them redirects to the sign-in form.
    await expect(page).toHaveURL(route)
    await test.step(route, () => expectAccessibleInEachAppearance(page))
  }
})

// The pages of the model's screens are tested in screens.spec.ts.
test('opens the pages of errors, unknown addresses and missing records without accessibility violations, and with the menu', async ({
  page,
  login,
  pageComplaints: complaints,
}) => {
  await login('owner')
  await page.goto('/nowhere')
  await settlePage(page)
  for (const [route, heading] of otherRoutes) {
    await openInsidePanel(page, route)
    await test.step(route, async () => {
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page.getByRole('navigation', { name: t('app.mainNavigation') })).toBeVisible()
      await expectSettledPage(page)
      await expectAccessible(page)
      expect(complaints).toEqual([])
    })
  }
})

test('opens menus, choices and dialogs over a list and a form without accessibility violations', async ({
  page,
  login,
}) => {
  await login('owner')
  await page.goto('/app/news')
  const expectAccessibleAfter = async (
    stepName: string,
    click: () => Promise<void>,
    expectShown: () => Promise<void>,
    check: () => Promise<void> = () => expectOverlayAccessible(page),
  ) => {
    await click()
    await expectShown()
    await test.step(stepName, check)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu').or(page.getByRole('listbox')).or(page.getByRole('dialog'))).toHaveCount(0)
  }
  // One overlay of each kind is checked with the page behind it.
  const withPage = () => expectAccessible(page)
  const menu = () => expect(page.getByRole('menu')).toBeVisible()
  const list = () => expect(page.getByRole('listbox')).toBeVisible()
  const button = (name: string | RegExp) => () => page.getByRole('button', { name }).first().click()
  const findCombobox = (name: string) => () => page.getByRole('combobox', { name }).click()
  await expectAccessibleAfter('row menu', button(/^Действия: /), menu, withPage)
  await expectAccessibleAfter('language menu', button(/^Язык интерфейса/), menu)
  await expectAccessibleAfter('theme menu', button('Цвет, углы и направление'), menu)
  await expectAccessibleAfter('account menu', button(/^Учётная запись/), menu)
  await expectAccessibleAfter('content language', findCombobox('Язык контента'), list, withPage)
  await expectAccessibleAfter('page jump', button(/^Поиск и переход/), list, withPage)
  await page.goto('/app/consultants')
  await expectAccessibleAfter('region filter', findCombobox('Регион'), list)
  await page.goto('/app/news/new')
  await expect(page.getByRole('textbox', { name: 'Полный текст' })).toBeVisible()
  await expectAccessibleAfter('region', findCombobox('Регион'), list, () => expectAccessible(page, 'searching'))
  await expectAccessibleAfter('tags', findCombobox('Теги'), list)
  await expectAccessibleAfter('kind', findCombobox('Вид'), list)
  const dialog = () => expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessibleAfter('link dialog', button('Вставить ссылку'), dialog, withPage)
})

test('opens the help and the tour at 390 px without accessibility violations in every appearance', async ({
  page,
  login,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await login('owner')
  await page.goto('/app/settings/tags')
  await settlePage(page)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /^Учётная запись/ }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose(t('nav.help'))
  await expect(page.locator('[data-help]').getByRole('listitem')).toHaveCount(3)
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-help]')).toHaveCount(0)
  await choose(t('nav.tour'))
  await expect(page.locator('[data-tour-step]')).toBeVisible()
  await expectAccessibleInBothThemes(page)
})

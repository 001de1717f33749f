/** The panel without a connection: a reload still shows it, and the device stores no data. */
import type { Page } from '@playwright/test'
import { accountOf, expect, expectAccessible, test } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'
import { openSignedInPage } from './sign-in.ts'
import { startTwoBuilds } from './two-builds.ts'
import { t } from './messages.ts'

test.use({ serviceWorkers: 'allow', reuseContext: false })

const rows = (page: Page) => page.locator('main tbody tr')

/** Addresses of all responses in the browser's caches. */
const storedAddresses = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const cacheAddresses = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)))
    const requests = await Promise.all(cacheAddresses.map((cache) => cache.keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })

/** Waits until the worker serves the page and has stored all its files. */
async function expectStoredShell(page: Page): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  let formerCount = -1
  await expect
    .poll(
      async () => {
        const { length } = await storedAddresses(page)
        const isDone = length > 60 && length === formerCount
        formerCount = length
        return isDone
      },
      { intervals: [1_000], timeout: 45_000, message: 'the panel is still being stored' },
    )
    .toBe(true)
}

test('shows the panel and the sign-in page without a connection, recovers, and stores no data on the device', async ({
  page,
  login,
  pageComplaints: complaints,
}) => {
  await login('owner')
  await page.goto('/app/settings/tags')
  await expect(rows(page).first()).toBeVisible()
  await expectStoredShell(page)

  await page.context().setOffline(true)
  await page.reload()
  await expect(page.getByRole('navigation', { name: t('app.mainNavigation') })).toBeVisible()
  await expect(page.getByText(t('app.offline'))).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page)
  // Opens a screen that was not opened while the browser was online.
  await page.goto('/app/media')
  await expect(page.getByRole('navigation', { name: t('app.mainNavigation') })).toBeVisible()
  await expect(page.getByText(t('error.chunk.title'))).toBeHidden()
  await page.goto('/app/settings/tags')
  await expect(page.getByText(t('app.offline'))).toBeVisible()

  await page.context().setOffline(false)
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByText(t('app.offline'))).toBeHidden()

  const addresses = await storedAddresses(page)
  expect(addresses.filter((address) => address !== '/' && !address.startsWith('/assets/'))).toEqual([])

  await page.getByRole('button', { name: /^Учётная запись/ }).click()
  await page.getByRole('menuitem', { name: t('nav.signOut') }).click()
  await expect(page).toHaveURL(/\/user\/login/)
  await page.context().setOffline(true)
  await page.reload()
  await expect(page.getByRole('textbox').first()).toBeVisible()
  await expect(page.getByRole('button', { name: t('auth.login.submit'), exact: true })).toBeVisible()
  await page.context().setOffline(false)
  complaints.length = 0
})

test('switches to a new build without mixing files of two builds', async ({ page, pageComplaints: complaints }) => {
  const server = await startTwoBuilds()
  try {
    await openSignedInPage(page, { url: server.url, ...accountOf('owner') })
    await page.goto(`${server.url}/app/settings/tags`)
    await expect(rows(page).first()).toBeVisible()
    await expectStoredShell(page)
    server.replaceBuild()

    // The open page shows a notice and continues with the files of its own build.
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
    await expect(page.getByText(t('app.newVersion'))).toBeVisible()
    await page.getByRole('link', { name: 'Добавить новый' }).click()
    await expect(page.getByRole('textbox', { name: /^Название/ })).toBeVisible()
    const program = () =>
      page.evaluate(() => document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '')
    expect(await program()).not.toContain('SECOND')

    await page.reload()
    await expect(page.getByRole('textbox', { name: /^Название/ })).toBeVisible()
    expect(await program()).toContain('SECOND')
    await page.context().setOffline(true)
    await page.reload()
    await expect(page.getByText(t('app.offline'))).toBeVisible()
    expect(await program()).toContain('SECOND')
    await page.context().setOffline(false)
  } finally {
    await server.close()
  }
  complaints.length = 0
})

test.describe('without a worker', () => {
  test.use({ serviceWorkers: 'block' })

  /** Opens a list with all its parts: a part that is missing later would reload the page. */
  const openTags = async (page: Page, url: string) => {
    await page.goto(`${url}/app/settings/tags`)
    await expect(page.getByRole('button', { name: t('list.filters') })).toBeVisible()
    await expectSettledPage(page)
  }
  const program = (page: Page) => page.locator('script[type="module"][src]')

  test('loads the new panel once when the server no longer has a file of the old one', async ({
    page,
    pageComplaints: complaints,
  }) => {
    const server = await startTwoBuilds()
    try {
      await openSignedInPage(page, { url: server.url, ...accountOf('owner') })
      await openTags(page, server.url)
      server.replaceBuild()
      const link = page.getByRole('link', { name: 'Добавить новый' })
      // Preloading the code of the form fails too, but reloads nothing before the click.
      await link.hover()
      await expectSettledPage(page)
      await expect(program(page)).not.toHaveAttribute('src', /SECOND/)
      await link.click()
      await expect(page.getByRole('textbox', { name: /^Название/ })).toBeVisible()
      await expect(program(page)).toHaveAttribute('src', /SECOND/)
    } finally {
      await server.close()
    }
    complaints.length = 0
  })

  test('follows a click while the new panel is being loaded', async ({ page, pageComplaints: complaints }) => {
    const server = await startTwoBuilds()
    try {
      await openSignedInPage(page, { url: server.url, ...accountOf('owner') })
      await openTags(page, server.url)
      server.replaceBuild()
      // The navigation that reloads the page gets no response until the click has replaced it.
      const clickSignal = Promise.withResolvers<void>()
      await page.route('**/app/settings/tags/**', async (route) => {
        await clickSignal.promise
        await route.abort().catch(() => undefined)
      })
      await page.evaluate(() =>
        window.addEventListener('beforeunload', () =>
          setTimeout(() => document.querySelector<HTMLElement>('a[href="/app/settings/statuses"]')?.click()),
        ),
      )
      await page.getByRole('link', { name: 'Добавить новый' }).focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/settings\/statuses/)
      clickSignal.resolve()
      await expect(program(page)).toHaveAttribute('src', /SECOND/)
      await expect(page).toHaveURL(/\/settings\/statuses/)
      await expect(rows(page).first()).toBeVisible()
    } finally {
      await server.close()
    }
    complaints.length = 0
  })
})

/** The page of the API: found by its search, opened by keyboard, readable for everybody. */
import { signIn, startServer } from '../scripts/lib/server-process.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { openWith } from './sign-in.ts'

test('a developer looks up how a list is asked for', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { level: 2, name: 'News', exact: true })).toBeVisible()
  await test.step('all routes', () => expectAccessible(page))

  await page.getByLabel('Search routes').fill('list tags')
  // The list itself, and how many of its rows each value has.
  await expect(page.getByRole('status')).toHaveText(/^2 of \d+ routes$/)
  await page.locator('summary', { hasText: 'GET' }).filter({ visible: true }).first().focus()
  await page.keyboard.press('Enter')
  const route = page.locator('details.route[open]')
  await expect(route.getByText('pagination', { exact: true })).toBeVisible()
  await route.getByText('200 Done').click()
  await route.getByText('tags.List').last().click()
  await expect(route.getByText('list of tags.Entry')).toBeVisible()
  await test.step('an open route', () => expectAccessible(page))
})

test('an address names a route', async ({ page }) => {
  await page.goto('/api/docs#news.create')
  await expect(page.locator('details.route[open]').getByText('Body', { exact: true })).toBeVisible()
})

test('where the document is for those who are signed in, the page asks for it with their session', async ({ page }) => {
  test.slow()
  const server = await startServer({ seed: 'none', env: { API_DOCS: 'signed-in' } })
  try {
    await page.goto(`${server.url}/api/docs`)
    await expect(page.getByText('Sign in to the panel, then reload this page.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0)
    await openWith(page, await signIn(server.url))
    await page.goto(`${server.url}/api/docs`)
    await expect(page.getByRole('heading', { level: 2, name: 'News', exact: true })).toBeVisible()
  } finally {
    await page.close()
    await server.close()
  }
})

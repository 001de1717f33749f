/** The page of the API: found by its search, usable by keyboard, readable without signing in. */
import { signIn, startServer } from '../scripts/lib/server-process.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { openWithToken } from './sign-in.ts'

test('shows a developer in the API documentation how to request a list', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { level: 2, name: 'News', exact: true })).toBeVisible()
  await test.step('all routes', () => expectAccessible(page))

  await page.getByLabel('Search routes').fill('list tags')
  // Two routes match: the list of tags, and the number of tags for each value of a field.
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

test('opens the route of the API documentation that the address names', async ({ page }) => {
  await page.goto('/api/docs#news.create')
  await expect(page.locator('details.route[open]').getByText('Body', { exact: true })).toBeVisible()
})

test('requests the API document with the session when only signed-in users may read it', async ({ page }) => {
  test.slow()
  const server = await startServer({ seed: 'none', env: { API_DOCS: 'signed-in' } })
  try {
    await page.goto(`${server.url}/api/docs`)
    await expect(page.getByText('Sign in to the panel, then reload this page.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0)
    await openWithToken(page, await signIn(server.url))
    await page.goto(`${server.url}/api/docs`)
    await expect(page.getByRole('heading', { level: 2, name: 'News', exact: true })).toBeVisible()
  } finally {
    await page.close()
    await server.close()
  }
})

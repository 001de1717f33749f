/**
 * Two users in parallel: each receives the changes of the other, and sees that the other has a record open.
 */
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'

test('updates a name in a list in place, and shows new rows on request', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const name = makeUniqueName('Орошение')
  const { id } = await newRecord('tags', { name })
  await loginAsOwner()
  const socketEvent = page.waitForEvent('websocket')
  await page.goto(`/app/settings/tags?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
  const socket = await socketEvent
  await socket.waitForEvent('framereceived')

  // Updates sent before the socket connects are lost, so the change is repeated until the page shows it.
  await expect(async () => {
    await colleague('PUT', `/tags/${id}`, { data: { name: `${name} ${makeUniqueName('капельное')}` } })
    await expect(page.getByRole('row').filter({ hasText: `${name} капельное` })).toBeVisible({ timeout: 3_000 })
  }).toPass()

  await newRecord('tags', { name: `${name} новая` })
  await expect(page.getByText('Коллеги изменили этот список.')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Показать изменения' }).click()
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(2)
})

test('shows in a form which other users have the record open, and in which language', async ({
  page,
  login,
  newRecord,
  browser,
}) => {
  const { id } = await newRecord('news', { title: makeUniqueName('Новая цена') })
  await login('owner')
  await page.goto(`/app/news/${id}`)
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()
  const context = await browser.newContext()
  const otherPage = await context.newPage()
  await login('admin', { page: otherPage, language: 'ru' })
  await otherPage.goto(`/app/news/${id}?lang=kaa`)
  const presentList = page.getByRole('list', { name: 'Эту запись также открыли' })
  await expect(presentList).toContainText('Qaraqalpaqsha')
  await expect(otherPage.getByRole('list', { name: 'Эту запись также открыли' })).toContainText('Русский')
  await expectAccessible(page)
  await context.close()
  await expect(presentList).toBeHidden()
})

/**
 * The home page of an owner and of a consultant: pending items with the keyboard and on a phone, and the way
 * to each task.
 */
import { expect, expectAccessible, type TestFixtures, test, makeUniqueName } from './fixtures.ts'

const waitingRegion = { name: 'Что ждёт' }

/** A post with a name of its own that waits for a moderator. */
async function waitingPost({ colleague, newRecord }: Pick<TestFixtures, 'colleague' | 'newRecord'>): Promise<string> {
  const title = makeUniqueName('Семена')
  const { data } = await colleague<{ data: { id: number }[] }>(
    'GET',
    '/tradingposttypes?locale=ru&pagination[pageSize]=1',
  )
  await newRecord('tradinposts', { title, tradingposttype: data[0]?.id })
  return title
}

test('opens the home page with G and H, and lets an owner walk its rows and postpone one of them', async ({
  page,
  login,
  colleague,
  newRecord,
}) => {
  await waitingPost({ colleague, newRecord })
  await login('owner')
  await page.goto('/app/settings/regions')
  await expect(page.getByRole('button', { name: /^Уведомления/ })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page).toHaveURL('/app/home')
  const list = page.getByRole('region', waitingRegion)
  await expect(list).toBeVisible()
  const mark = page.getByRole('navigation', { name: 'Основная навигация' }).getByRole('link', { name: 'Главная' })
  await expect(mark).toHaveAttribute('aria-current', 'page')
  await expectAccessible(page)

  const rows = list.getByRole('listitem')
  const firstRow = rows.first()
  const name = (await firstRow.getByRole('link').first().textContent()) ?? ''
  await page.keyboard.press('j')
  await expect(firstRow.getByRole('button').last()).toBeFocused()
  await page.keyboard.press('j')
  await expect(rows.nth(1).getByRole('button').last()).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('z')
  await expect(page.getByRole('menuitem', { name: 'На час' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Отложено: 1' })).toBeVisible()
  await expect(firstRow.getByRole('link', { name, exact: true })).toHaveCount(0)

  await page.getByRole('button', { name: 'Отложено: 1' }).click()
  await page.getByRole('button', { name: 'Вернуть', exact: true }).click()
  await page.getByRole('button', { name: 'Вернуться к делам' }).click()
  await expect(firstRow.getByRole('link', { name, exact: true })).toBeVisible()
})

test('shows for each group of the home page the number of records on the linked page', async ({
  page,
  login,
  colleague,
  newRecord,
}) => {
  await waitingPost({ colleague, newRecord })
  await login('owner')
  await page.goto('/app/home')
  const posts = page.getByRole('region', waitingRegion).getByRole('region', { name: /^Объявления в ожидании/ })
  const allLink = posts.getByRole('link', { name: /^Все \d+$/ })
  const count = (await allLink.textContent())?.replace(/\D/g, '') ?? ''
  await allLink.click()
  await expect(page).toHaveURL(/\/app\/trading-post\?/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(count)
})

test('lets a consultant take a free question on the home page', async ({ page, login, newRecord, colleague }) => {
  const question = makeUniqueName('Чем подкормить рис')
  const record = await newRecord('consultations', { question })
  await login('consultant')
  await page.goto('/app/home')
  const freeQuestions = page.getByRole('region', waitingRegion).getByRole('region', { name: /^Свободные вопросы/ })
  await expect(freeQuestions).toBeVisible()
  await expectAccessible(page)
  const row = freeQuestions.getByRole('listitem').first()
  const takenRow = (await row.getByRole('link').first().textContent()) ?? ''
  const number = /№ (\d+)/.exec((await row.textContent()) ?? '')?.[1]
  await row.getByRole('button', { name: 'Взять' }).click()
  await expect(page.getByText(`Теперь у вас: ${takenRow}`)).toBeVisible()
  await expect(freeQuestions.getByRole('link', { name: takenRow, exact: true })).toHaveCount(0)
  // Other tests need the question that was taken, so it is released; the new one is deleted.
  await colleague('POST', `/consultations/${number}/assign`, { data: { to: null, note: 'Released' } })
  await colleague('DELETE', `/consultations/${record.id}`)
})

test('lets a user choose the start page in the account menu', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app')
  await expect(page).toHaveURL('/app/consultants')
  await page.getByRole('button', { name: /^Учётная запись/ }).click()
  await page.getByRole('menuitemradio', { name: 'Главная' }).click()
  await page.goto('/app')
  await expect(page).toHaveURL('/app/home')
})

test('shows the list of the home page first on a phone, with nothing cut and large targets', async ({
  page,
  login,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await login('owner')
  await page.goto('/app/home')
  const list = page.getByRole('region', waitingRegion)
  await expect(list).toBeVisible()
  const scrollableWidth = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(scrollableWidth).toBe(0)
  const cutTexts = await list
    .locator('li a, li span')
    .evaluateAll((parts) =>
      parts
        .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    )
  expect(cutTexts).toEqual([])
  const button = await list.getByRole('listitem').first().getByRole('button').last().boundingBox()
  expect(button?.height).toBeGreaterThanOrEqual(44)
  const weekBox = await page.getByRole('region', { name: 'Неделя' }).boundingBox()
  const sheet = await list.boundingBox()
  expect(weekBox?.y ?? 0).toBeGreaterThan((sheet?.y ?? 0) + (sheet?.height ?? 0))
  await expectAccessible(page)
})

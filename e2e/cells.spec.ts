/**
 * A list edited like a sheet: cells typed in, pasted and filled with the keyboard alone, and rows reordered.
 */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type TestFixtures, test, makeUniqueName } from './fixtures.ts'

/** Opens a list with three products of this test, ready for editing. */
async function openProducts(
  page: Page,
  { loginAsOwner, newRecord }: Pick<TestFixtures, 'loginAsOwner' | 'newRecord'>,
): Promise<string[]> {
  const name = makeUniqueName('Ячейка')
  const names = ['один', 'два', 'три'].map((numeral) => `${name} ${numeral}`)
  for (const [index, productName] of names.entries())
    await newRecord('products', { name: productName, price: (index + 1) * 100, order: 1_000 + index })
  await loginAsOwner()
  await page.goto(`/app/settings/product?q=${encodeURIComponent(name)}`)
  // Cell editing loads when the page is idle, together with the handles.
  await expect(page.getByRole('button', { name: `Переместить: ${names[0]}` })).toBeVisible()
  return names
}

/** The prices of the products on the server, in the order of the list. */
async function pricesOf(colleague: TestFixtures['colleague'], names: readonly string[]): Promise<[unknown, number][]> {
  const query = new URLSearchParams({ _q: names[0]?.replace(/ \S+$/, '') ?? '', locale: 'ru', sort: 'order' })
  const { data } = await colleague<{ data: { attributes: Record<string, unknown> }[] }>(
    'GET',
    `/products?${query.toString()}`,
  )
  return data.map(({ attributes: { name, price } }) => [name, Number(price)])
}

const pairWithPrices = (names: readonly string[], prices: readonly number[]) =>
  names.map((name, index) => [name, prices[index]])

const cell = (page: Page, name: string, column: string) =>
  page.getByRole('row').filter({ hasText: name }).locator(`td[data-field="${column}"]`)
const editor = (page: Page, name: string) => page.getByRole('textbox', { name: `Цена, ${name}` })

/** Moves the focus from the name of a product to its price, in the same row. */
async function goToPrice(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).focus()
  for (const column of ['localizations', 'productcategory', 'price']) {
    await page.keyboard.press('ArrowRight')
    await expect(cell(page, name, column)).toBeFocused()
  }
}

test('types, checks, saves, fills down and undoes cells with the keyboard alone', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const names = await openProducts(page, { loginAsOwner, newRecord })
  const [firstProduct = '', secondProduct = '', thirdProduct = ''] = names
  await goToPrice(page, firstProduct)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(editor(page, firstProduct)).toBeFocused()
  await page.keyboard.type('-5')
  await page.keyboard.press('Enter')
  await expect(editor(page, firstProduct)).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  await editor(page, firstProduct).fill('1250,5')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Сохранена 1 ячейка').last()).toBeVisible()
  // Enter moves down, as in a sheet.
  await expect(cell(page, secondProduct, 'price')).toBeFocused()
  expect(await pricesOf(colleague, names)).toEqual(pairWithPrices(names, [1250.5, 200, 300]))

  // The editor of a cell appears with the key press that opens it once it has loaded, and stays open.
  await page.getByRole('link', { name: secondProduct, exact: true }).focus()
  await page.keyboard.press('F2')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(cell(page, secondProduct, 'name')).toBeFocused()
  await goToPrice(page, secondProduct)

  await page.keyboard.press('ArrowUp')
  await expect(cell(page, firstProduct, 'price')).toBeFocused()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(cell(page, thirdProduct, 'price')).toBeFocused()
  await page.keyboard.press('Control+d')
  await expect(page.getByText('Сохранены 2 ячейки').last()).toBeVisible()
  expect(await pricesOf(colleague, names)).toEqual(pairWithPrices(names, [1250.5, 1250.5, 1250.5]))
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Отменено: Сохранены 2 ячейки')).toBeVisible()
  expect(await pricesOf(colleague, names)).toEqual(pairWithPrices(names, [1250.5, 200, 300]))
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Отменено: Сохранена 1 ячейка')).toBeVisible()
  expect(await pricesOf(colleague, names)).toEqual(pairWithPrices(names, [100, 200, 300]))
})

test('saves a pasted block only once its error is corrected, and undoes it in one step', async ({
  page,
  context,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const names = await openProducts(page, { loginAsOwner, newRecord })
  const [firstProduct = '', secondProduct = ''] = names
  await page.evaluate(() => navigator.clipboard.writeText('600\nмного\n800'))
  await goToPrice(page, firstProduct)
  await page.keyboard.press('Control+v')
  const bar = page.getByRole('region', { name: '3 ячейки не сохранены' })
  await expect(bar).toContainText('1 с ошибкой')
  await expect(bar).toContainText('Введите число')
  await expect(cell(page, firstProduct, 'price')).toContainText('Не сохранено')
  await expect(cell(page, secondProduct, 'price')).toContainText('Введите число')
  await expectAccessible(page)
  expect(await pricesOf(colleague, names)).toEqual(pairWithPrices(names, [100, 200, 300]))

  await bar.getByRole('button', { name: 'Перейти к ошибке' }).click()
  await expect(editor(page, secondProduct)).toBeFocused()
  await editor(page, secondProduct).fill('700')
  await page.keyboard.press('Enter')
  await expect(bar).not.toContainText('с ошибкой')
  await bar.getByRole('button', { name: 'Сохранить 3 ячейки' }).click()
  await expect(bar).toBeHidden()
  await expect(page.getByText('Сохранены 3 ячейки').last()).toBeVisible()
  expect(await pricesOf(colleague, names)).toEqual(pairWithPrices(names, [600, 700, 800]))
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Отменено: Сохранены 3 ячейки')).toBeVisible()
  expect(await pricesOf(colleague, names)).toEqual(pairWithPrices(names, [100, 200, 300]))
})

test('reorders a row with the keyboard and undoes it', async ({ page, loginAsOwner, newRecord, colleague }) => {
  const names = await openProducts(page, { loginAsOwner, newRecord })
  const [firstProduct = '', secondProduct = '', thirdProduct = ''] = names
  const readPricesInOrder = async () => (await pricesOf(colleague, names)).map(([name]) => name)
  await page.getByRole('button', { name: `Переместить: ${firstProduct}` }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('Место 1 из 3')).toBeAttached()
  // Dragging by keyboard starts a moment after the key press: keys are repeated until they take effect.
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText('Место 2 из 3')).toBeAttached({ timeout: 500 })
  }).toPass()
  await expectAccessible(page)
  await page.keyboard.press('Space')
  await expect(page.getByText('Перемещено на место 2 из 3').last()).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText(secondProduct)
  expect(await readPricesInOrder()).toEqual([secondProduct, firstProduct, thirdProduct])
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Отменено: Перемещено на место 2 из 3')).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText(firstProduct)
  expect(await readPricesInOrder()).toEqual([firstProduct, secondProduct, thirdProduct])
})

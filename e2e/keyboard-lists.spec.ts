/**
 * A list without a mouse: walking, selecting and changing rows, choosing columns and conditions, and leaving
 * each place.
 */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type TestFixtures, test, makeUniqueName } from './fixtures.ts'
import { tabToTarget } from './tab-to.ts'

/** Opens a list with three news of this test, ready for editing. */
async function openNews(
  page: Page,
  { loginAsOwner, newRecord }: Pick<TestFixtures, 'loginAsOwner' | 'newRecord'>,
): Promise<[string, string, string]> {
  const name = makeUniqueName('Строка')
  const titles: [string, string, string] = [`${name} а`, `${name} б`, `${name} в`]
  for (const title of titles) await newRecord('news', { title })
  await loginAsOwner()
  await page.goto(`/app/news?q=${encodeURIComponent(name)}&sort=title`)
  const [firstTitle] = titles
  // The keys of a list load when the page is idle.
  await expect(async () => {
    await page.keyboard.press('j')
    await expect(page.getByRole('link', { name: firstTitle })).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('k')
  return titles
}

test('walks, selects, bulk-edits and edits rows of a list, and undoes the edits in one step', async ({
  page,
  loginAsOwner,
  newRecord,
}) => {
  const [firstTitle, secondTitle, thirdTitle] = await openNews(page, { loginAsOwner, newRecord })
  const link = (name: string) => page.getByRole('link', { name })
  await expect(link(firstTitle)).toBeFocused()
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await expect(link(secondTitle)).toBeFocused()
  await page.keyboard.press('x')
  await page.keyboard.press('k')
  await expect(link(firstTitle)).toBeFocused()
  await expect(page.getByText('Выбраны 2 записи').last()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Снять выделение' })).toBeHidden()
  await page.keyboard.press('x')

  // The bar with the bulk actions is before the rows in the order of focus.
  const state = page.getByRole('button', { name: 'Сделать неактивными' })
  await tabToTarget(page, state, 'back')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Сделать неактивной 1 запись' })
  await expect(dialog.getByRole('button', { name: 'Отмена' })).toBeFocused()
  await expect(dialog.getByText('Изменится 1 запись.')).toBeVisible()
  await tabToTarget(page, dialog.getByRole('button', { name: 'Изменить 1 запись' }))
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const row = page.getByRole('row').filter({ hasText: firstTitle })
  await expect(row.getByText('Неактивно')).toBeVisible()
  // Clearing the selection removes the focused control: the focus moves to another element and is not lost.
  await expect(page.locator('body')).not.toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(row.getByText('Активно')).toBeVisible()

  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox', { name: /Поиск/ })).toBeFocused()
  await tabToTarget(page, link(thirdTitle))
  await page.keyboard.press('e')
  await expect(page.getByRole('textbox', { name: /^Заголовок/ })).toHaveValue(thirdTitle)
})

test('shows, hides and moves columns of a list, and combines conditions with the keyboard', async ({
  page,
  loginAsOwner,
  newRecord,
}) => {
  const [firstTitle] = await openNews(page, { loginAsOwner, newRecord })
  const columns = page.getByRole('button', { name: 'Столбцы и вид' })
  await tabToTarget(page, columns, 'back')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Столбцы и вид' })
  await tabToTarget(page, panel.getByRole('checkbox', { name: 'Регион' }))
  await page.keyboard.press('Space')
  await expect(page.getByRole('columnheader', { name: 'Регион' })).toHaveCount(0)
  const moveLaterButton = panel.getByRole('button', { name: 'Переместить «Дата» дальше' })
  await tabToTarget(page, moveLaterButton)
  await page.keyboard.press('Enter')
  await expect(moveLaterButton).toBeFocused()
  await expect(panel.getByText(/^Дата: столбец \d из \d$/)).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(columns).toBeFocused()

  const filters = page.getByRole('button', { name: /^Фильтры/ })
  await tabToTarget(page, filters, 'back')
  await page.keyboard.press('Enter')
  await tabToTarget(page, page.getByRole('button', { name: 'Несколько условий…' }))
  await page.keyboard.press('Enter')
  const builder = page.getByRole('dialog', { name: 'Несколько условий' })
  await expect(builder).toBeVisible()
  await tabToTarget(page, builder.getByRole('button', { name: 'Все условия' }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(builder.getByRole('button', { name: 'Любое условие' })).toHaveAttribute('aria-pressed', 'true')
  await tabToTarget(page, builder.getByRole('combobox', { name: 'Поле' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'Активен' })).toBeFocused()
  const title = page.getByRole('option', { name: 'Заголовок' })
  await page.keyboard.press('Home')
  while (!(await title.evaluate((option) => option === document.activeElement))) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option')).toHaveCount(0)
  const value = builder.getByRole('textbox', { name: 'Значение' })
  await tabToTarget(page, value)
  await page.keyboard.type(firstTitle)
  await expectAccessible(page)
  await tabToTarget(page, builder.getByRole('button', { name: 'Применить' }))
  await page.keyboard.press('Enter')
  await expect(builder).toBeHidden()
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.locator('body')).not.toBeFocused()
})

/**
 * Lists and forms on a phone: selection, conditions, columns, history and two versions of one field, by
 * touch.
 */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'

/** Expects nothing wider than the window and no accessibility violations. */
async function expectUsablePage(page: Page): Promise<void> {
  await expectSettledPage(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await expectAccessible(page)
}

const card = (page: Page, name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })

test('selects, bulk-edits and restores rows of a list on a phone', async ({ page, loginAsOwner, newRecord }) => {
  const name = makeUniqueName('Палец')
  for (const numeral of ['один', 'два']) await newRecord('news', { title: `${name} ${numeral}` })
  await loginAsOwner()
  await page.goto(`/app/news?q=${encodeURIComponent(name)}`)
  for (const numeral of ['один', 'два']) await page.getByRole('checkbox', { name: `Выбрать: ${name} ${numeral}` }).tap()
  const change = page.getByRole('button', { name: 'Изменить…' })
  await expect(change).toBeInViewport()
  await expectUsablePage(page)
  await change.tap()
  await expectUsablePage(page)
  await page.getByRole('menuitem', { name: 'Сделать неактивными' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Сделать неактивными 2 записи' })
  await expect(dialog.getByText('Изменятся 2 записи.')).toBeVisible()
  await expectUsablePage(page)
  await dialog.getByRole('button', { name: 'Изменить 2 записи' }).tap()
  await expect(card(page, `${name} один`).getByText('Неактивно')).toBeVisible()
  await page.getByRole('button', { name: 'Отменить действие' }).tap()
  await expect(card(page, `${name} один`).getByText('Активно')).toBeVisible()
})

test('opens conditions and columns of a list over the whole window of a phone', async ({
  page,
  loginAsOwner,
  newRecord,
}) => {
  const name = makeUniqueName('Узко')
  await newRecord('news', { title: `${name} событие`, kind: 'event', views: 9 })
  await newRecord('news', { title: `${name} новость` })
  await loginAsOwner()
  await page.goto(`/app/news?q=${encodeURIComponent(name)}`)
  await expect(card(page, name)).toHaveCount(2)
  const filterButtons = page.getByRole('button', { name: /^Фильтры и порядок/ })
  const panel = page.getByRole('dialog', { name: 'Фильтры и порядок' })
  await filterButtons.tap()
  await panel.getByRole('button', { name: 'Любое поле…' }).tap()
  await expectUsablePage(page)
  await panel.getByRole('button', { name: 'Несколько условий…' }).tap()
  const builder = page.getByRole('dialog', { name: 'Несколько условий' })
  await builder.getByRole('button', { name: 'Добавить группу' }).tap()
  await expectUsablePage(page)
  await builder.getByRole('button', { name: 'Убрать группу' }).tap()
  await builder.getByRole('combobox', { name: 'Поле' }).tap()
  await page.getByRole('option', { name: 'Вид', exact: true }).tap()
  await builder.getByRole('checkbox', { name: 'Событие' }).tap()
  await builder.getByRole('button', { name: 'Применить' }).tap()
  await expect(card(page, name)).toHaveCount(1)
  await expectUsablePage(page)

  await filterButtons.tap()
  await panel.getByRole('button', { name: 'Столбцы и вид' }).tap()
  await panel.getByRole('checkbox', { name: 'Просмотры' }).tap()
  await expectUsablePage(page)
  await panel.getByRole('combobox', { name: 'Группировать по' }).tap()
  await page.getByRole('option', { name: 'Вид', exact: true }).tap()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(card(page, name).getByText('Просмотры')).toBeVisible()
  await page.getByRole('button', { name: 'Вид: Событие', expanded: true }).tap()
  await expect(card(page, name)).toHaveCount(0)
  await expectUsablePage(page)
})

test('compares two versions of a field and restores one from the history on a phone', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const { id } = await newRecord('news', { title: makeUniqueName('Вдвоём'), description: 'Было' })
  await loginAsOwner()
  await page.goto(`/app/news/${id}`)
  const description = page.getByRole('textbox', { name: 'Описание' })
  await description.fill('Моё')
  await colleague('PUT', `/news/${id}`, { data: { description: 'Чужое' } })
  await page.getByRole('button', { name: 'Сохранить', exact: true }).tap()
  const conflict = page.getByRole('dialog', { name: 'Две версии одного поля' })
  await expect(conflict).toContainText('Чужое')
  await expectUsablePage(page)
  await conflict.getByRole('radio', { name: /^Вы/ }).tap()
  await conflict.getByRole('button', { name: 'Сохранить выбранное' }).tap()
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()

  await page.getByRole('button', { name: 'Другие действия' }).tap()
  await page.getByRole('menuitem', { name: 'История' }).tap()
  const history = page.getByRole('dialog', { name: 'История изменений' })
  await expect(history.getByRole('listitem').first()).toContainText('Чужое')
  await expectUsablePage(page)
  await history.getByRole('button', { name: 'Вернуть прежнее значение' }).first().tap()
  await page
    .getByRole('dialog', { name: /^Вернуть прежнее/ })
    .getByRole('button', { name: 'Восстановить' })
    .tap()
  await expect(page.getByText('Возвращено: Описание').last()).toBeVisible()
  await history.getByRole('button', { name: 'Закрыть' }).tap()
  await expect(description).toHaveValue('Чужое')
})

/** Bulk edits: the number of rows, the preview, and the undo. */
import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  expectOverlayAccessible,
  type TestFixtures,
  test,
  makeUniqueName,
} from './fixtures.ts'

type ColleagueCall = TestFixtures['colleague']

interface Row {
  id: number
  attributes: Record<string, unknown>
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Выбрать: ${name}` })
const pageCheckbox = (page: Page) => page.getByRole('checkbox', { name: 'Выбрать все строки страницы' })
const goToPage = (page: Page, number: number) =>
  page.getByRole('button', { name: `Перейти на страницу ${number}` }).click()

const listOf = (path: string, name: string, extraQuery = '') =>
  `/app/${path}?q=${encodeURIComponent(name)}&sort=title${extraQuery}`

/** Creates news that only this test knows; the last one is hidden in the apps. */
async function createNews(count: number, name: string, newRecord: TestFixtures['newRecord']): Promise<string[]> {
  const titles = Array.from({ length: count }, (_, index) => `${name} ${String(index + 1).padStart(2, '0')}`)
  await Promise.all(titles.map((title, index) => newRecord('news', { title, views: index, active: index < count - 1 })))
  return titles
}

/** The news on the server, without the fields that every write changes. */
async function rowsOf(colleague: ColleagueCall, name: string): Promise<string[]> {
  const query = new URLSearchParams({ _q: name, locale: 'ru', sort: 'title', 'pagination[pageSize]': '100' })
  const { data } = await colleague<{ data: Row[] }>('GET', `/news?${query.toString()}`)
  return data.map(({ id, attributes: { version: _version, updatedAt: _updatedAt, ...otherFields } }) =>
    JSON.stringify({ id, ...otherFields }),
  )
}

test('deactivates rows of all pages after a preview, and restores every row with Ctrl Z', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const name = makeUniqueName('Сразу')
  const [firstTitle = '', ...otherTitles] = await createNews(10, name, newRecord)
  const lastTitle = otherTitles.at(-1) ?? ''
  const formerRows = await rowsOf(colleague, name)
  await loginAsOwner()
  await page.goto(listOf('news', name, '&size=8'))
  await box(page, firstTitle).check()
  const bar = page.getByRole('region', { name: 'Новости' })
  await expect(bar.getByText('Выбрана 1 запись').last()).toBeVisible()
  await goToPage(page, 2)
  await box(page, lastTitle).check()
  await expect(bar.getByText('Выбраны 2 записи').last()).toBeVisible()
  await goToPage(page, 1)
  await expect(box(page, firstTitle)).toBeChecked()
  await pageCheckbox(page).check()
  await expect(bar.getByText('Выбрано 9 записей').last()).toBeVisible()
  await page.getByRole('button', { name: 'Выбрать все 10' }).click()
  await expect(bar.getByText('Выбрано 10 записей').last()).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Сделать неактивными' }).click()
  const dialog = page.getByRole('dialog', { name: 'Сделать неактивными 10 записей' })
  await expect(dialog.getByText('Изменится 9 записей.')).toBeVisible()
  await expect(dialog.getByText('1 запись останется как есть.')).toBeVisible()
  expect(await rowsOf(colleague, name)).toEqual(formerRows)
  await expectOverlayAccessible(page)
  await dialog.getByRole('button', { name: 'Изменить 9 записей' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Изменено 9 записей').last()).toBeVisible()
  await expect(rowOf(page, firstTitle).getByText('Неактивно')).toBeVisible()
  await expect(page.getByText('Выбрано 10 записей')).toHaveCount(0)
  expect((await rowsOf(colleague, name)).filter((row) => row.includes('"active":true'))).toEqual([])

  await page.keyboard.press('Control+z')
  await expect(page.getByText('Отменено: Изменено 9 записей')).toBeVisible()
  await expect(rowOf(page, firstTitle).getByText('Активно')).toBeVisible()
  expect(await rowsOf(colleague, name)).toEqual(formerRows)
})

test('previews a bulk edit again when the list has changed, and restores deleted rows', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const name = makeUniqueName('Удаление')
  const [firstTitle = '', secondTitle = ''] = await createNews(9, name, newRecord)
  await loginAsOwner()
  await page.goto(listOf('news', name, '&size=8'))
  await pageCheckbox(page).check()
  await page.getByRole('button', { name: 'Выбрать все 9' }).click()
  await newRecord('news', { title: `${name} 10` })
  await page.getByRole('button', { name: 'Удалить', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Удалить (9|10) записей\?$/ })
  await expect(dialog.getByText('Список изменился: теперь в нём 10 записей, а не 9. Ничего не сделано.')).toBeVisible()
  await expectOverlayAccessible(page)
  await dialog.getByRole('button', { name: 'Проверить снова' }).click()
  await expect(dialog.getByText('Будет удалено 10 записей на всех языках.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Отмена' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Снять выделение' })).toBeHidden()
  expect(await rowsOf(colleague, name)).toHaveLength(10)

  await box(page, firstTitle).check()
  await box(page, secondTitle).check()
  await page.getByRole('button', { name: 'Удалить', exact: true }).click()
  const deleteDialog = page.getByRole('dialog', { name: 'Удалить 2 записи?' })
  await expect(deleteDialog.getByText('Удалённое можно восстановить в течение 30 дней.')).toBeVisible()
  await deleteDialog.getByRole('button', { name: 'Удалить 2 записи' }).click()
  // While a dialog is open, no row behind it is found by its role.
  await expect(deleteDialog).toBeHidden()
  await expect(rowOf(page, firstTitle)).toHaveCount(0)
  expect(await rowsOf(colleague, name)).toHaveLength(8)
  await page.getByRole('button', { name: 'Отменить действие' }).click()
  await expect(rowOf(page, firstTitle)).toHaveCount(1)
  expect(await rowsOf(colleague, name)).toHaveLength(10)
})

test('names the refused row of a bulk edit with the reason, and changes the other rows or none', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const name = makeUniqueName('Район')
  const { data: regions } = await colleague<{ data: Row[] }>('GET', '/regions?locale=ru&pagination[pageSize]=1')
  const region = regions[0]?.id
  const usedDistrict = await newRecord('districts', { name: `${name} нужный`, region })
  await newRecord('districts', { name: `${name} лишний`, region })
  const branch = await newRecord('branches', { name, address: name, region, district: usedDistrict.id })
  await loginAsOwner()
  await page.goto(`/app/settings/districts?q=${encodeURIComponent(name)}`)
  await pageCheckbox(page).check()
  await page.getByRole('button', { name: 'Удалить', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Удалить 2 записи?' })
  await expect(dialog.getByText('1 запись удалить нельзя:')).toBeVisible()
  const refusalRegion = dialog.getByRole('region', { name: 'Записи с отказом' })
  await expect(refusalRegion.getByRole('link', { name: `${name} нужный` })).toBeVisible()
  await expect(refusalRegion).toContainText('Запись используется в других местах, удалить её нельзя.')
  await expectAccessible(page)
  const allOrNothingBox = dialog.getByRole('checkbox', { name: /^Всё или ничего/ })
  await allOrNothingBox.check()
  await expect(dialog.getByRole('button', { name: 'Удалить 1 запись' })).toBeDisabled()
  await allOrNothingBox.uncheck()
  await dialog.getByRole('button', { name: 'Удалить 1 запись' }).click()
  await expect(dialog.getByText('Отказано для 1 записи:')).toBeVisible()
  await expect(refusalRegion.getByRole('link', { name: `${name} нужный` })).toBeVisible()
  await dialog.getByRole('button', { name: 'Закрыть' }).click()
  await expect(rowOf(page, `${name} нужный`)).toHaveCount(1)
  await expect(rowOf(page, `${name} лишний`)).toHaveCount(0)
  await colleague('DELETE', `/branches/${branch.id}?locale=all`)
  await colleague('DELETE', `/districts/${usedDistrict.id}?locale=all`)
})

/** Filtering a list: every kind of condition appears as a chip and in the address, which can be shared. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type TestFixtures, test, makeUniqueName } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'

const chips = (page: Page) => page.getByRole('list', { name: 'Активные фильтры' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Фильтры' })

/** Opens the filter panel and chooses a field and its condition. */
async function filterByField(page: Page, field: string, condition?: string): Promise<void> {
  await page.getByRole('button', { name: /^Фильтры/ }).click()
  await panel(page).getByRole('combobox', { name: 'Поле' }).click()
  await page.getByRole('option', { name: field, exact: true }).click()
  if (condition === undefined) return
  await panel(page).getByRole('combobox', { name: 'Условие' }).click()
  await page.getByRole('option', { name: condition, exact: true }).click()
}

async function applyChip(page: Page, chip: RegExp): Promise<void> {
  await panel(page).getByRole('button', { name: 'Применить' }).click()
  await expect(panel(page)).toBeHidden()
  await expect(chips(page).getByText(chip)).toBeVisible()
}

/** Creates two news that only this test knows: one matches every condition, the other matches none. */
async function twoNews(newRecord: TestFixtures['newRecord']): Promise<{ name: string; in: string; out: string }> {
  const name = makeUniqueName('Отбор')
  const matchingNews = { title: `${name} наш`, link: 'https://example.org/water', views: 77, date: '2019-04-05' }
  await newRecord('news', { ...matchingNews, active: true })
  await newRecord('news', { title: `${name} другой`, views: 3, date: '2021-04-05', active: false })
  return { name, in: matchingNews.title, out: `${name} другой` }
}

test('shows text, number, date, choice, record and missing-language filters as chips and in the address', async ({
  page,
  login,
  newRecord,
  context,
}) => {
  test.slow()
  const newsPair = await twoNews(newRecord)
  const address = `/app/news?${new URLSearchParams({ q: newsPair.name }).toString()}`
  await login('owner')
  await page.goto(address)
  const ownRows = page.getByRole('row').filter({ hasText: newsPair.in })
  const otherRows = page.getByRole('row').filter({ hasText: newsPair.out })
  await expect(otherRows).toHaveCount(1)

  await filterByField(page, 'Ссылка', 'Содержит')
  await panel(page).getByRole('button', { name: 'Применить' }).click()
  await expect(panel(page).getByText('Укажите хотя бы одно значение')).toBeVisible()
  await expectAccessible(page)
  await panel(page).getByRole('textbox', { name: 'Значение' }).fill('water')
  await applyChip(page, /^Ссылка: содержит «water»/)
  await expect(otherRows).toHaveCount(0)
  await expect(ownRows).toHaveCount(1)

  await filterByField(page, 'Просмотры')
  await panel(page).getByRole('textbox', { name: 'От' }).fill('50')
  await panel(page).getByRole('textbox', { name: 'До' }).fill('100')
  await applyChip(page, /^Просмотры: 50–100/)
  await filterByField(page, 'Дата')
  await panel(page).getByRole('textbox', { name: 'От' }).fill('01.04.2019')
  await panel(page).getByRole('textbox', { name: 'До' }).fill('30.04.2019')
  await applyChip(page, /^Дата: 01\.04\.2019–30\.04\.2019/)
  await filterByField(page, 'Нет перевода на язык')
  await panel(page).getByRole('radio', { name: 'Qaraqalpaqsha' }).check()
  await applyChip(page, /^Нет перевода на язык: Qaraqalpaqsha/)
  await expect(ownRows).toHaveCount(1)
  await expectAccessible(page)

  const narrowedAddress = page.url()
  const sharedPage = await context.newPage()
  await login('admin', { page: sharedPage })
  await sharedPage.goto(narrowedAddress)
  await expect(chips(sharedPage).getByRole('listitem')).toHaveCount(5)
  await expect(sharedPage.getByRole('row').filter({ hasText: newsPair.in })).toHaveCount(1)
  await sharedPage.close()

  await chips(page)
    .getByRole('button', { name: /^Убрать: Просмотры/ })
    .click()
  await expect(chips(page).getByText(/^Просмотры/)).toHaveCount(0)
  await chips(page).getByRole('button', { name: 'Убрать все фильтры' }).click()
  await expect(chips(page)).toHaveCount(0)
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('button', { name: /^Фильтры/ })).toBeFocused()
  await expect(otherRows).toHaveCount(1)
})

test('filters a list by a linked record whose name is typed into the row of filters', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/settings/districts')
  const region = page.getByRole('main').getByRole('combobox', { name: 'Регион' })
  await region.click()
  const search = page.getByRole('dialog').getByRole('combobox')
  await expect(search).toBeFocused()
  await search.fill('каракалпак')
  await page.getByRole('option', { name: 'Республика Каракалпакстан' }).click()
  await expect(page).toHaveURL(/f\.region=\d+/)
  await expect(region).toContainText('Республика Каракалпакстан')
  await expect(page.getByRole('row').filter({ hasText: 'Республика Каракалпакстан' }).first()).toBeVisible()
})

test('keeps the display mode for the next list and forgets the mode at sign-out', async ({ page, login }) => {
  await login('admin')
  await page.goto('/app/news')
  const mode = page.getByRole('group', { name: 'Вид списка' })
  await mode.getByRole('button', { name: 'Миниатюры' }).click()
  await expect(page.getByRole('table')).toHaveCount(0)
  await expectSettledPage(page)
  await expectAccessible(page)
  await mode.getByRole('button', { name: 'Изображения' }).click()
  await page.goto('/app/partners')
  await expect(mode.getByRole('button', { name: 'Изображения' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  await page.getByRole('button', { name: /^Учётная запись/ }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page.getByText('Вы вышли из системы')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('display-mode'))).toBeNull()
})

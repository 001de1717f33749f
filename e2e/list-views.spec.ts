/** A list arranged by one user, saved as a view, and opened by another. */
import type { Locator, Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  expectOverlayAccessible,
  type TestFixtures,
  test,
  makeUniqueName,
} from './fixtures.ts'

const findHeads = (page: Page) => page.getByRole('columnheader')
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Столбцы и вид' })
const viewMenu = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })

async function choose(page: Page, select: Locator, option: string): Promise<void> {
  await select.click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await expect(page.getByRole('option')).toHaveCount(0)
}

/** Creates two events and a plain news record that only this test knows. */
async function threeNews(newRecord: TestFixtures['newRecord']): Promise<string> {
  const name = makeUniqueName('Вид')
  await newRecord('news', { title: `${name} ярмарка`, kind: 'event', views: 700 })
  await newRecord('news', { title: `${name} выставка`, kind: 'event', views: 40 })
  await newRecord('news', { title: `${name} заметка`, kind: 'news', views: 5 })
  return name
}

test('saves columns, width, groups and conditions as a view, then shares, pins and opens the view elsewhere', async ({
  page,
  loginAsOwner,
  login,
  newRecord,
  browser,
}) => {
  test.slow()
  const name = await threeNews(newRecord)
  await loginAsOwner()
  await page.goto(`/app/news?q=${encodeURIComponent(name)}`)

  await test.step('columns and groups', async () => {
    await page.getByRole('button', { name: 'Столбцы и вид' }).click()
    const columns = panelOf(page).getByRole('list', { name: 'Столбцы' })
    await columns.getByRole('checkbox', { name: 'Регион' }).uncheck()
    await columns.getByRole('checkbox', { name: 'Просмотры' }).check()
    const moveEarlierButton = columns.getByRole('button', { name: 'Переместить «Просмотры» раньше' })
    while ((await moveEarlierButton.getAttribute('aria-disabled')) !== 'true') await moveEarlierButton.click()
    await choose(page, panelOf(page).getByRole('combobox', { name: 'Группировать по' }), 'Вид')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(panelOf(page)).toBeHidden()
    await expect(findHeads(page).nth(2)).toHaveAccessibleName('Просмотры')
    await expect(page.getByRole('columnheader', { name: 'Регион' })).toHaveCount(0)
    const foldButton = page.getByRole('button', { name: 'Вид: Событие', exact: true })
    await expect(foldButton.locator('xpath=ancestor::tr')).toContainText('2')
    await foldButton.click()
    await expect(page.getByRole('row').filter({ hasText: 'ярмарка' })).toHaveCount(0)
    await expect(page.getByRole('row').filter({ hasText: 'заметка' })).toHaveCount(1)
    await foldButton.click()
    await expectAccessible(page)
  })

  const width = await test.step('a width, by the keys', async () => {
    const viewsHead = page.getByRole('columnheader', { name: 'Просмотры' })
    const widthOf = async () => Math.round((await viewsHead.boundingBox())?.width ?? 0)
    const formerWidth = await widthOf()
    await viewsHead.getByRole('slider', { name: 'Ширина столбца «Просмотры»' }).focus()
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight')
    await expect.poll(widthOf).toBeGreaterThan(formerWidth + 20)
    return await widthOf()
  })

  await test.step('conditions with "and" and "or"', async () => {
    await page.getByRole('button', { name: /^Фильтры/ }).click()
    await page.getByRole('button', { name: 'Несколько условий…' }).click()
    const builder = page.getByRole('dialog', { name: 'Несколько условий' })
    await builder.getByRole('button', { name: 'Добавить группу' }).click()
    // The outer condition selects events; the group inside it selects many views, or no region at all.
    const outerGroup = builder.getByRole('group', { name: 'Условие 1' }).first()
    await choose(page, outerGroup.getByRole('combobox', { name: 'Поле' }), 'Вид')
    await outerGroup.getByRole('checkbox', { name: 'Событие' }).check()
    const group = builder.getByRole('group', { name: 'Любое условие' })
    const innerGroup = group.getByRole('group', { name: 'Условие 1' })
    await choose(page, innerGroup.getByRole('combobox', { name: 'Поле' }), 'Просмотры')
    await builder.getByRole('button', { name: 'Применить' }).click()
    await expect(builder.getByText('Укажите хотя бы одно значение')).toBeVisible()
    await expectAccessible(page)
    await innerGroup.getByRole('textbox', { name: 'От' }).fill('500')
    await group.getByRole('button', { name: 'Добавить условие' }).click()
    const secondCondition = group.getByRole('group', { name: 'Условие 2' })
    await choose(page, secondCondition.getByRole('combobox', { name: 'Поле' }), 'Заголовок')
    await secondCondition.getByRole('textbox', { name: 'Значение' }).fill('нет такого')
    await builder.getByRole('button', { name: 'Применить' }).click()
    await expect(builder).toBeHidden()
    const chips = page.getByRole('list', { name: 'Активные фильтры' })
    await expect(chips).toContainText('Вид: Событие и (Просмотры: от 500 или Заголовок: содержит «нет такого»)')
    await expect(page.getByRole('row').filter({ hasText: name })).toHaveText([/ярмарка/])
  })

  await test.step('stored, shared and pinned', async () => {
    await page.getByRole('button', { name: 'Виды', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Сохранить как новый вид' }).click()
    const dialog = page.getByRole('dialog', { name: 'Сохранить как новый вид' })
    await dialog.getByRole('textbox', { name: /^Название вида/ }).fill(name)
    await choose(page, dialog.getByRole('combobox', { name: 'Кому доступен' }), 'Администратор и выше')
    await dialog.getByRole('checkbox', { name: 'Закрепить в меню' }).check()
    await expectOverlayAccessible(page)
    await dialog.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByText(`Вид сохранён: ${name}`)).toBeVisible()
    await expect(page).toHaveURL(/\/app\/news\?view=\d+$/)
  })

  await test.step('opened by another account, from its menu', async () => {
    const context = await browser.newContext()
    const otherPage = await context.newPage()
    await login('admin', { page: otherPage, language: 'ru' })
    await otherPage.goto('/app/news')
    const pinnedLink = otherPage.getByRole('link', { name: new RegExp(String.raw`^${name}( \d+)?$`) })
    await expect(pinnedLink).toHaveText(new RegExp(`${name}\\s*1$`))
    await pinnedLink.click()
    await expect(otherPage.getByRole('row').filter({ hasText: name })).toHaveText([/ярмарка/])
    await expect(findHeads(otherPage).nth(2)).toHaveAccessibleName('Просмотры')
    await expect(otherPage.getByRole('button', { name: 'Вид: Событие', exact: true })).toBeVisible()
    expect(
      Math.round((await otherPage.getByRole('columnheader', { name: 'Просмотры' }).boundingBox())?.width ?? 0),
    ).toBe(width)
    await expectAccessible(otherPage)
    // A user's own arrangement of a shared view does not change the view for other users.
    await otherPage.getByRole('button', { name: 'Просмотры', exact: true }).click()
    await expect(viewMenu(otherPage, name)).toContainText('изменён')
    await context.close()
  })

  await test.step('deleted, restored and deleted', async () => {
    const remove = async () => {
      // The keyboard reaches the button, which a toast covers for two seconds.
      await viewMenu(page, name).press('Enter')
      await page.getByRole('menuitem', { name: 'Удалить вид' }).press('Enter')
      await expect(page.getByText(`Вид удалён: ${name}`).last()).toBeVisible()
    }
    await remove()
    await expect(page.getByRole('button', { name: 'Виды', exact: true })).toBeVisible()
    await page.keyboard.press('Control+z')
    const pinnedLink = page.getByRole('link', { name: new RegExp(String.raw`^${name}( \d+)?$`) })
    await pinnedLink.click()
    await remove()
    await expect(pinnedLink).toBeHidden()
  })
})

test('opens a view that names missing fields and reports which parts were left out', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const name = await threeNews(newRecord)
  const state = {
    search: { q: name, 'f.kind': 'event', 'f.harvest': '1', sort: 'harvest' },
    columns: ['title', 'harvest', 'views'],
  }
  const { data: view } = await colleague('POST', '/list-views', { data: { name, screen: 'news', state } })
  await loginAsOwner()
  await page.goto(`/app/news?view=${view.id}`)
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(2)
  await expect(page.getByText(/^Пропущено, потому что здесь этого больше нет: \S+\.$/)).toBeVisible()
  await expectAccessible(page)
  await colleague('DELETE', `/list-views/${view.id}`)
  await page.goto(`/app/news?view=${view.id}`)
  await expect(page.getByText('Этого вида больше нет, или он вам недоступен.')).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
})

/** The main tests repeated on a phone: 390 × 844, by touch. */
import type { Page } from '@playwright/test'
import { accountOf, expect, expectAccessible, expectOverlayAccessible, test, makeUniqueName } from './fixtures.ts'

const titleField = (page: Page) => page.getByRole('textbox', { name: /^Заголовок/ })

/** Expects nothing wider than the window, and touch targets that are large enough. */
async function expectPageFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
}

test('signs in, opens the news and signs out on a phone', async ({ page }) => {
  await page.goto('/app/news')
  await expect(page).toHaveURL(/\/user\/login/)
  await expectPageFits(page)
  await expectAccessible(page)
  const account = accountOf('admin')
  await page.getByLabel('Имя пользователя или эл. почта').fill(account.identifier)
  await page.getByRole('textbox', { name: 'Пароль' }).fill(account.password)
  await page.getByRole('button', { name: 'Войти' }).tap()
  await expect(page).toHaveURL('/app/news')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await expectPageFits(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Учётная запись: Marat A.' }).tap()
  await page.getByRole('menuitem', { name: 'Выйти' }).tap()
  await expect(page).toHaveURL(/\/user\/login/)
})

test('creates, translates, finds and deletes a news record on a phone', async ({ page, login }) => {
  const title = makeUniqueName('С телефона')
  await login('owner')
  await page.goto('/app/news')
  await page.getByRole('link', { name: 'Добавить новый' }).tap()
  await titleField(page).fill(title)
  await expectPageFits(page)
  await expect(page.getByRole('navigation', { name: 'Основная навигация' })).toBeHidden()
  await page.getByRole('button', { name: 'Сохранить', exact: true }).tap()
  await expect(page.getByText('Успешно создано: Новость')).toBeVisible()
  await expect(page).toHaveURL(/news\/\d+/)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.getByRole('combobox', { name: 'Язык текста' }).tap()
  await expectAccessible(page)
  await page.getByRole('option', { name: 'Qaraqalpaqsha' }).tap()
  await titleField(page).fill(`${title} kaa`)
  await page.getByRole('button', { name: 'Сохранить', exact: true }).tap()
  await expect(page.getByText('Успешно обновлено: Новость')).toBeVisible()
  await expectAccessible(page)

  await page.goto('/app/news?lang=kaa')
  await page.getByRole('searchbox', { name: /Поиск/ }).fill(title)
  await expect(page.getByRole('link', { name: `${title} kaa` })).toBeVisible()
  await page.getByRole('button', { name: `Действия: ${title} kaa` }).tap()
  await page.getByRole('menuitem', { name: 'Удалить' }).tap()
  const question = page.getByRole('dialog', { name: 'Вы хотите удалить это?' })
  await expect(question.getByRole('button', { name: 'Отмена' })).toBeVisible()
  await expectPageFits(page)
  await expectOverlayAccessible(page)
  await question.getByRole('button', { name: 'Удалить' }).tap()
  await expect(page.getByText('Успешно удалено: Новость')).toBeVisible()
})

test('sets the region of a district on a phone', async ({ page, login }) => {
  const name = makeUniqueName('Район')
  await login('owner')
  await page.goto('/app/settings/districts/new')
  await page.getByRole('textbox', { name: /^Название/ }).fill(name)
  await page.getByRole('combobox', { name: /^Регион/ }).tap()
  await page.getByRole('combobox', { name: /^Регион/ }).fill('каракалпак')
  await page.getByRole('option', { name: 'Республика Каракалпакстан' }).tap()
  await page.getByRole('button', { name: 'Сохранить', exact: true }).tap()
  await expect(page.getByText('Успешно создано: Район')).toBeVisible()
  await expectPageFits(page)
})

test('opens the sections from the bottom bar of a phone and closes them with Back', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/news')
  const bar = page.getByRole('navigation', { name: 'Основная навигация' })
  await bar.getByRole('button', { name: 'Настройки' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Основная навигация' })
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Общие', expanded: false }).tap()
  await expectAccessible(page)
  await sheet.getByRole('link', { name: 'Теги' }).tap()
  await expect(page).toHaveURL('/app/settings/tags')
  await expect(sheet).toBeHidden()
  await expectPageFits(page)
})

test('saves language, colour, mode, corners and direction from the account menu of a phone', async ({
  page,
  login,
}) => {
  await login('owner')
  await page.goto('/app/settings/regions')
  const html = page.locator('html')
  const menu = page.getByRole('button', { name: /^(Учётная запись|Akkaunt)/ })
  await menu.tap()
  await expectAccessible(page)
  // A change of mode reloads the page, like a change of colour.
  const lightLoad = page.waitForEvent('load')
  await page.getByRole('menuitemradio', { name: 'Светлая' }).tap()
  await lightLoad
  await menu.tap()
  await page.getByRole('menuitemradio', { name: 'Прямые' }).tap()
  await page.getByRole('menuitemradio', { name: 'Справа налево' }).tap()
  await page.getByRole('menuitemradio', { name: 'Qaraqalpaqsha' }).tap()
  const reloadEvent = page.waitForEvent('load')
  await page
    .getByRole('menuitemradio', { name: /Moxlı|Mox|jasıl/ })
    .first()
    .tap()
  await reloadEvent
  await expect(html).toHaveAttribute('lang', 'kaa')
  await expect(html).toHaveAttribute('data-mode', 'light')
  await expect(html).toHaveAttribute('data-radius', 'flat')
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(html).not.toHaveAttribute('data-palette', 'blueolympic')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await expectPageFits(page)
  await expectAccessible(page)
})

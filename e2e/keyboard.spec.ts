/** The panel without a mouse: everything is reached, visible and left again with the keyboard. */
import type { Page } from '@playwright/test'
import { expect, test, makeUniqueName } from './fixtures.ts'
import { tabToTarget } from './tab-to.ts'

/** Expects the focused element to have a visible focus mark. */
async function expectFocusVisible(page: Page): Promise<void> {
  const drawnElement = await page.evaluate(() => {
    for (let element = document.activeElement; element; element = element.parentElement) {
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return true
      if (element.tagName === 'MAIN') return false
    }
    return false
  })
  expect(drawnElement).toBe(true)
}

test('offers the link past the menus on the first Tab', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/settings/tags')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('Tab')
  const skipLink = page.getByRole('link', { name: 'Перейти к основному содержимому' })
  await expect(skipLink).toBeFocused()
  await expect(skipLink).toBeInViewport()
  await expectFocusVisible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  // The first Tab focuses a control of the page, whichever tools of the top bar have loaded.
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
  await expectFocusVisible(page)
})

test('creates, finds and deletes a tag without a mouse', async ({ page, login }) => {
  const name = makeUniqueName('Тег с клавиатуры')
  await login('owner')
  await page.goto('/app/settings/tags')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await tabToTarget(page, page.getByRole('link', { name: 'Добавить новый' }))
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: /^Название/ })
  await expect(field).toBeVisible()
  await tabToTarget(page, field)
  await expectFocusVisible(page)
  await page.keyboard.type(name)
  await tabToTarget(page, page.getByRole('button', { name: 'Сохранить', exact: true }))
  await expectFocusVisible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Успешно создано: Тег')).toBeVisible()
  await expect(page).toHaveURL(/tags\/\d+/)

  await tabToTarget(page, page.getByRole('link', { name: 'Теги' }).first())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/app/settings/tags')
  await tabToTarget(page, page.getByRole('searchbox', { name: /Поиск/ }))
  await page.keyboard.type(name)
  await expect(page.getByRole('row')).toHaveCount(2)
  const menu = page.getByRole('button', { name: `Действия: ${name}` })
  await tabToTarget(page, menu)
  await expectFocusVisible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page.getByRole('menuitem', { name: 'Изменить' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Удалить' })).toBeFocused()
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Вы хотите удалить это?' })
  await expect(question.getByRole('button', { name: 'Отмена' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(menu).toBeFocused()

  await page.keyboard.press('Enter')
  // A menu is visible before it has the focus; a key pressed in between reaches the button behind it.
  await expect(page.getByRole('menuitem', { name: 'Изменить' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Удалить' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question.getByRole('button', { name: 'Отмена' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Успешно удалено: Тег')).toBeVisible()
})

test('opens a page by its name with Ctrl K and returns the focus on Escape', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/settings/tags')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  const jumpDialog = page.getByRole('dialog', { name: 'Поиск и переход' })
  const button = page.getByRole('button', { name: /^Поиск и переход/ }).first()
  await button.focus()
  await page.keyboard.press('Control+k')
  await expect(jumpDialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(jumpDialog).toBeHidden()
  await expect(button).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(jumpDialog.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('новос')
  await expect(jumpDialog.getByRole('option').first()).toHaveText(/^Новости/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/app/news')
})

test('returns the focus from a menu to its button', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/settings/tags')
  for (const name of [/^Язык интерфейса/, 'Цвет, углы и направление', /^Учётная запись/]) {
    const button = page.getByRole('button', { name })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(button).toBeFocused()
  }
})

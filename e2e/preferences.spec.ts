/** Preferences of a user survive a reload. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'

const html = (page: Page) => page.locator('html')

test('changes the language of the panel immediately and saves the choice', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/news')
  for (const [button, choice, language, title] of [
    ['Язык интерфейса: Русский', 'English', 'en', 'News'],
    ['Interface language: English', 'Oʻzbekcha', 'uz', 'Yangiliklar'],
    ['Interfeys tili: Oʻzbekcha', 'Русский', 'ru', 'Новости'],
    ['Язык интерфейса: Русский', 'Qaraqalpaqsha', 'kaa', 'Jańalıqlar'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('menuitemradio', { name: choice }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
    await expect(html(page)).toHaveAttribute('lang', language)
  }
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Jańalıqlar')
  await expect(html(page)).toHaveAttribute('lang', 'kaa')
})

test('applies a new colour of the panel immediately, and keeps the typed text over the reload', async ({
  page,
  login,
}) => {
  await login('owner')
  await page.goto('/app/settings/tags/new')
  await page.getByRole('textbox', { name: /^Название/ }).fill('Недописанный тег')
  await page.getByRole('button', { name: 'Цвет, углы и направление' }).click()
  await expectAccessible(page)
  const reloadEvent = page.waitForEvent('load')
  await page.getByRole('menuitemradio', { name: 'Моховой зелёный' }).click()
  await expect(html(page)).toHaveAttribute('data-palette', 'greenmoss')
  await reloadEvent
  await expect(html(page)).toHaveAttribute('data-palette', 'greenmoss')
  await expect(page.getByRole('textbox', { name: /^Название/ })).toHaveValue('Недописанный тег')
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark.greenmoss')
})

test('saves the light mode, flat corners and the direction from right to left', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/settings/regions')
  await expect(html(page)).toHaveAttribute('data-mode', 'dark')
  const reloadEvent = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Включить светлую тему' }).click()
  await reloadEvent
  await page.getByRole('button', { name: 'Цвет, углы и направление' }).click()
  await page.getByRole('menuitemradio', { name: 'Прямые' }).click()
  await page.getByRole('menuitemradio', { name: 'Справа налево' }).click()
  await page.keyboard.press('Escape')
  for (const isRepeated of [false, true]) {
    if (isRepeated) await page.reload()
    await expect(html(page)).toHaveAttribute('data-mode', 'light')
    await expect(html(page)).toHaveAttribute('data-radius', 'flat')
    await expect(html(page)).toHaveAttribute('dir', 'rtl')
  }
  await expect(page.getByRole('link', { name: 'Республика Каракалпакстан' })).toBeVisible()
  await expectAccessible(page)
})

test('walks the menu through its four states by clicks and saves the last state', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/news')
  const menuRail = page.getByRole('navigation', { name: 'Основная навигация' })
  const sub = page.getByRole('navigation', { name: 'Страницы раздела «Контент»' })
  const button = page.getByRole('button', { name: /^Изменить меню/ })

  await expect(menuRail).toBeVisible()
  await expect(sub).toBeVisible()
  await expect(button).toHaveAccessibleName('Изменить меню. Далее: Подменю скрыто')
  await button.click()
  await expect(menuRail).toBeVisible()
  await expect(sub).toBeHidden()
  await button.click()
  await expect(menuRail).toBeHidden()
  await expect(sub).toBeHidden()
  await page.reload()
  await expect(button).toHaveAccessibleName('Изменить меню. Далее: Меню показано временно')
  await expect(menuRail).toBeHidden()
  await button.click()
  const menuOverlay = page.getByRole('dialog', { name: 'Основная навигация' })
  await expect(menuOverlay.getByRole('link', { name: 'Филиалы' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(menuOverlay).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await expect(menuRail).toBeVisible()
  await expect(sub).toBeVisible()
  await page.reload()
  await expect(sub).toBeVisible()
})

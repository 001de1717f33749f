/** Changes theme and language of an open page. */
import { expect, type Page } from '@playwright/test'

interface Appearance {
  /** Theme with its mode: `dark.blueolympic`, `light.greenmoss`, … */
  theme: string
  language?: 'en' | 'ru' | 'uz' | 'kaa'
}

/**
 * Changes the stored preferences as another tab would: the page applies them without a reload.
 */
export async function setAppearance(page: Page, { theme, language }: Appearance): Promise<void> {
  await page.evaluate(
    (choices) => {
      for (const [key, value] of Object.entries(choices)) {
        localStorage.setItem(key, value)
        dispatchEvent(new StorageEvent('storage', { key }))
      }
    },
    { theme, ...(language && { 'current-language': language }) },
  )
  const [mode = '', palette = ''] = theme.split('.')
  await expect(page.locator('html')).toHaveAttribute('data-mode', mode)
  await expect(page.locator('html')).toHaveAttribute('data-palette', palette)
  if (language) await expect(page.locator('html')).toHaveAttribute('lang', language)
}

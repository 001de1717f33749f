/** Changes theme and language of an open page. */
import { expect, type Page } from '@playwright/test'

interface Appearance {
  /** Theme with its mode: `dark.blueolympic`, `light.greenmoss`, … */
  theme: string
  language?: 'en' | 'ru' | 'uz' | 'kaa'
}

/** The two appearances in which pages are checked: they differ in the family of the theme and in the language. */
export const appearances = {
  light: { theme: 'light.greenmoss', language: 'kaa' },
  dark: { theme: 'dark.blueolympic', language: 'ru' },
} as const satisfies Record<string, Appearance>

/** The appearance of the other family than the page has now. */
export async function otherAppearance(page: Page): Promise<Appearance> {
  const isDark = (await page.locator('html').getAttribute('data-mode')) === 'dark'
  return isDark ? appearances.light : appearances.dark
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

/**
 * Uzbek and Karakalpak do not depend on the browser's languages: dates, numbers and plurals are the product's
 * own.
 */
import type { Browser, Page } from '@playwright/test'
import { expect, type TestFixtures, test, makeUniqueName } from './fixtures.ts'
import { expectSettledPage, watchRequests } from './settled.ts'

const openCalendar = { uz: 'Taqvimni ochish', kaa: 'Kalendardı ashıw' } as const
const views = { uz: 'Koʻrinishlar', kaa: 'Kórinisler' } as const

/** Waits for the parts of a list that load when the page is idle: its views, the edges of its columns. */
async function expectLateParts(page: Page, language: 'uz' | 'kaa'): Promise<void> {
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: views[language] })).toBeVisible()
  await expect(main.getByRole('slider').first()).toBeAttached()
}

/** Addresses of the pages to read in Uzbek and in Karakalpak. */
type WordPlaces = Readonly<Record<'uz' | 'kaa', readonly string[]>>

/** The visible text of pages in a browser of this locale, by language. */
async function readTexts(
  browser: Browser,
  login: TestFixtures['login'],
  locale: string,
  addresses: WordPlaces,
): Promise<Record<'uz' | 'kaa', string[]>> {
  const context = await browser.newContext({
    locale,
    timezoneId: 'Asia/Tashkent',
    viewport: { width: 1440, height: 900 },
  })
  const page = await context.newPage()
  watchRequests(page)
  await login('owner', { page, language: 'uz' })
  const texts: Record<'uz' | 'kaa', string[]> = { uz: [], kaa: [] }
  for (const language of ['uz', 'kaa'] as const) {
    if (language === 'kaa') await page.evaluate(() => localStorage.setItem('current-language', 'kaa'))
    for (const address of addresses[language]) {
      await page.goto(address)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.getByRole('main').getByRole('time').first()).toBeVisible()
      await expectSettledPage(page)
      if ((await page.getByRole('main').getByRole('table').count()) > 0) await expectLateParts(page, language)
      const calendar = page.getByRole('button', { name: openCalendar[language] })
      if ((await calendar.count()) > 0) {
        await calendar.first().click()
        await expect(page.getByRole('grid')).toBeVisible()
      }
      // The main menu is left out, because it counts the records of every test.
      texts[language].push((await page.locator('main, [role="dialog"]').allInnerTexts()).join('\n'))
    }
  }
  await context.close()
  return texts
}

test('shows the same Uzbek and Karakalpak in an English and in a Russian browser', async ({
  browser,
  login,
  newRecord,
}) => {
  test.slow()
  const readPlaces = async (language: 'uz' | 'kaa') => {
    const title = makeUniqueName('Bir')
    const { id } = await newRecord('news', { title, date: '2026-03-05', views: 12345 }, language)
    // Pages with records that no other test changes meanwhile.
    return [
      `/app/news?q=${encodeURIComponent(title)}`,
      `/app/news/${id}`,
      '/app/settings/districts?sort=name&f.type=city_district',
    ]
  }
  const addresses = { uz: await readPlaces('uz'), kaa: await readPlaces('kaa') }
  const english = await readTexts(browser, login, 'en-US', addresses)
  const russianTexts = await readTexts(browser, login, 'ru-RU', addresses)
  expect(russianTexts).toEqual(english)
  expect(english.uz[0]).toContain('05.03.2026')
  expect(english.kaa[0]).toContain('05.03.2026')
})

test('formats sorting, dates and the number of wrong fields in Karakalpak without the browser', async ({
  page,
  login,
}) => {
  await login('owner', { language: 'kaa' })
  await page.goto('/app/settings/regions/new')
  await page.getByRole('button', { name: 'Saqlaw', exact: true }).click()
  await expect(page.getByText('Atamasın kiritiń')).toBeVisible()
  await page.goto('/app/settings/districts')
  await expect(page.getByText(/^1–15, jámi \d+$/)).toBeVisible()
})

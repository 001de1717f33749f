/**
 * Uzbek and Karakalpak do not depend on the browser's languages: dates, numbers and plurals are the product's
 * own.
 */
import type { Browser, Page } from '@playwright/test'
import { expect, type TestFixtures, test, makeUniqueName } from './fixtures.ts'
import { openInsidePanel } from './open-within.ts'
import { expectSettledPage, watchRequests } from './settled.ts'

type Language = 'uz' | 'uz-Cyrl' | 'kaa' | 'kaa-Cyrl'
const languages = ['uz', 'uz-Cyrl', 'kaa', 'kaa-Cyrl'] as const
const openCalendar: Readonly<Record<Language, string>> = {
  uz: 'Taqvimni ochish',
  'uz-Cyrl': 'Тақвимни очиш',
  kaa: 'Kalendardı ashıw',
  'kaa-Cyrl': 'Календарьды ашыў',
}
const views: Readonly<Record<Language, string>> = {
  uz: 'Koʻrinishlar',
  'uz-Cyrl': 'Кўринишлар',
  kaa: 'Kórinisler',
  'kaa-Cyrl': 'Көринислер',
}

/** Waits for the parts of a list that load when the page is idle: its views, the edges of its columns. */
async function expectLateParts(page: Page, language: Language): Promise<void> {
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: views[language] })).toBeVisible()
  await expect(main.getByRole('slider').first()).toBeAttached()
}

/** Addresses below `/app/` of the pages to read in each language and script. */
type WordPlaces = Readonly<Record<Language, readonly string[]>>

/** Stores a language with its script, as another tab would: an open panel changes to it. */
async function setLanguage(page: Page, language: Language): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.setItem('current-language', chosen.split('-')[0] ?? chosen)
    localStorage.setItem('script', chosen.endsWith('-Cyrl') ? 'cyrillic' : 'latin')
    dispatchEvent(new StorageEvent('storage'))
  }, language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/**
 * The visible text of pages in a browser of this locale, by language. The panel starts in Uzbek and in one further
 * language; it changes to the others while it is open, which must show the same.
 */
async function readTexts(
  { browser, login }: { browser: Browser; login: TestFixtures['login'] },
  { locale, loadedLanguage }: { locale: string; loadedLanguage: Language },
  addresses: WordPlaces,
): Promise<Record<Language, string[]>> {
  const context = await browser.newContext({
    locale,
    timezoneId: 'Asia/Tashkent',
    viewport: { width: 1440, height: 900 },
  })
  const page = await context.newPage()
  watchRequests(page)
  await login('owner', { page, language: 'uz' })
  const heading = page.getByRole('heading', { level: 1 })
  const texts: Record<Language, string[]> = { uz: [], 'uz-Cyrl': [], kaa: [], 'kaa-Cyrl': [] }
  for (const language of languages) {
    for (const [index, address] of addresses[language].entries()) {
      const isFirst = index === 0
      if (isFirst && language === languages[0]) {
        await page.goto(`/app/${address}`)
      } else if (isFirst && language === loadedLanguage) {
        await setLanguage(page, language)
        await page.goto(`/app/${address}`)
      } else {
        const formerHeading = await heading.innerText()
        await openInsidePanel(page, address)
        await expect(heading).not.toHaveText(formerHeading)
        if (isFirst) await setLanguage(page, language)
      }
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

test('shows the same Uzbek and Karakalpak in an English, a Russian and an Uzbek browser, in both scripts', async ({
  browser,
  login,
  newRecord,
}) => {
  test.slow()
  const readPlaces = async (language: 'uz' | 'kaa') => {
    const title = makeUniqueName('Bir')
    const { id } = await newRecord('news', { title, date: '2026-03-05', views: 12345 }, language)
    // Pages with records that no other test changes meanwhile.
    return [`news?q=${encodeURIComponent(title)}`, `news/${id}`, 'settings/districts?sort=name&f.type=city_district']
  }
  const [uz, kaa] = [await readPlaces('uz'), await readPlaces('kaa')]
  const addresses = { uz, 'uz-Cyrl': uz, kaa, 'kaa-Cyrl': kaa }
  const fixtures = { browser, login }
  const english = await readTexts(fixtures, { locale: 'en-US', loadedLanguage: 'uz-Cyrl' }, addresses)
  const russianTexts = await readTexts(fixtures, { locale: 'ru-RU', loadedLanguage: 'kaa' }, addresses)
  const uzbekTexts = await readTexts(fixtures, { locale: 'uz-UZ', loadedLanguage: 'kaa-Cyrl' }, addresses)
  expect(russianTexts).toEqual(english)
  expect(uzbekTexts).toEqual(english)
  for (const language of languages) expect(english[language][0]).toContain('05.03.2026')
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

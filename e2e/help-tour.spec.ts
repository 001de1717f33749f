/**
 * The help of a page and the tour of the panel with the keyboard alone; the help also without a connection.
 */
import type { Page } from '@playwright/test'
import english from '@dala/model/labels/en.json' with { type: 'json' }
import helpInEnglish from '@dala/model/labels/help/en.json' with { type: 'json' }
import helpInKarakalpak from '@dala/model/labels/help/kaa.json' with { type: 'json' }
import helpInRussian from '@dala/model/labels/help/ru.json' with { type: 'json' }
import helpInUzbek from '@dala/model/labels/help/uz.json' with { type: 'json' }
import karakalpak from '@dala/model/labels/kaa.json' with { type: 'json' }
import russian from '@dala/model/labels/ru.json' with { type: 'json' }
import uzbek from '@dala/model/labels/uz.json' with { type: 'json' }
import { accountOf, expect, expectAccessible, test } from './fixtures.ts'
import { setAppearance } from './appearance.ts'
import { expectSettledPage } from './settled.ts'
import { expectAccessibleInBothThemes } from './walk.ts'
import { t } from './messages.ts'

const help = (page: Page, name = t('guide.title')) => page.getByRole('complementary', { name })

/** Opens a page and waits until it handles keys. */
async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectSettledPage(page)
}

test('explains the page in the help on F1, follows the user to other pages and returns the focus', async ({
  page,
  login,
}) => {
  await login('admin')
  await openPage(page, '/app/settings/tags')
  const row = page.getByRole('button', { name: /^Действия: / }).first()
  await row.focus()
  await page.keyboard.press('F1')
  await expect(help(page).getByText(helpInRussian['settings.tags.for'])).toBeVisible()
  await expect(help(page).getByRole('listitem')).toHaveCount(3)
  await expect(help(page).getByRole('heading', { name: t('guide.title'), exact: true })).toBeFocused()
  await expectAccessibleInBothThemes(page)

  // The help panel stays open while the user goes to another page.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: t('jump.open') })).toBeFocused()
  await page.keyboard.type(t('news.many'))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/app/news')
  await expect(help(page).getByText(helpInRussian['news.for'])).toBeVisible()

  await page.keyboard.press('F1')
  await expect(help(page).getByRole('heading', { name: t('guide.title'), exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(help(page)).toBeHidden()
})

test('shows the help in Karakalpak without a connection', async ({ page, login, context }) => {
  await login('admin', { language: 'kaa', theme: 'light.greenmoss' })
  const texts = page.waitForResponse((answer) => answer.url().includes('/assets/help-kaa-') && answer.ok())
  await openPage(page, '/app/settings/unit')
  await texts
  await expectSettledPage(page)
  await context.setOffline(true)
  await page.keyboard.press('F1')
  const panel = help(page, karakalpak['guide.title'])
  await expect(panel.getByText(helpInKarakalpak['settings.unit.for'])).toBeVisible()
  await expect(panel.getByText(karakalpak['guide.things'])).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await context.setOffline(false)
})

test('shows in the help which role has the permission that the user lacks', async ({ page, login }) => {
  await login('consultant')
  await openPage(page, '/app/news')
  await page.keyboard.press('F1')
  await expect(
    help(page)
      .getByText(t('guide.needs', { role: t('roles.values.type.admin') }))
      .first(),
  ).toBeVisible()
  await expectAccessible(page)
})

/** The messages of the panel and the texts of help, by language. */
const languages = {
  en: { words: english, texts: helpInEnglish },
  ru: { words: russian, texts: helpInRussian },
  uz: { words: uzbek, texts: helpInUzbek },
  kaa: { words: karakalpak, texts: helpInKarakalpak },
} as const

type Language = keyof typeof languages
const themeOf = (language: Language) => (language === 'kaa' ? 'dark.blueolympic' : 'light.greenmoss')

test('walks the home page, its help and the tour with the keyboard in the four languages', async ({ page, login }) => {
  test.slow()
  await login('admin', { language: 'ru', theme: themeOf('ru') })
  await openPage(page, '/app/settings/tags')
  // The shortcut of the home page works once the tools of the top bar have loaded, which is after the page.
  await expect(page.getByRole('button', { name: t('nav.notifications') })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page).toHaveURL('/app/home')

  /**
   * Checks the text and the accessibility of a place in one language, the next place in the next language. Then
   * the walk continues in Russian.
   */
  let stepCount = 0
  const expectInNextLanguage = async (stepName: string, isShown: (language: Language) => Promise<void>) => {
    const language = (['kaa', 'en', 'uz'] as const)[stepCount % 3] ?? 'kaa'
    stepCount += 1
    for (const shownLanguage of [language, 'ru'] as const) {
      await test.step(`${stepName} in ${shownLanguage}`, async () => {
        await setAppearance(page, { theme: themeOf(shownLanguage), language: shownLanguage })
        await isShown(shownLanguage)
        if (shownLanguage === 'ru') return
        await expectSettledPage(page)
        await expectAccessible(page)
      })
    }
  }
  await expectInNextLanguage('home', (language) =>
    expect(page.getByRole('region', { name: languages[language].words['home.work'] })).toBeVisible(),
  )

  await page.keyboard.press('F1')
  await expectInNextLanguage('help', async (language) => {
    const { words, texts } = languages[language]
    await expect(help(page, words['guide.title']).getByText(texts['home.for'])).toBeVisible()
    await expect(help(page, words['guide.title']).getByRole('listitem')).toHaveCount(3)
  })
  await page.keyboard.press('Escape')
  await expect(help(page)).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: t('jump.open') })).toBeFocused()
  await page.keyboard.type(t('nav.tour'))
  await page.keyboard.press('Enter')
  for (const name of ['menu', 'search', 'list', 'form', 'inbox', 'help'] as const) {
    await expectInNextLanguage(name, async (language) => {
      const { words } = languages[language]
      await expect(page.getByRole('dialog', { name: words[`tour.${name}.title`] })).toBeVisible()
      await expect(page.locator('[data-tour-light]')).toBeVisible()
      const on = name === 'help' ? words['tour.done'] : words['tour.next']
      await expect(page.locator('[data-tour-step]').getByRole('button', { name: on, exact: true })).toBeFocused()
    })
    await page.keyboard.press('Enter')
  }
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/app/home')
})

test('offers the tour once to a new account, beside the page', async ({ page }) => {
  const { identifier, password } = accountOf('owner')
  await page.goto('/user/login')
  await page.getByRole('textbox').first().fill(identifier)
  await page.getByRole('textbox').nth(1).fill(password)
  await page.keyboard.press('Enter')
  const note = page.getByRole('region', { name: t('nav.tour') })
  await expect(note).toBeVisible()
  await expectAccessible(page)
  await note.getByRole('button', { name: t('tour.offer.later') }).focus()
  await page.keyboard.press('Enter')
  await expect(note).toBeHidden()
  await page.reload()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectSettledPage(page)
  await expect(note).toBeHidden()
})

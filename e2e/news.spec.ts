/** The news: written in Russian, translated, found, edited, and deleted. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectOverlayAccessible, test, makeUniqueName } from './fixtures.ts'

const texts = {
  ru: { language: 'Русский', title: makeUniqueName('Полив хлопка начнётся раньше') },
  uz: { language: 'Oʻzbekcha', title: makeUniqueName('Gʻoʻzani sugʻorish erta boshlanadi') },
  kaa: { language: 'Qaraqalpaqsha', title: makeUniqueName('Ǵawashanı suwǵarıw erte baslanadı') },
  en: { language: 'English', title: makeUniqueName('Cotton watering starts earlier') },
} as const

const titleField = (page: Page) => page.getByRole('textbox', { name: /^Заголовок/ })

/** Chooses the language of the form with the keyboard: a toast of the last save may cover the button. */
async function writeInLanguage(page: Page, language: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Язык текста' }).press('Enter')
  await expect(page.getByRole('option', { selected: true })).toBeFocused()
  await page.getByRole('option', { name: language }).press('Enter')
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByText('Успешно обновлено: Новость').last()).toBeVisible()
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()
}

test('writes a news record in Russian, translates it three times, finds, edits and deletes it', async ({
  page,
  login,
}) => {
  await login('owner')
  await page.goto('/app/news')
  await page.getByRole('link', { name: 'Добавить новый' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await titleField(page).fill(texts.ru.title)
  await page.getByRole('textbox', { name: 'Описание' }).fill('Воды в этом году больше.')
  await page.getByRole('textbox', { name: 'Полный текст' }).fill('Каналы откроют на неделю раньше обычного.')
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  await expect(page.getByText('Успешно создано: Новость')).toBeVisible()
  await expect(page).toHaveURL(/\/app\/news\/\d+/)
  await expect(page.getByRole('heading', { level: 1, name: texts.ru.title })).toBeVisible()

  for (const code of ['uz', 'kaa', 'en'] as const) {
    await writeInLanguage(page, texts[code].language)
    await expect(titleField(page)).toHaveValue('')
    await expect(titleField(page)).toHaveAttribute('lang', code)
    await titleField(page).fill(texts[code].title)
    await save(page)
  }
  await expectAccessible(page)

  for (const code of ['kaa', 'en'] as const) {
    await page.goto(`/app/news?lang=${code}`)
    await page.getByRole('searchbox', { name: /Поиск/ }).fill(texts[code].title)
    await expect(page.getByRole('row')).toHaveCount(2)
    const row = page.getByRole('row').nth(1)
    await expect(row.getByRole('link', { name: texts[code].title })).toHaveAttribute('lang', code)
    await expect(row.getByText('Переведено: English, Русский, Oʻzbekcha и Qaraqalpaqsha')).toBeAttached()
  }

  // Cancelling the question deletes no news.
  const question = page.getByRole('dialog', { name: 'Вы хотите удалить это?' })
  await page.getByRole('button', { name: `Действия: ${texts.en.title}` }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(question.getByRole('button', { name: 'Отмена' })).toBeFocused()
  await expectOverlayAccessible(page)
  await question.getByRole('button', { name: 'Отмена' }).click()
  await expect(page.getByRole('link', { name: texts.en.title })).toBeVisible()

  await page.getByRole('link', { name: texts.en.title }).click()
  await writeInLanguage(page, texts.kaa.language)
  await titleField(page).fill(`${texts.kaa.title}, dedi basqarma`)
  await save(page)
  await expect(page.getByRole('heading', { level: 1, name: `${texts.kaa.title}, dedi basqarma` })).toBeVisible()

  await page.getByRole('button', { name: 'Удалить текст: Oʻzbekcha' }).click()
  await expect(question).toContainText('Oʻzbekcha')
  await question.getByRole('button', { name: 'Удалить' }).click()
  await expect(question).toBeHidden()
  await expect(page.getByRole('button', { name: 'Удалить текст: Oʻzbekcha' })).toBeHidden()
  await writeInLanguage(page, texts.uz.language)
  await expect(titleField(page)).toHaveValue('')
  await writeInLanguage(page, texts.ru.language)
  await expect(titleField(page)).toHaveValue(texts.ru.title)

  await page.getByRole('button', { name: 'Другие действия' }).click()
  await page.getByRole('menuitem', { name: 'Удалить' }).click()
  await expect(question).toContainText(texts.ru.title)
  await question.getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Успешно удалено: Новость')).toBeVisible()
  // The page shows the list again, with its language and its search.
  await expect(page).toHaveURL(/\/app\/news\?.*lang=en/)
  await expect(page.getByText('Нет данных')).toBeVisible()
  await page.goto(`/app/news?q=${encodeURIComponent(texts.ru.title)}`)
  await expect(page.getByText('Нет данных')).toBeVisible()
})

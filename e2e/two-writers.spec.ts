/** Two users edit one news record: no save overwrites the text of the other. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'

const titleField = (page: Page) => page.getByRole('textbox', { name: /^Заголовок/ })
const descriptionField = (page: Page) => page.getByRole('textbox', { name: 'Описание' })
const findConflictDialog = (page: Page) => page.getByRole('dialog', { name: 'Две версии одного поля' })

const pressSave = (page: Page) => page.getByRole('button', { name: 'Сохранить изменения' }).click()
const expectChangesSaved = (page: Page) => expect(page.getByText('Все изменения сохранены')).toBeVisible()

/** Chooses the language of the form with the keyboard: a toast of the last save may cover the button. */
async function writeInLanguage(page: Page, language: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Язык текста' }).press('Enter')
  await expect(page.getByRole('option', { selected: true })).toBeFocused()
  await page.getByRole('option', { name: language }).press('Enter')
}

/** The news record on the server, in every language. */
interface StoredNews {
  data: { attributes: Record<string, unknown> }
}

test('loses no text when two users change different fields, the same field, and two languages', async ({
  page,
  loginAsOwner,
  login,
  newRecord,
  colleague,
  browser,
}) => {
  const title = makeUniqueName('Посевная')
  const { id } = await newRecord('news', { title, description: 'Было' })
  const context = await browser.newContext()
  const otherPage = await context.newPage()
  await Promise.all([loginAsOwner(), login('admin', { page: otherPage, language: 'ru' })])
  await Promise.all([page.goto(`/app/news/${id}`), otherPage.goto(`/app/news/${id}`)])
  const readNews = async () => (await colleague<StoredNews>('GET', `/news/${id}?locale=ru&populate=localizations`)).data

  await test.step('different fields, saved at the same time', async () => {
    await Promise.all([titleField(page).fill(`${title} началась`), descriptionField(otherPage).fill('Сеют хлопок')])
    await Promise.all([pressSave(page), pressSave(otherPage)])
    await Promise.all([expectChangesSaved(page), expectChangesSaved(otherPage)])
    expect((await readNews()).attributes).toMatchObject({ title: `${title} началась`, description: 'Сеют хлопок' })
  })

  await test.step('the same field: both texts side by side with both names, and the one that is left stays in the history', async () => {
    await Promise.all([descriptionField(page).fill('Сеют пшеницу'), descriptionField(otherPage).fill('Сеют кунжут')])
    await pressSave(otherPage)
    await expectChangesSaved(otherPage)
    await pressSave(page)
    const conflict = findConflictDialog(page)
    await expect(conflict.getByRole('radio', { name: 'Вы (Owner)' })).toHaveAccessibleDescription('Сеют пшеницу')
    await expect(conflict.getByRole('radio', { name: 'Marat A.' })).toHaveAccessibleDescription('Сеют кунжут')
    await expect(conflict.getByRole('radio', { checked: true })).toHaveCount(0)
    await expect(conflict.getByRole('button', { name: 'Сохранить выбранное' })).toBeDisabled()
    await expectAccessible(page)

    // Cancelling the conflict leaves the typed text in the form and writes nothing.
    await conflict.getByRole('button', { name: 'Отмена' }).click()
    await expect(descriptionField(page)).toHaveValue('Сеют пшеницу')
    expect((await readNews()).attributes['description']).toBe('Сеют кунжут')

    await pressSave(page)
    await conflict.getByRole('radio', { name: 'Вы (Owner)' }).check()
    await conflict.getByRole('button', { name: 'Сохранить выбранное' }).click()
    await expectChangesSaved(page)
    const history = await colleague<{ data: unknown[] }>('GET', `/news/${id}/history?field=description`)
    for (const text of ['Было', 'Сеют хлопок', 'Сеют кунжут', 'Сеют пшеницу'])
      expect(JSON.stringify(history.data)).toContain(text)
  })

  await test.step('two languages at the same time, and then the same new one', async () => {
    await Promise.all([writeInLanguage(page, 'Qaraqalpaqsha'), writeInLanguage(otherPage, 'English')])
    await Promise.all([titleField(page).fill(`${title} kaa`), titleField(otherPage).fill(`${title} en`)])
    await Promise.all([pressSave(page), pressSave(otherPage)])
    await Promise.all([expectChangesSaved(page), expectChangesSaved(otherPage)])
    await Promise.all([writeInLanguage(page, 'Oʻzbekcha'), writeInLanguage(otherPage, 'Oʻzbekcha')])
    await Promise.all([titleField(page).fill(`${title} biri`), titleField(otherPage).fill(`${title} ikkinchi`)])
    await pressSave(otherPage)
    await expectChangesSaved(otherPage)
    await pressSave(page)
    await expect(findConflictDialog(page).getByRole('radio', { name: 'Marat A.' })).toHaveAccessibleDescription(
      `${title} ikkinchi`,
    )
    await findConflictDialog(page).getByRole('radio', { name: 'Marat A.' }).check()
    await findConflictDialog(page).getByRole('button', { name: 'Сохранить выбранное' }).click()
    await expect(titleField(page)).toHaveValue(`${title} ikkinchi`)
    await expectChangesSaved(page)
    const newsJson = JSON.stringify(await readNews())
    for (const text of [`${title} началась`, `${title} kaa`, `${title} en`, `${title} ikkinchi`])
      expect(newsJson).toContain(text)
  })
  await context.close()
})

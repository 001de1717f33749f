/** Typed text survives every failure of a form. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'
import { delayCalls } from './delayed-calls.ts'
import { t } from './messages.ts'

const titleField = (page: Page) => page.getByRole('textbox', { name: /^Заголовок/ })
const question = (page: Page) => page.getByRole('dialog', { name: 'Есть несохранённые изменения' })

test('keeps typed text when the user leaves, reloads the page, or switches the language', async ({
  page,
  login,
  newRecord,
  colleague,
}) => {
  const title = makeUniqueName('Совет фермерам')
  const { id } = await newRecord('news', { title })
  await login('owner')
  await page.goto(`/app/news/${id}`)

  await test.step('asks before leaving a form with unsaved changes: stay, keep a draft, or discard', async () => {
    await titleField(page).fill(`${title}, дополнено`)
    const crumbs = page.getByRole('navigation', { name: 'Навигационная цепочка' })
    await crumbs.getByRole('link', { name: 'Новости' }).click()
    await expectAccessible(page)
    await question(page).getByRole('button', { name: 'Остаться на странице' }).click()
    await expect(titleField(page)).toHaveValue(`${title}, дополнено`)
    await crumbs.getByRole('link', { name: 'Новости' }).click()
    await question(page).getByRole('button', { name: 'Уйти, сохранив черновик' }).click()
    await expect(page).toHaveURL('/app/news')
    await page.goto(`/app/news/${id}`)
    await expect(titleField(page)).toHaveValue(`${title}, дополнено`)
    await crumbs.getByRole('link', { name: 'Новости' }).click()
    await question(page).getByRole('button', { name: 'Отбросить изменения' }).click()
    await expect(page).toHaveURL('/app/news')
    await page.goto(`/app/news/${id}`)
    await expect(titleField(page)).toHaveValue(title)
    await expect(page.getByText('Все изменения сохранены')).toBeVisible()
  })

  await test.step('restores the typed text after a reload, and forgets the text on Discard', async () => {
    await titleField(page).fill(`${title} открыт`)
    await page.getByRole('textbox', { name: 'Полный текст' }).fill('Открытие в субботу.')
    await page.reload()
    await expect(titleField(page)).toHaveValue(`${title} открыт`)
    await expect(page.getByRole('textbox', { name: 'Полный текст' })).toContainText('Открытие в субботу.')
    await expect(page.getByText('Показан текст, который вы ввели')).toBeVisible()
    await expect(page.getByText('Есть несохранённые изменения')).toBeVisible()
    await page.getByRole('button', { name: 'Отменить' }).last().click()
    await expect(titleField(page)).toHaveValue(title)
    await page.reload()
    await expect(titleField(page)).toHaveValue(title)
  })

  await test.step('keeps texts typed in several languages while switching, and saves them together', async () => {
    await titleField(page).fill(`${title} выросли`)
    const translations = page.getByRole('complementary')
    await translations.getByRole('button', { name: 'English' }).click()
    await titleField(page).fill(`${title} went up`)
    await translations.getByRole('button', { name: 'Русский', exact: true }).click()
    await expect(titleField(page)).toHaveValue(`${title} выросли`)
    await page.getByRole('button', { name: 'Сохранить изменения' }).click()
    await expect(page.getByText('Успешно обновлено: Новость')).toBeVisible()
    const { data } = await colleague('GET', `/news/${id}?populate=localizations`)
    expect(JSON.stringify(data)).toContain(`${title} выросли`)
    expect(JSON.stringify(data)).toContain(`${title} went up`)
  })
})

test('saves a form with Ctrl S from inside a field, and opens an empty form on "save and add another"', async ({
  page,
  login,
}) => {
  const name = makeUniqueName('Тег')
  await login('owner')
  await page.goto('/app/settings/tags/new')
  const field = page.getByRole('textbox', { name: /^Название/ })
  await field.fill(name)
  await page.getByRole('button', { name: 'Сохранить и добавить ещё' }).click()
  await expect(page.getByText('Успешно создано: Тег')).toBeVisible()
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()
  await expect(page).toHaveURL('/app/settings/tags/new')
  await page.keyboard.type(`${name} ещё`)
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/tags\/\d+/)
  await field.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' раз')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Успешно обновлено: Тег')).toBeVisible()
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()
  await page.reload()
  await expect(field).toHaveValue(`${name} ещё раз`)
})

test('lets a user continue an answer while it is being saved', async ({ page, login, newRecord }) => {
  const { id } = await newRecord('consultations', { question: makeUniqueName('Почему желтеют листья?') })
  await login('consultant')
  await page.goto(`/app/consultation/${id}`)
  await page.getByRole('button', { name: t('consultation.take'), exact: true }).click()
  const answer = page.getByRole('textbox', { name: 'Ответ' })
  await answer.fill('Поливайте реже.')
  const release = await delayCalls(page, `**/api/consultations/${id}?**`, 'PUT')
  const putRequest = page.waitForRequest((request) => request.method() === 'PUT')
  const save = page.getByRole('button', { name: t('consultation.saveAnswer'), exact: true })
  await save.click()
  await putRequest
  await answer.press('Control+End')
  await page.keyboard.type(' И утром.')
  release()
  await expect(page.getByText(t('consultation.answerSaved'))).toBeVisible()
  await expect(save).not.toHaveAttribute('aria-busy')
  await expect(answer).toHaveText('Поливайте реже. И утром.')
  await page.reload()
  await expect(answer).toHaveText('Поливайте реже. И утром.')
  await save.click()
  await expect(page.getByText(t('consultation.answerSaved'))).toBeVisible()
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await page.reload()
  await expect(answer).toHaveText('Поливайте реже. И утром.')
})

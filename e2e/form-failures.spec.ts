/** A failed save: the form explains the reason, keeps the typed text, and offers a solution. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type JourneyFixtures, test, unique } from './fixtures.ts'

const nameField = (page: Page) => page.getByRole('textbox', { name: /^Название/ })
const save = (page: Page) => page.getByRole('button', { name: 'Сохранить изменения' })
const notice = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words })

/** A tag of this test in its form, with another name typed in. */
async function changedTag(page: Page, { newRecord, login }: Pick<JourneyFixtures, 'newRecord' | 'login'>) {
  const name = unique('Тег')
  const { id } = await newRecord('tags', { name })
  await login('owner')
  await page.goto(`/app/settings/tags/${id}`)
  await nameField(page).fill(`${name} правка`)
  return { id, typed: `${name} правка`, wire: `**/api/tags/${id}?**` }
}

/** Answers every save with this status. */
async function refuse(page: Page, wire: string, status: number, headers: Record<string, string> = {}): Promise<void> {
  await page.route(wire, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    const error = { status, name: 'TestError', message: 'Because of the test', details: {} }
    return route.fulfill({ status, headers, json: { data: null, error } })
  })
}

test('saves the typed text as a new record when the record was deleted meanwhile', async ({
  page,
  newRecord,
  login,
  colleague,
}) => {
  const { id, typed } = await changedTag(page, { newRecord, login })
  await colleague('DELETE', `/tags/${id}`)
  await save(page).click()
  const gone = notice(page, 'Запись')
  await expect(gone.getByRole('link', { name: 'Назад к списку' })).toBeVisible()
  await expect(nameField(page)).toHaveValue(typed)
  await expectAccessible(page)
  await gone.getByRole('button', { name: 'Сохранить как новую запись' }).click()
  await expect(page).not.toHaveURL(new RegExp(`tags/${id}`))
  await expect(page).toHaveURL(/tags\/\d+/)
  await expect(nameField(page)).toHaveValue(typed)
})

test('explains a lost permission in a form, offers the way back and lets the user copy the text', async ({
  page,
  newRecord,
  login,
}) => {
  const { typed, wire } = await changedTag(page, { newRecord, login })
  await refuse(page, wire, 403)
  await save(page).click()
  const denied = notice(page, 'Ваш текст остался здесь, его можно скопировать.')
  await expect(denied.getByRole('link', { name: 'Назад к списку' })).toBeVisible()
  await expect(nameField(page)).toHaveValue(typed)
  await expectAccessible(page)
})

test('keeps the text of a form without a connection and saves it once the connection is back', async ({
  page,
  newRecord,
  login,
}) => {
  const { typed, wire } = await changedTag(page, { newRecord, login })
  await page.route(wire, (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()))
  await save(page).click()
  const lost = notice(page, 'Нет соединения')
  await expect(lost).toBeVisible()
  await expect(nameField(page)).toHaveValue(typed)
  await expectAccessible(page)
  await page.unroute(wire)
  await lost.getByRole('button', { name: 'Повторить' }).click()
  await expect(page.getByText('Успешно обновлено: Тег')).toBeVisible()
  await expect(nameField(page)).toHaveValue(typed)
})

test('counts down the seconds after too many requests and then continues the save of a form', async ({
  page,
  newRecord,
  login,
}) => {
  const { typed, wire } = await changedTag(page, { newRecord, login })
  await refuse(page, wire, 429, { 'retry-after': '3' })
  await save(page).click()
  const busy = notice(page, 'Слишком много запросов')
  await expect(busy).toContainText(/\d/)
  await expect(save(page)).toBeDisabled()
  await expectAccessible(page)
  await page.unroute(wire)
  await busy.getByRole('button', { name: 'Повторить' }).click()
  await expect(page.getByText('Успешно обновлено: Тег')).toBeVisible()
  await expect(nameField(page)).toHaveValue(typed)
})

/** A failed save: the form explains the reason, does not lose the typed text, and offers a solution. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'

const nameField = (page: Page) => page.getByRole('textbox', { name: /^Название/ })
const save = (page: Page) => page.getByRole('button', { name: 'Сохранить изменения' })
const notice = (page: Page, noticeText: string) => page.getByRole('alert').filter({ hasText: noticeText })

/** Pattern of the API addresses to which the form of a tag saves. */
const wire = '**/api/tags/*?**'

/** Answers every save of a tag with the given HTTP status. */
async function refuse(page: Page, status: number, headers: Record<string, string> = {}): Promise<void> {
  await page.route(wire, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    const error = { status, name: 'TestError', message: 'Because of the test', details: {} }
    return route.fulfill({ status, headers, json: { data: null, error } })
  })
}

test('keeps the typed text at every failed save, and offers a solution', async ({
  page,
  newRecord,
  login,
  colleague,
}) => {
  const name = makeUniqueName('Тег')
  const { id } = await newRecord('tags', { name })
  await login('owner')
  await page.goto(`/app/settings/tags/${id}`)
  const nameOfEdit = (time: number) => `${name} правка ${time}`
  const change = async (time: number) => {
    await nameField(page).fill(nameOfEdit(time))
    await save(page).click()
  }

  await test.step('saves the typed text as a new record when the record was deleted meanwhile', async () => {
    await nameField(page).fill(nameOfEdit(1))
    await colleague('DELETE', `/tags/${id}`)
    await save(page).click()
    const deletedNotice = notice(page, 'Запись')
    await expect(deletedNotice.getByRole('link', { name: 'Назад к списку' })).toBeVisible()
    await expect(nameField(page)).toHaveValue(nameOfEdit(1))
    await expectAccessible(page)
    await deletedNotice.getByRole('button', { name: 'Сохранить как новую запись' }).click()
    await expect(page).not.toHaveURL(new RegExp(`tags/${id}`))
    await expect(page).toHaveURL(/tags\/\d+/)
    await expect(nameField(page)).toHaveValue(nameOfEdit(1))
    await expect(page.getByText('Все изменения сохранены')).toBeVisible()
  })

  await test.step('keeps the text of a form without a connection and saves it once the connection is back', async () => {
    await page.route(wire, (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()))
    await change(2)
    const connectionNotice = notice(page, 'Нет соединения')
    await expect(connectionNotice).toBeVisible()
    await expect(nameField(page)).toHaveValue(nameOfEdit(2))
    await expectAccessible(page)
    await page.unroute(wire)
    await connectionNotice.getByRole('button', { name: 'Повторить' }).click()
    await expect(page.getByText('Успешно обновлено: Тег').last()).toBeVisible()
    await expect(page.getByText('Все изменения сохранены')).toBeVisible()
    await expect(nameField(page)).toHaveValue(nameOfEdit(2))
  })

  await test.step('counts down the seconds after too many requests and then continues the save of a form', async () => {
    await refuse(page, 429, { 'retry-after': '3' })
    await change(3)
    const busyNotice = notice(page, 'Слишком много запросов')
    await expect(busyNotice).toContainText(/\d/)
    await expect(save(page)).toBeDisabled()
    await expectAccessible(page)
    await page.unroute(wire)
    await busyNotice.getByRole('button', { name: 'Повторить' }).click()
    await expect(page.getByText('Успешно обновлено: Тег').last()).toBeVisible()
    await expect(page.getByText('Все изменения сохранены')).toBeVisible()
    await expect(nameField(page)).toHaveValue(nameOfEdit(3))
  })

  await test.step('explains a lost permission in a form, offers the way back and lets the user copy the text', async () => {
    await refuse(page, 403)
    await change(4)
    const deniedNotice = notice(page, 'Ваш текст остался здесь, его можно скопировать.')
    await expect(deniedNotice.getByRole('link', { name: 'Назад к списку' })).toBeVisible()
    await expect(nameField(page)).toHaveValue(nameOfEdit(4))
    await expectAccessible(page)
  })
})

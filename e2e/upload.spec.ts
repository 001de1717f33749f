/** Pictures on their way: only pictures are taken, and a failed one can be tried again. */
import { expect, expectAccessible, test, unique } from './fixtures.ts'
import { holdCalls } from './held-calls.ts'
import { fieldAt, keepAsItIs } from './fill-form.ts'
import { newPicture } from './new-picture.ts'

const uploading = 'Изображения загружаются'

test('a file that is no picture is refused in words', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/news/new')
  const field = fieldAt(page, 'image')
  const file = { name: 'prices.txt', mimeType: 'text/plain', buffer: Buffer.from('3400') }
  await field.locator('input[type="file"]').setInputFiles(file)
  await expect(field.getByText('Можно загружать только изображения')).toBeVisible()
  await expectAccessible(page)
  await field.getByRole('button', { name: 'Убрать prices.txt из списка' }).click()
  await expect(field.getByText('Можно загружать только изображения')).toBeHidden()
})

test('a failed upload is tried again, and the picture is saved with the record', async ({ page, login, newRecord }) => {
  const { id } = await newRecord('news', { title: unique('С картинкой') })
  await login('owner')
  await page.goto(`/app/news/${id}`)
  const field = fieldAt(page, 'image')
  await page.route('**/api/upload**', (route) => route.abort())
  await field.locator('input[type="file"]').setInputFiles(newPicture())
  await keepAsItIs(page)
  const again = field.getByRole('button', { name: 'Повторить' })
  await expect(again).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/upload**')
  await again.click()
  await expect(field.getByRole('button', { name: 'Заменить' })).toBeVisible()
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()
  await page.reload()
  await expect(field.getByRole('button', { name: 'Заменить' })).toBeVisible()
  await expect(field.getByRole('img')).toBeVisible()
})

test('a new record waits for its picture, and is saved with it', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/news/new')
  const title = page.getByRole('textbox', { name: /^Заголовок/ })
  await title.fill(unique('С картинкой'))
  const release = await holdCalls(page, '**/api/upload')
  const field = fieldAt(page, 'image')
  await field.locator('input[type="file"]').setInputFiles(newPicture())
  await keepAsItIs(page)
  const save = page.getByRole('button', { name: 'Сохранить', exact: true })
  await expect(save).toBeDisabled()
  await expect(save).toHaveAccessibleDescription(uploading)
  await expect(page.getByRole('status').filter({ hasText: uploading })).toBeVisible()
  await expectAccessible(page)
  await save.click({ force: true })
  await title.press('Enter')
  await title.press('Control+s')
  await expect(field.getByRole('progressbar')).toBeVisible()
  await expect(page).toHaveURL('/app/news/new')
  release()
  await expect(field.getByRole('button', { name: 'Заменить' })).toBeVisible()
  await save.click()
  await expect(page).toHaveURL(/news\/\d+/)
  await page.reload()
  await expect(field.getByRole('button', { name: 'Заменить' })).toBeVisible()
})

test('going on while a picture is on its way asks, although nothing else was changed', async ({
  page,
  login,
  newRecord,
}) => {
  const { id } = await newRecord('news', { title: unique('С картинкой') })
  await login('owner')
  await page.goto(`/app/news/${id}`)
  const release = await holdCalls(page, '**/api/upload')
  const field = fieldAt(page, 'image')
  await field.locator('input[type="file"]').setInputFiles(newPicture())
  await keepAsItIs(page)
  await expect(field.getByRole('progressbar')).toBeVisible()
  const crumbs = page.getByRole('navigation', { name: 'Навигационная цепочка' })
  await crumbs.getByRole('link', { name: 'Новости' }).click()
  await page.getByRole('button', { name: 'Остаться на странице' }).click()
  release()
  await expect(field.getByRole('button', { name: 'Заменить' })).toBeVisible()
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()
  await page.reload()
  await expect(field.getByRole('button', { name: 'Заменить' })).toBeVisible()
})

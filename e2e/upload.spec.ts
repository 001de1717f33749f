/** Uploads of pictures: only pictures are accepted, and a failed upload can be repeated. */
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'
import { delayCalls } from './delayed-calls.ts'
import { findField, keepUploadedPicture } from './fill-form.ts'
import { newPicture } from './new-picture.ts'

const uploadingTitle = 'Файлы загружаются'

test('refuses a file that is not a picture with a message', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/news/new')
  const field = findField(page, 'image')
  const file = { name: 'prices.txt', mimeType: 'text/plain', buffer: Buffer.from('3400') }
  await field.locator('input[type="file"]').setInputFiles(file)
  await expect(field.getByText('Можно загружать только изображения')).toBeVisible()
  await expectAccessible(page)
  await field.getByRole('button', { name: 'Убрать prices.txt из списка' }).click()
  await expect(field.getByText('Можно загружать только изображения')).toBeHidden()
})

test('repeats a failed upload, and saves the picture with the record', async ({ page, login, newRecord }) => {
  const { id } = await newRecord('news', { title: makeUniqueName('С картинкой') })
  await login('owner')
  await page.goto(`/app/news/${id}`)
  const field = findField(page, 'image')
  await page.route('**/api/upload**', (route) => route.abort())
  await field.locator('input[type="file"]').setInputFiles(newPicture())
  await keepUploadedPicture(page)
  const retryButton = field.getByRole('button', { name: 'Повторить' })
  await expect(retryButton).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/upload**')
  await retryButton.click()
  await expect(field.getByRole('button', { name: 'Заменить' })).toBeVisible()
  await page.getByRole('button', { name: 'Сохранить изменения' }).click()
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()
  await page.reload()
  await expect(field.getByRole('button', { name: 'Заменить' })).toBeVisible()
  await expect(field.getByRole('img')).toBeVisible()
})

test('waits with the save of a new record for its picture', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/news/new')
  const title = page.getByRole('textbox', { name: /^Заголовок/ })
  await title.fill(makeUniqueName('С картинкой'))
  const release = await delayCalls(page, '**/api/upload')
  const field = findField(page, 'image')
  await field.locator('input[type="file"]').setInputFiles(newPicture())
  await keepUploadedPicture(page)
  const save = page.getByRole('button', { name: 'Сохранить', exact: true })
  await expect(save).toBeDisabled()
  await expect(save).toHaveAccessibleDescription(uploadingTitle)
  await expect(page.getByRole('status').filter({ hasText: uploadingTitle })).toBeVisible()
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

test('asks before leaving a form during an upload, although nothing else was changed', async ({
  page,
  login,
  newRecord,
}) => {
  const { id } = await newRecord('news', { title: makeUniqueName('С картинкой') })
  await login('owner')
  await page.goto(`/app/news/${id}`)
  const release = await delayCalls(page, '**/api/upload')
  const field = findField(page, 'image')
  await field.locator('input[type="file"]').setInputFiles(newPicture())
  await keepUploadedPicture(page)
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

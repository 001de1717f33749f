/** Pictures on their way: only pictures are taken, and a failed one can be tried again. */
import { expect, expectAccessible, test, unique } from './fixtures.ts'
import { fieldAt, keepAsItIs } from './fill-form.ts'
import { newPicture } from './new-picture.ts'

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

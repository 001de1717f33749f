/**
 * The picture library: pictures are found, described, moved and replaced; a picture in use is not deleted.
 */
import type { APIRequestContext } from '@playwright/test'
import { expect, expectAccessible, expectOverlayAccessible, test, makeUniqueName } from './fixtures.ts'
import { findField } from './fill-form.ts'
import { newPicture } from './new-picture.ts'
import { expectAccessibleInBothThemes } from './walk.ts'
import { t } from './messages.ts'

interface StoredFile {
  id: number
  name: string
  url: string
}

async function uploadPicture(request: APIRequestContext, token: string, name: string): Promise<StoredFile> {
  const answer = await request.post('/api/upload', {
    headers: { authorization: `Bearer ${token}` },
    multipart: { files: newPicture(), fileInfo: JSON.stringify({ name }) },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  const [storedFile] = (await answer.json()) as StoredFile[]
  if (!storedFile) throw new Error('The upload gave no record')
  return storedFile
}

test('finds, describes, moves and replaces a picture of the library, and keeps a picture in use', async ({
  page,
  login,
  newRecord,
  colleague,
  request,
}) => {
  const token = await login('owner')
  const [searchWord, title, folder] = [makeUniqueName('Хлопок'), makeUniqueName('О хлопке'), makeUniqueName('Рынок')]
  const usedFile = await uploadPicture(request, token, `${searchWord} занят.png`)
  const freeFile = await uploadPicture(request, token, `${searchWord} свободен.png`)
  const { id } = await newRecord('news', { title, image: usedFile.id })

  // The picture is found by its name.
  await page.goto('/app/media')
  await page.getByRole('searchbox').fill(searchWord)
  const findTile = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
  await expect(findTile(freeFile.name)).toBeVisible()
  await expect(page).toHaveURL(/q=/)
  await expectAccessibleInBothThemes(page)

  // The picture is described in two languages, one after the other in one form.
  await findTile(usedFile.name).click()
  const details = page.getByRole('region', { name: t('library.details', { name: usedFile.name }) })
  const text = (language: string) =>
    details.getByRole('textbox', { name: `${t('library.altText')} ${language}`, exact: true })
  await text('Русский').fill('Поле хлопка')
  await text('Qaraqalpaqsha').fill('Paxta atızı')
  await details.getByRole('slider', { name: t('library.focal') }).press('Shift+ArrowRight')
  await expectAccessible(page)
  await details.getByRole('button', { name: t('action.save') }).click()
  await expect(details.getByRole('button', { name: t('action.save') })).toBeHidden()
  const savedFile = await colleague<{ alt: object; focal: object }>('GET', `/upload/files/${usedFile.id}`)
  expect(savedFile).toMatchObject({ alt: { ru: 'Поле хлопка', kaa: 'Paxta atızı' }, focal: { x: 0.6, y: 0.5 } })

  // The picture is replaced, and the record that uses it shows the new one.
  await details.getByRole('button', { name: t('action.replace') }).click()
  const fileChooserEvent = page.waitForEvent('filechooser')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('action.chooseFile') })
    .click()
  await (await fileChooserEvent).setFiles(newPicture())
  await expect(page.getByText(t('library.replaced'))).toBeVisible()
  const record = await colleague<{
    data: { attributes: { image: { data: { id: number; attributes: { url: string } } } } }
  }>('GET', `/news/${id}?populate=image`)
  const { image } = record.data.attributes
  expect(image.data.id).toBe(usedFile.id)
  expect(image.data.attributes.url).not.toBe(usedFile.url)

  // The picture is not deleted while a record uses it.
  await expect(details.getByRole('link', { name: title })).toBeVisible()
  await details.getByRole('button', { name: t('action.delete') }).click()
  const question = page.getByRole('dialog')
  await expect(question.getByRole('link', { name: title })).toBeVisible()
  await expect(question.getByRole('button', { name: t('action.delete') })).toBeDisabled()
  await expectOverlayAccessible(page)
  await page.keyboard.press('Escape')
  await details.getByRole('button', { name: t('action.close') }).click()

  // The picture is moved to a folder of its own.
  await page.getByRole('checkbox', { name: t('list.selectRow', { name: freeFile.name }) }).check()
  await page.getByRole('button', { name: t('library.move') }).click()
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: t('field.folder') })
    .click()
  await page.getByRole('option', { name: t('library.newFolder') }).click()
  await page.getByRole('textbox', { name: t('library.newFolderName') }).fill(`${folder} / Хлопок`)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('library.moveDo'), exact: true })
    .click()
  await expect(page.getByText('Перемещён 1 файл')).toBeVisible()
  const movedFile = await colleague<{ folder: string }>('GET', `/upload/files/${freeFile.id}`)
  expect(movedFile.folder).toBe(`${folder}/Хлопок`)

  // One of the two pictures is unused: deleting both leaves the used one.
  await page.getByRole('button', { name: t('library.unused') }).press('Enter')
  await expect(findTile(usedFile.name)).toBeHidden()
  await expect(findTile(freeFile.name)).toBeVisible()
  await page.goto(`/app/media?q=${encodeURIComponent(searchWord)}`)
  await expect(findTile(usedFile.name)).toBeVisible()
  await page.getByRole('checkbox', { name: t('library.selectPage') }).check()
  await page.getByRole('button', { name: t('action.delete') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('action.delete') })
    .click()
  const fileUseDialog = page.getByRole('dialog', { name: '1 файл используется и остался' })
  await expect(fileUseDialog.getByRole('link', { name: title })).toBeVisible()
  await fileUseDialog.getByRole('button', { name: t('action.close') }).click()
  await expect(findTile(freeFile.name)).toBeHidden()
  await expect(findTile(usedFile.name)).toBeVisible()
})

test('takes a picture from the library into a form with the keyboard alone', async ({
  page,
  login,
  newRecord,
  request,
}) => {
  const token = await login('owner')
  const [name, title] = [makeUniqueName('Арык'), makeUniqueName('Об арыке')]
  await uploadPicture(request, token, `${name}.png`)
  const { id } = await newRecord('news', { title })
  await page.goto(`/app/news/${id}`)
  const field = findField(page, 'image')
  await field.getByRole('button', { name: t('upload.fromLibrary') }).press('Enter')
  const pickerDialog = page.getByRole('dialog', { name: t('library.pick') })
  await expect(pickerDialog.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(name)
  const findTile = pickerDialog.getByRole('button', { name: new RegExp(`^${name}`) })
  await expect(pickerDialog.getByRole('listitem')).toHaveCount(1)
  await expectAccessibleInBothThemes(page)
  await findTile.press('Enter')
  await expect(pickerDialog).toBeHidden()
  await expect(field.getByRole('button', { name: t('action.replace') })).toBeFocused()
  await page.keyboard.press('Control+s')
  await expect(page.getByText(t('form.saved'))).toBeVisible()
  await page.goto(`/app/media?unused=true&q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText(t('empty.noResults'))).toBeVisible()
})

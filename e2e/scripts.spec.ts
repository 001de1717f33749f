/** Latin and Cyrillic texts: converted in a form and in a list, and shown in a chat, all with the keyboard. */
import { inScript, localeNames } from '@dala/model'
import type { Locator, Page } from '@playwright/test'
import { fieldOf, messageOf, test } from './desk.ts'
import { expect, expectAccessible, expectOverlayAccessible, makeUniqueName } from './fixtures.ts'
import { t } from './messages.ts'
import { tabToTarget } from './tab-to.ts'

/** Moves down an open menu to an item and chooses it. */
async function chooseItem(page: Page, item: Locator): Promise<void> {
  await expect(item).toBeVisible()
  for (let step = 0; step < 12; step++) {
    if (await item.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('ArrowDown')
  }
  await expect(item).toBeFocused()
  await page.keyboard.press('Enter')
}

const itemOf = (page: Page, name: string) => page.getByRole('menuitem', { name })

test('converts the texts of a form and of a list to Cyrillic after a preview, and takes both back with Ctrl Z', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const title = makeUniqueName('Gʻoʻza parvarishi')
  const cyrillicTitle = inScript(title, 'uz', 'cyrillic')
  const { id } = await newRecord('news', { title, content: '<p>Paxta <strong>ekildi</strong></p>' }, 'uz')
  const storedTitle = async () => (await colleague('GET', `/news/${id}`)).data.attributes['title']
  await loginAsOwner()

  await page.goto(`/app/news/${id}?lang=uz`)
  const titleInput = page.getByRole('textbox', { name: t('field.title') })
  await expect(titleInput).toHaveValue(title)
  const menu = page.getByRole('button', { name: t('script.ofLanguage', { language: localeNames.uz }) })
  await tabToTarget(page, menu)
  await page.keyboard.press('Enter')
  await expect(itemOf(page, t('script.to.latin'))).toContainText(t('script.nothing.latin'))
  await chooseItem(page, itemOf(page, t('script.to.cyrillic')))
  const preview = page.getByRole('dialog', { name: t('script.titleLanguage.cyrillic', { language: localeNames.uz }) })
  await expect(preview.getByText('экилди')).toBeVisible()
  await expectOverlayAccessible(page)
  await page.keyboard.press('Enter')
  await expect(preview).toBeHidden()
  await expect(titleInput).toHaveValue(cyrillicTitle)
  await expect(menu).toBeFocused()
  expect(await storedTitle()).toBe(title)
  await page.keyboard.press('Control+z')
  await expect(titleInput).toHaveValue(title)

  await page.goto(`/app/news?q=${encodeURIComponent(title)}&lang=uz`)
  const checkbox = page.getByRole('checkbox', { name: t('list.selectRow', { name: title }) })
  await tabToTarget(page, checkbox)
  await page.keyboard.press('Space')
  await tabToTarget(page, page.getByRole('button', { name: t('bulk.change') }))
  await page.keyboard.press('Enter')
  await chooseItem(page, itemOf(page, t('bulk.script')))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: t('script.name.cyrillic') })).toHaveAttribute('aria-pressed', 'true')
  await tabToTarget(page, dialog.getByRole('button', { name: t('bulk.preview') }))
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('region', { name: t('bulk.examples') })).toContainText(cyrillicTitle)
  await expectOverlayAccessible(page)
  expect(await storedTitle()).toBe(title)
  await tabToTarget(page, dialog.getByRole('button', { name: 'Изменить 1 запись' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Изменена 1 запись').last()).toBeVisible()
  await expect(dialog).toBeHidden()
  expect(await storedTitle()).toBe(cyrillicTitle)
  // The search of the list finds the record in either script.
  await expect(page.getByRole('row').filter({ hasText: cyrillicTitle })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('row').filter({ hasText: title })).toBeVisible()
  expect(await storedTitle()).toBe(title)
})

test('shows a chat message in the other script with the keyboard, and as it was written', async ({ page, desk }) => {
  const [grower, consultant] = [await desk.person('grower'), await desk.person('consultant')]
  const room = await desk.room(grower, consultant)
  await desk.sendMessage(grower, room, 'Gúzgi egin qashan egiledi?')
  await desk.open(consultant, `chats/${room}`, page)
  const message = messageOf(page, 'Gúzgi egin')
  await expect(message).toBeVisible()
  await tabToTarget(page, page.getByRole('log'), 'back')
  await page.keyboard.press('ArrowUp')
  await expect(message).toBeFocused()
  await page.keyboard.press('Enter')
  await chooseItem(page, itemOf(page, t('script.show.cyrillic')))
  const converted = messageOf(page, 'Гүзги егин қашан егиледи?')
  await expect(converted).toContainText(t('script.shown.cyrillic'))
  await expectAccessible(page)
  await tabToTarget(page, converted.getByRole('button', { name: t('script.showWritten') }), 'back')
  await page.keyboard.press('Enter')
  await expect(message).toBeFocused()
  await expect(message).not.toContainText('Гүзги')
  await expect(fieldOf(page)).toBeVisible()
  expect(await desk.readTexts(consultant, room)).toEqual(['Gúzgi egin qashan egiledi?'])
})

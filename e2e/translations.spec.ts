/**
 * The translations workspace: from the counts through one translation to the next one; typed text is not
 * lost.
 */
import { expect, expectAccessible, expectOverlayAccessible, test, makeUniqueName } from './fixtures.ts'
import { expectAccessibleInBothThemes } from './walk.ts'
import { t } from './messages.ts'

test('leads from the counts of open translations to a translation and on to the next record', async ({
  page,
  loginAsOwner,
  newRecord,
}) => {
  test.slow()
  const firstTag = makeUniqueName('Тег для стола')
  const secondTag = makeUniqueName('Ещё тег для стола')
  await newRecord('tags', { name: secondTag })
  await newRecord('tags', { name: firstTag })
  await loginAsOwner()

  await page.goto('/app/translations')
  const row = page.getByRole('row', { name: /^Теги/ })
  await expect(row).toBeVisible()
  await expect(page).toHaveURL('/app/translations')
  await expectAccessibleInBothThemes(page)
  await row.getByRole('link').nth(3).click()
  await expect(page).toHaveURL('/app/translations/tags/kaa')
  await page.getByRole('link', { name: firstTag }).click()
  await expect(page.getByRole('heading', { level: 2, name: firstTag })).toBeVisible()
  await expectAccessible(page)

  const field = page.getByRole('textbox', { name: /^Название/ })
  await field.fill('Stol')
  await expect(page.getByText(t('form.unsaved'))).toBeVisible()
  await page.getByRole('link', { name: secondTag }).click()
  await expect(page.getByRole('heading', { level: 2, name: secondTag })).toBeVisible()
  await page.getByRole('link', { name: firstTag }).click()
  await expect(field).toHaveValue('Stol')

  await field.fill(`Stol ${firstTag.split(' ').at(-1)}`)
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByRole('link', { name: firstTag })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 2, name: secondTag })).toBeVisible()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
})

test('finds a record in another alphabet in the palette, and opens the sheet of keys by its sign', async ({
  page,
  loginAsOwner,
}) => {
  await loginAsOwner()
  await page.goto('/app/settings/tags')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('Control+k')
  // The letters are typed before the command palette opens; it must receive all of them.
  await page.keyboard.type('kongirat', { delay: 25 })
  const paletteDialog = page.getByRole('dialog', { name: t('jump.open') })
  await expect(paletteDialog.getByRole('combobox')).toHaveValue('kongirat')
  await expect(paletteDialog.getByRole('option', { name: /^Кунградский район/ })).toBeVisible()
  await expectOverlayAccessible(page, 'searching')
  await page.keyboard.press('Escape')
  await expect(paletteDialog).toBeHidden()
  await page.getByRole('main').focus()
  // A question mark needs Shift; the same key without Shift opens the search of the list.
  await page.keyboard.press('Shift+Slash')
  await expect(page.getByRole('dialog', { name: t('nav.shortcuts') })).toBeVisible()
  await expectOverlayAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Уведомления/ }).click()
  await expect(page.getByRole('dialog', { name: t('nav.notifications') })).toBeVisible()
  await expectOverlayAccessible(page)
})

test('suggests an earlier translation by keyboard, takes it back, and names the record that uses it', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  test.slow()
  const word = makeUniqueName('Мелиорация')
  const earlier = await newRecord('tags', { name: `${word}: приём заявок открыт` })
  await colleague('POST', `/tags/${earlier.id}/localizations`, { locale: 'kaa', name: 'Arza qabıllaw ashıldı' })
  const title = `${word}: приём заявок закрыт`
  await newRecord('tags', { name: title })
  await loginAsOwner()
  await expect
    .poll(async () => {
      const query = new URLSearchParams({ q: title, source: 'ru', target: 'kaa' })
      return (await colleague<{ data: unknown[] }>('GET', `/memory/suggestions?${query}`)).data.length
    })
    .toBe(1)

  await page.goto('/app/translations/tags/kaa')
  await page.getByRole('link', { name: title }).click()
  const field = page.getByRole('textbox', { name: /^Название/ })
  const suggestions = page.getByRole('region', { name: t('memory.suggestionsOf', { field: 'Название' }) })
  await expect(suggestions.getByText('Arza qabıllaw ashıldı')).toBeVisible()
  await expect(suggestions.getByRole('link', { name: new RegExp(word) })).toBeVisible()
  await expectAccessibleInBothThemes(page)

  await field.fill('Arza')
  await field.press('Alt+Enter')
  await expect(field).toHaveValue('Arza qabıllaw ashıldı')
  await page.keyboard.press('Tab')
  await expect(suggestions.getByRole('button', { name: t('memory.undoInsert'), exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('Arza')
})

test('opens the files of translators, and downloads texts to translate', async ({ page, loginAsOwner, newRecord }) => {
  await newRecord('tags', { name: makeUniqueName('Тег для бюро') })
  await loginAsOwner()
  await page.goto('/app/translations')
  await page.getByRole('button', { name: t('memory.tmx') }).click()
  const memory = page.getByRole('dialog', { name: t('memory.tmx') })
  await expect(memory.getByRole('button', { name: t('memory.import') })).toBeVisible()
  await expectOverlayAccessible(page)
  await page.keyboard.press('Escape')
  await page.goto('/app/translations/tags/kaa')
  await page.getByRole('button', { name: t('memory.files') }).click()
  const work = page.getByRole('dialog', { name: t('memory.work') })
  await expect(work).toBeVisible()
  await expectOverlayAccessible(page)
  const download = page.waitForEvent('download')
  await work.getByRole('button', { name: t('action.download') }).click()
  expect((await download).suggestedFilename()).toBe('tags-ru-kaa.xlf')
})

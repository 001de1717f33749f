/** All 20 themes: the shell with a list, and a form, have sufficient contrast. */
import { expect, expectAccessible, test } from './fixtures.ts'
import { setAppearance } from './appearance.ts'
import { expectSettled } from './settled.ts'

const palettes = [
  'bluenavy',
  'blueyale',
  'blueolympic',
  'greenmoss',
  'greenlime',
  'purplemonster',
  'orangecarrot',
  'redruby',
  'yellowgranola',
  'greysteel',
]

for (const place of ['list', 'form'] as const) {
  test(`keeps the contrast of ${place} in the ten light and the ten dark palettes`, async ({
    page,
    login,
    newRecord,
  }) => {
    const { id } = await newRecord('news', { title: 'Сев начался', description: 'На юге', active: false })
    await login('owner')
    await page.goto(place === 'list' ? '/app/news' : `/app/news/${id}`)
    const ready = place === 'list' ? page.getByRole('row').nth(2) : page.getByRole('textbox', { name: 'Полный текст' })
    await expect(ready).toBeVisible()
    if (place === 'form') {
      await page.getByRole('textbox', { name: /^Заголовок/ }).fill('')
      await page.getByRole('button', { name: 'Сохранить изменения' }).click()
      await expect(page.getByText('Введите заголовок').first()).toBeVisible()
    }
    await expectSettled(page)
    await expectAccessible(page)
    for (const mode of ['light', 'dark']) {
      for (const palette of palettes) {
        await setAppearance(page, { theme: `${mode}.${palette}` })
        await expectSettled(page)
        await test.step(`${mode}.${palette}`, () => expectAccessible(page, 'repainted'))
      }
    }
  })
}

/** All 20 themes: the shell with a list or a form has sufficient contrast. */
import { palettes } from '@dala/model'
import { expect, expectAccessible, test } from './fixtures.ts'
import { setAppearance } from './appearance.ts'
import { expectSettledPage } from './settled.ts'

for (const screenKind of ['list', 'form'] as const) {
  test(`keeps the contrast of ${screenKind} in the ten palettes, each light or dark`, async ({
    page,
    login,
    newRecord,
  }) => {
    const { id } = await newRecord('news', { title: 'Сев начался', description: 'На юге', active: false })
    await login('owner')
    await page.goto(screenKind === 'list' ? '/app/news' : `/app/news/${id}`)
    const readyElement =
      screenKind === 'list' ? page.getByRole('row').nth(2) : page.getByRole('textbox', { name: 'Полный текст' })
    await expect(readyElement).toBeVisible()
    if (screenKind === 'form') {
      await page.getByRole('textbox', { name: /^Заголовок/ }).fill('')
      await page.getByRole('button', { name: 'Сохранить изменения' }).click()
      await expect(page.getByText('Введите заголовок').first()).toBeVisible()
    }
    await expectSettledPage(page)
    await expectAccessible(page)
    // The tokens of all themes have their own test (contrast.test.ts): each theme is drawn in one of the two places.
    for (const [index, palette] of palettes.entries()) {
      const isLight = (index % 2 === 0) === (screenKind === 'list')
      const theme = `${isLight ? 'light' : 'dark'}.${palette}`
      await setAppearance(page, { theme })
      await test.step(theme, () => expectAccessible(page, 'recoloured'))
    }
  })
}

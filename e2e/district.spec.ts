/** A district and its region, chosen from a long list with the keyboard alone. */
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'

test('sets the region of a district through the search box with the keyboard alone', async ({
  page,
  login,
  colleague,
}) => {
  const name = makeUniqueName('Новый район')
  await login('owner')
  await page.goto('/app/settings/districts/new')
  await page.getByRole('textbox', { name: /^Название/ }).fill(name)
  const region = page.getByRole('combobox', { name: /^Регион/ })
  await page.keyboard.press('Tab')
  await expect(region).toBeFocused()
  await page.keyboard.type('каракалпак')
  await expect(page.getByRole('option')).toHaveText(['Республика Каракалпакстан'])
  await expect(page.getByRole('button', { name: 'Создать «каракалпак»' })).toBeVisible()
  await expectAccessible(page, 'searching')
  await page.keyboard.press('Enter')
  await expect(region).toHaveValue('Республика Каракалпакстан')
  await expect(region).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Успешно создано: Район')).toBeVisible()
  await expect(page).toHaveURL(/districts\/\d+/)

  const id = /districts\/(\d+)/.exec(page.url())?.[1]
  const { data } = await colleague('GET', `/districts/${id}?locale=ru&populate=region`)
  expect(JSON.stringify(data.attributes['region'])).toContain('Республика Каракалпакстан')

  await page.goto(`/app/settings/districts?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('row', { name }).getByText('Республика Каракалпакстан')).toBeVisible()
  await colleague('DELETE', `/districts/${id}`)
})

/** Signs in, opens a district and changes its region and its Karakalpak name, without a mouse. */
import { accountOf, expect, test, makeUniqueName } from './fixtures.ts'
import { tabToTarget } from './tab-to.ts'

test('changes the region of a district and adds a Karakalpak name with the keyboard alone', async ({
  page,
  newRecord,
  colleague,
}) => {
  const name = makeUniqueName('Район с клавиатуры')
  const { data: regions } = await colleague<{ data: { id: number; attributes: { name: string } }[] }>(
    'GET',
    '/regions?locale=ru&pagination[pageSize]=100',
  )
  const formerRegion = regions.find(({ attributes }) => attributes.name.startsWith('Бухар'))
  const { id } = await newRecord('districts', { name, region: formerRegion?.id })

  await page.goto('/user/login')
  const { identifier, password } = accountOf('owner')
  await tabToTarget(page, page.getByLabel('Имя пользователя или эл. почта'))
  await page.keyboard.type(identifier)
  await tabToTarget(page, page.getByRole('textbox', { name: 'Пароль' }))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Консультанты' })).toBeVisible()

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Поиск и переход' }).getByRole('combobox')).toBeFocused()
  await page.keyboard.type('район')
  await expect(page.getByRole('option', { name: /^Районы/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/app/settings/districts')
  await expect(page.getByRole('row').nth(1)).toBeVisible()

  await tabToTarget(page, page.getByRole('searchbox', { name: /Поиск/ }))
  await page.keyboard.type(name)
  await expect(page.getByRole('row')).toHaveCount(2)
  await tabToTarget(page, page.getByRole('link', { name }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  const region = page.getByRole('combobox', { name: /^Регион/ })
  await tabToTarget(page, region)
  await expect(region).toHaveValue(/^Бухар/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('каракалпак')
  // Search results precede the current choice.
  await expect(page.getByRole('option').first()).toHaveText('Республика Каракалпакстан')
  await page.keyboard.press('Enter')
  await expect(region).toHaveValue('Республика Каракалпакстан')

  await tabToTarget(page, page.getByRole('combobox', { name: 'Язык текста' }), 'back')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'Русский' })).toBeFocused()
  await page.keyboard.type('Qar')
  await expect(page.getByRole('option', { name: 'Qaraqalpaqsha' })).toBeFocused()
  await page.keyboard.press('Enter')
  const title = page.getByRole('textbox', { name: /^Название/ })
  await expect(title).toHaveAttribute('lang', 'kaa')
  await tabToTarget(page, title)
  await page.keyboard.type(`${name} rayonı`)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Успешно обновлено: Район')).toBeVisible()
  await expect(page.getByText('Все изменения сохранены')).toBeVisible()

  const { data } = await colleague('GET', `/districts/${id}?locale=ru&populate=*`)
  expect(JSON.stringify(data)).toContain('Республика Каракалпакстан')
  expect(JSON.stringify(data)).toContain(`${name} rayonı`)
  await colleague('DELETE', `/districts/${id}`)
})

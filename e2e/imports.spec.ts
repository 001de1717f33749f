/**
 * Imports from sheets: columns, preview with the keyboard, report, and undo; prices in Russian, companies in
 * Karakalpak.
 */
import { randomInt } from 'node:crypto'
import { readSheet } from 'read-excel-file/node'
import karakalpak from '@dala/model/labels/kaa.json' with { type: 'json' }
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'
import { findCell, chooseSheet, makeSheet } from './sheet.ts'
import { t } from './messages.ts'

interface ListedImport {
  data: { id: number; attributes: { name: string } }[]
}

const pastDay = () => new Date(Date.UTC(1990, 0, 1) + randomInt(9_000) * 86_400_000).toISOString().slice(0, 10)

test('matches, corrects, imports and undoes prices of a sheet with the keyboard', async ({
  page,
  loginAsOwner,
  colleague,
}) => {
  const [products, districts] = await Promise.all([
    colleague<ListedImport>('GET', '/products?locale=ru&pagination[pageSize]=3'),
    colleague<ListedImport>('GET', '/districts?locale=ru&pagination[pageSize]=2'),
  ])
  const [firstProduct = '', secondProduct = '', thirdProduct = ''] = products.data.map(
    ({ attributes }) => attributes.name,
  )
  const [nearDistrict = '', farDistrict = ''] = districts.data.map(({ attributes }) => attributes.name)
  const day = pastDay()
  const file = await makeSheet([
    [t('products.one'), 'Тумани', t('field.price')],
    [firstProduct, nearDistrict, 4150],
    [firstProduct, farDistrict, '4 200,50'],
    [secondProduct, nearDistrict, '155О0'],
    [thirdProduct, farDistrict, -5],
  ])
  await loginAsOwner()
  await page.goto('/app/price-list')
  await page.getByRole('main').getByRole('link', { name: 'Импорт: Прайс-листы' }).click()
  await page.getByRole('textbox', { name: t('import.day') }).fill(day.split('-').toReversed().join('.'))
  await page.keyboard.press('Tab')
  await expectSettledPage(page)
  await expectAccessible(page)
  await chooseSheet(page, 'ceny.xlsx', file)

  // The heading of the district only resembles the field's name: it needs a user's decision.
  await expect(page.getByRole('combobox', { name: 'Поле для «Тумани»' })).toHaveText(t('import.notChosen'))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Принять «Район»' }).press('Enter')
  const continueButton = page.getByRole('button', { name: t('import.toPreview') })
  await expect(continueButton).not.toHaveAttribute('aria-disabled')
  await continueButton.press('Enter')

  const grid = page.getByRole('grid', { name: t('import.rowsShown') })
  await expect(grid).toBeVisible()
  await expect(page.getByRole('button', { name: 'Записать 2 строки' })).toBeVisible()
  await page.keyboard.press('F8')
  await expect(findCell(page, 4, 'price')).toBeFocused()
  await expectSettledPage(page)
  await expectAccessible(page)
  // Enter accepts the suggested correction and moves to the next error of the preview.
  await page.keyboard.press('Enter')
  await expect(findCell(page, 5, 'price')).toBeFocused()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Цена, 5' }).fill('5100')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Записать 4 строки' })).toBeVisible()
  await expect(findCell(page, 4, 'price')).toHaveText(/15\s500/)
  // The last correction of the preview is undone and repeated.
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('button', { name: 'Записать 3 строки' })).toBeVisible()
  await findCell(page, 5, 'price').focus()
  await page.keyboard.type('5100')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Записать 4 строки' })).toBeVisible()
  // Nothing can be written until the corrected row is checked.
  await expect(page.getByRole('button', { name: 'Записать 4 строки' })).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('Control+Enter')

  await expect(page.getByText('из 4 строк записано')).toBeVisible({ timeout: 30_000 })
  await expectSettledPage(page)
  await expectAccessible(page)
  const pricesOf = async () =>
    (
      await colleague<{ data: { attributes: { price: number } }[] }>(
        'GET',
        `/pricelists?filters[pricedate][date][$eq]=${day}`,
      )
    ).data
      .map(({ attributes }) => attributes.price)
      .toSorted((left, right) => left - right)
  expect(await pricesOf()).toEqual([4150, 4200.5, 5100, 15_500])
  await page.getByRole('button', { name: t('import.takeBack') }).press('Enter')
  const question = page.getByRole('dialog', { name: t('import.takeBackTitle') })
  await question.getByRole('button', { name: t('import.takeBack') }).press('Enter')
  await expect(page.getByText(/Всё снова как прежде/)).toBeVisible()
  expect(await pricesOf()).toEqual([])
})

test('imports companies from the template in Karakalpak and corrects a wrong e-mail', async ({
  page,
  login,
  request,
  colleague,
}) => {
  const translations: Readonly<Record<string, string>> = karakalpak
  const token = await login('owner', { language: 'kaa' })
  const headers = { authorization: `Bearer ${token}` }
  const templateResponse = await request.get('/api/insert_excel/template?kind=companies&locale=kaa', { headers })
  const [headings = []] = await readSheet(await templateResponse.body())
  const { data: kinds } = await colleague<{ data: { kind: string; fields: { key: string }[] }[] }>(
    'GET',
    '/insert_excel/kinds',
  )
  const keys = kinds.find(({ kind }) => kind === 'companies')?.fields.map(({ key }) => key) ?? []
  // The sheet has no column for ids, because new companies have none yet.
  const loadedKeys = keys.filter((key) => key !== 'id')
  expect(headings).toHaveLength(loadedKeys.length)
  const { data: directions } = await colleague<{ data: { attributes: { name: { kaa: string } } }[] }>(
    'GET',
    '/directions?pagination[pageSize]=1',
  )
  const name = makeUniqueName('Diyqan')
  // The columns of the template in which the test enters content.
  const filledColumns = ['companyName', 'directions', 'email', 'address.kaa']
  const headingOf = (key: string) => String(headings[loadedKeys.indexOf(key)])
  const company = (nameEnding: string, email: string) => [
    `${name} ${nameEnding}`,
    directions[0]?.attributes.name.kaa ?? '',
    email,
    'Nókis qalası, Ǵárezsizlik kóshesi',
  ]
  const file = await makeSheet([
    filledColumns.map(headingOf),
    company('bir', 'bir@example.org'),
    company('eki', 'eki.example.org'),
  ])
  await page.goto('/app/companies')
  await page.getByRole('main').getByRole('link', { name: 'Import: Kompaniyalar' }).click()
  await expectSettledPage(page)
  await expectAccessible(page)
  await chooseSheet(page, 'kompaniyalar.xlsx', file)
  await expect(page.getByRole('grid')).toBeVisible()
  await page.keyboard.press('F8')
  await expect(findCell(page, 3, 'email')).toBeFocused()
  await page.keyboard.press('F2')
  const field = page.getByRole('textbox', { name: `${translations['field.email']}, 3` })
  await field.fill('eki@example.org')
  await expectAccessible(page)
  await field.press('Enter')
  const write = page.getByRole('button', { name: '2 qatardı jazıw' })
  await expect(write).not.toHaveAttribute('aria-disabled')
  await write.press('Enter')
  await expect(page.getByText('— 2 qatardan jazıldı')).toBeVisible({ timeout: 30_000 })
  const { data } = await colleague<{ data: { id: number }[] }>(
    'GET',
    `/companies?locale=kaa&filters[companyName][$contains]=${encodeURIComponent(name)}`,
  )
  expect(data).toHaveLength(2)
  for (const { id } of data) await colleague('DELETE', `/companies/${id}?locale=all`)
})

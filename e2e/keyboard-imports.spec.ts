/**
 * An import without a mouse, in Russian: a letter of the other alphabet, a corrected slip, a confirmed one,
 * the report.
 */
import { expect, expectAccessible, test } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'
import { findCell, chooseSheetByKeys, makeSheet, usualPrices } from './sheet.ts'
import { tabToTarget } from './tab-to.ts'
import { t } from './messages.ts'

test('corrects, confirms, imports and undoes prices of a sheet with the keyboard alone', async ({
  page,
  loginAsOwner,
  colleague,
}) => {
  const { day, prices } = await usualPrices(colleague, 'ru')
  const [firstPrice, secondPrice, thirdPrice] = prices
  if (!firstPrice || !secondPrice || !thirdPrice) throw new Error('The demo content has too few prices for this test.')
  // A Cyrillic word with a Latin letter: the two letters look the same.
  const mixedName = firstPrice.product.replace('а', 'a')
  const date = day(1)
  const file = await makeSheet([
    [t('products.one'), t('districts.one'), t('field.price')],
    [mixedName, firstPrice.district, firstPrice.price],
    [secondPrice.product, secondPrice.district, secondPrice.price * 10],
    [thirdPrice.product, thirdPrice.district, thirdPrice.price * 10],
  ])
  await loginAsOwner()
  await page.goto(`/app/import?kind=pricelists&date=${date}`)
  await chooseSheetByKeys(page, 'ceny.xlsx', file)

  const continueButton = page.getByRole('button', { name: t('import.toPreview') })
  await expect(continueButton).toHaveAttribute('aria-disabled', 'true')
  // The wrong letter is marked beside the suggested name.
  await expect(page.locator('aside, section').locator('[data-wrong]').first()).toHaveText('a')
  await expectSettledPage(page)
  await expectAccessible(page)
  // The unmatched name is left out in this step of the import, and its letter is corrected in the preview.
  await tabToTarget(page, page.getByRole('button', { name: 'Не загружать оставшееся 1' }))
  await page.keyboard.press('Enter')
  await expect(continueButton).toBeFocused()
  await expect(continueButton).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('Enter')

  await expect(page.getByRole('grid', { name: t('import.rowsShown') })).toBeVisible()
  await page.keyboard.press('F8')
  const name = findCell(page, 2, 'product')
  await expect(name).toBeFocused()
  await expect(name.locator('[data-wrong]')).toHaveText('a')
  await expect(name).toContainText('— латиница')
  await expectSettledPage(page)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(findCell(page, 3, 'price')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Записать 1 строку' })).toBeVisible()
  await expectAccessible(page)
  // The first wrong price is corrected, the second one is confirmed.
  await page.keyboard.press('Enter')
  await expect(findCell(page, 4, 'price')).toBeFocused()
  await page.keyboard.press('Alt+k')
  await expect(page.getByText(t('import.confirmed'))).toBeVisible()
  const write = page.getByRole('button', { name: 'Записать 3 строки' })
  await expect(write).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('button', { name: 'Записать 2 строки' })).not.toHaveAttribute('aria-disabled')
  await tabToTarget(page, page.getByRole('button', { name: t('import.keepInRow', { row: '4' }) }))
  await page.keyboard.press('Enter')
  await expect(write).not.toHaveAttribute('aria-disabled')
  await expectSettledPage(page)
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')

  await expect(page.getByText('из 3 строк записано')).toBeVisible({ timeout: 30_000 })
  const districtBars = page.getByRole('region', { name: t('import.byDistrict') })
  await expect(districtBars.getByRole('listitem').first()).toBeVisible()
  await expectSettledPage(page)
  await expectAccessible(page)
  const { data: writtenPrices } = await colleague<{ data: { attributes: { price: number } }[] }>(
    'GET',
    `/pricelists?filters[pricedate][date][$eq]=${date}&sort=id`,
  )
  expect(writtenPrices.map(({ attributes }) => attributes.price)).toEqual([
    firstPrice.price,
    secondPrice.price,
    thirdPrice.price * 10,
  ])
  await tabToTarget(page, page.getByRole('button', { name: t('import.takeBack') }))
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: t('import.takeBackTitle') })
  await tabToTarget(page, question.getByRole('button', { name: t('import.takeBack') }))
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Всё снова как прежде/)).toBeVisible()
})

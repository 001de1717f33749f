/**
 * An import on a narrow screen with the keyboard alone, in Karakalpak: a card is opened, corrected and
 * confirmed.
 */
import karakalpak from '@dala/model/labels/kaa.json' with { type: 'json' }
import { expect, expectAccessible, test } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'
import { chooseSheetByKeys, makeSheet, usualPrices } from './sheet.ts'
import { tabToTarget } from './tab-to.ts'

const translations: Readonly<Record<string, string>> = karakalpak

test('corrects imported prices on cards and writes them with the keyboard alone in Karakalpak', async ({
  page,
  login,
  colleague,
}) => {
  const translate = (key: string) => translations[key] ?? key
  const { day, prices } = await usualPrices(colleague, 'kaa')
  const [firstPrice, secondPrice] = prices
  if (!firstPrice || !secondPrice) throw new Error('The demo content has too few prices for this test.')
  const file = await makeSheet([
    [translate('field.product'), translate('field.district'), translate('field.price')],
    [firstPrice.product, `${firstPrice.district}x`, firstPrice.price],
    [secondPrice.product, secondPrice.district, secondPrice.price * 10],
  ])
  await login('owner', { language: 'kaa' })
  await page.goto(`/app/import?kind=pricelists&date=${day(2)}`)
  await chooseSheetByKeys(page, 'bahalar.xlsx', file)
  const continueButton = page.getByRole('button', { name: translate('import.toPreview') })
  await expect(continueButton).toHaveAttribute('aria-disabled', 'true')
  await expectSettledPage(page)
  await expectAccessible(page)
  // The unmatched name is left out in this step of the import and corrected in the preview.
  await tabToTarget(page, page.getByRole('button', { name: 'Qalǵan 1 júklenbesin' }))
  await page.keyboard.press('Enter')
  await expect(continueButton).toBeFocused()
  await expect(continueButton).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('Enter')

  await expect(page.getByText('3-qádem, barlıǵı 4. Tekseriw')).toBeVisible()
  const card = page.getByRole('button', { name: firstPrice.product })
  await tabToTarget(page, card)
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: translate('field.district') })
  await tabToTarget(page, field)
  await expectSettledPage(page)
  await expectAccessible(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(firstPrice.district)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: '1 qatardı jazıw' })).not.toHaveAttribute('aria-disabled')
  await expectSettledPage(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)

  // Without errors the preview shows all rows, those with warnings first.
  await tabToTarget(page, page.getByRole('button', { name: translate('import.keepInRow').replace('{row}', '3') }))
  await expectSettledPage(page)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  const write = page.getByRole('button', { name: '2 qatardı jazıw' })
  await expect(write).not.toHaveAttribute('aria-disabled')
  await tabToTarget(page, write)
  await page.keyboard.press('Enter')
  await expect(page.getByText('— 2 qatardan jazıldı')).toBeVisible({ timeout: 30_000 })
  await expect(
    page
      .getByRole('region', { name: translate('import.byDistrict') })
      .getByRole('listitem')
      .first(),
  ).toBeVisible()
  await expectSettledPage(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await expectAccessible(page)
  await tabToTarget(page, page.getByRole('button', { name: translate('import.takeBack') }))
  await page.keyboard.press('Enter')
  // The toast with the outcome of the import is a dialog as well, and may appear before the question closes.
  const question = page.getByRole('dialog', { name: translate('import.takeBackTitle') })
  await tabToTarget(page, question.getByRole('button', { name: translate('import.takeBack') }))
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
})

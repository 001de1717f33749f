/** An import on a phone: one card for each column, one card for each row; the open card corrects. */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'
import { chooseSheet, makeSheet } from './sheet.ts'
import { t } from './messages.ts'

async function expectUsablePage(page: Page): Promise<void> {
  await expectSettledPage(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await expectAccessible(page)
}

test('checks and corrects imported regions of a sheet by touch', async ({ page, loginAsOwner, colleague }) => {
  const name = makeUniqueName('Область')
  const file = await makeSheet([
    [`${t('field.name')} (ru)`, t('field.order')],
    [`${name} один`, 1],
    [`${name} два`, 'много'],
  ])
  await loginAsOwner()
  await page.goto('/app/import?kind=regions')
  await expectUsablePage(page)
  await chooseSheet(page, 'regiony.xlsx', file)
  await expect(page.getByText(/^Шаг [23] из 4/)).toBeVisible()
  await expectUsablePage(page)
  const continueButton = page.getByRole('button', { name: t('import.toPreview') })
  if (await continueButton.isVisible()) await continueButton.tap()
  await expect(page.getByText('Шаг 3 из 4. Проверка')).toBeVisible()
  await expectUsablePage(page)
  await page.getByRole('button', { name: new RegExp(`^${name} два`) }).tap()
  await expectUsablePage(page)
  const field = page.getByRole('textbox', { name: t('field.order') })
  await field.fill('2')
  await field.press('Enter')
  const write = page.getByRole('button', { name: 'Записать 2 строки' })
  await expect(write).toBeVisible()
  await write.tap()
  await expect(page.getByText('из 2 строк записано')).toBeVisible({ timeout: 30_000 })
  await expectUsablePage(page)
  await page.getByRole('button', { name: t('import.takeBack') }).tap()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('import.takeBack') })
    .tap()
  await expect(page.getByText(/Всё снова как прежде/)).toBeVisible()
  const { data } = await colleague<{ data: unknown[] }>(
    'GET',
    `/regions?locale=ru&filters[name][$contains]=${encodeURIComponent(name)}`,
  )
  expect(data).toEqual([])
})

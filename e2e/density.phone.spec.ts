/**
 * The first view on a phone: the first record of lists, the first figure of the reports, all controls
 * behind one button.
 */
import { expectRecordsAbove } from './first-record.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'
import { t } from './messages.ts'

test('begins every kind of list above 300 px on a phone', async ({ page, loginAsOwner, colleague }) => {
  test.slow()
  const { data: courses } = await colleague<{ data: { id: number }[] }>('GET', '/courses')
  await loginAsOwner()
  await expectRecordsAbove(page, [`e-learning/lessons/${courses[0]?.id}`])
})

test('shows the first figure of the reports above 226 px on a phone', async ({ page, loginAsOwner }) => {
  await loginAsOwner()
  await page.goto('/app/statistics')
  const figure = page
    .getByRole('region', { name: t('statistics.figures') })
    .locator('li p')
    .first()
  await expect(figure).toBeVisible()
  await expectSettledPage(page)
  expect((await figure.boundingBox())?.y).toBeLessThanOrEqual(226)
  await expectAccessible(page)
})

test('sorts, filters, translates and arranges a list in one sheet of a phone, and counts its filters', async ({
  page,
  loginAsOwner,
}) => {
  await loginAsOwner()
  await page.goto('/app/news')
  const button = page.getByRole('button', { name: /^Фильтры и порядок/ })
  const sheet = page.getByRole('dialog', { name: t('list.fold') })
  await button.tap()
  await expectSettledPage(page)
  await expectAccessible(page)
  await sheet.getByRole('combobox', { name: t('field.region') }).tap()
  await page.getByRole('option', { name: 'Республика Каракалпакстан' }).tap()
  await expect(page).toHaveURL(/f\.region=\d+/)
  await sheet.getByRole('button', { name: t('list.mode.thumb') }).tap()
  await sheet.getByRole('button', { name: t('columns.title') }).tap()
  await expect(sheet.getByRole('button', { name: t('action.back') })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('button', { name: 'Фильтры и порядок, 1 активный' })).toBeFocused()
})

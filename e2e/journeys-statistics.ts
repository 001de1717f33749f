/** Reports: opened by their id and by their key, narrowed and drawn; there is nothing to add or to delete. */
import { expect, expectAccessible } from './fixtures.ts'
import { expectAccessibleInEveryLook, openList, type Walk } from './walk.ts'
import { t } from './words.ts'

export async function statisticsJourney(walk: Walk): Promise<void> {
  const { page } = walk
  await openList(walk)
  await expectAccessibleInEveryLook(page)
  await expect(page.getByRole('main').getByRole('link', { name: t('action.addNew') })).toHaveCount(0)
  await page.getByRole('row').getByRole('link', { name: 'Консультации', exact: true }).click()
  await expect(page).toHaveURL(/statistics\/\d+/)
  const title = page.getByRole('heading', { level: 1, name: 'Консультации' })
  await expect(title).toBeVisible()
  await expectAccessibleInEveryLook(page)

  await page.getByRole('combobox', { name: t('statistics.period') }).click()
  await page.getByRole('option', { name: t('statistics.periods.days90') }).click()
  await expect(page).toHaveURL(/days90/)
  await page.getByRole('combobox', { name: t('statistics.compare') }).click()
  await page.getByRole('option', { name: t('statistics.compares.year') }).click()
  const name = t('statistics.metrics.asked')
  await page.getByRole('button', { name: t('statistics.asTableOf', { name }) }).click()
  await expect(page.getByRole('region', { name }).getByRole('table')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('statistics.asChartOf', { name }) }).click()

  // The filter and its chip hand the focus to each other.
  await page.getByRole('combobox', { name: t('field.region') }).click()
  await page.getByRole('option', { name: 'Республика Каракалпакстан' }).click()
  const chip = page.getByRole('button', { name: /^Убрать фильтр Регион: Республика Каракалпакстан/ })
  await expect(chip).toBeFocused()
  await page.reload()
  await chip.click()
  await expect(chip).toHaveCount(0)

  await page.goto('/app/statistics/consultations')
  await expect(title).toBeVisible()
  await page.goto('/app/statistics/bogus')
  await expect(page.getByText(t('statistics.failed'))).toBeVisible()
  await expectAccessible(page)
}

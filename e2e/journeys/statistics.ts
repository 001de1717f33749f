/**
 * Reports: figures at once, opened by their id and by their key, filtered and drawn; nothing to add or to
 * delete.
 */
import { expect, expectAccessible } from '../fixtures.ts'
import { expectAccessibleInBothAppearances, expectAccessibleInBothThemes, type ScreenWalk } from '../walk.ts'
import { t } from '../messages.ts'

export async function statisticsJourney(walk: ScreenWalk): Promise<void> {
  const { page, screen, colleague } = walk
  await page.goto(`/app/${screen.path}`)
  const all = page.getByRole('region', { name: t('statistics.all') })
  await expect(page.getByRole('region', { name: t('statistics.figures') })).toBeVisible()
  await expectAccessibleInBothAppearances(page)
  await expect(page.getByRole('main').getByRole('link', { name: t('action.addNew') })).toHaveCount(0)
  await all.getByRole('link', { name: 'Консультации', exact: true }).click()
  await expect(page).toHaveURL(/statistics\/consultations/)
  const title = page.getByRole('heading', { level: 1, name: 'Консультации' })
  await expect(title).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const how = t('statistics.howOf', { name: t('statistics.metrics.asked') })
  await page
    .getByRole('region', { name: t('statistics.figures') })
    .getByRole('button', { name: how })
    .click()
  await expect(page.getByRole('dialog', { name: t('statistics.metrics.asked') })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('combobox', { name: t('statistics.period') }).click()
  await page.getByRole('option', { name: t('statistics.periods.days90') }).click()
  await expect(page).toHaveURL(/days90/)
  await page.getByRole('combobox', { name: t('statistics.compare') }).click()
  await page.getByRole('option', { name: t('statistics.compares.year') }).click()
  const name = t('statistics.metrics.asked')
  await page.getByRole('button', { name: t('statistics.asTableOf', { name }), exact: true }).click()
  await expect(page.getByRole('region', { name }).getByRole('table')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('statistics.asChartOf', { name }), exact: true }).click()

  // Choosing a filter moves the focus to its chip, and removing the chip moves it back to the filter.
  await page.getByRole('combobox', { name: t('field.region') }).click()
  await page.getByRole('option', { name: 'Республика Каракалпакстан' }).click()
  const regionChip = page.getByRole('button', { name: /^Убрать фильтр Регион: Республика Каракалпакстан/ })
  await expect(regionChip).toBeFocused()
  await page.reload()
  await regionChip.click()
  await expect(regionChip).toHaveCount(0)

  // A figure opens its records beside the report by the keyboard, and gets the focus back.
  const asked = page.getByRole('button', {
    name: new RegExp(`^${name}: .+ ${t('statistics.openRecords').split('. ')[1]}$`),
  })
  await asked.first().press('Enter')
  const records = page.getByRole('complementary', { name: t('statistics.recordsOf', { name }) })
  await expect(records.getByRole('listitem').first()).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await expect(records).toHaveCount(0)
  await expect(asked.first()).toBeFocused()

  const { data } = await colleague<{ data: { id: number }[] }>('GET', '/statistics?filters[key]=consultations')
  await page.goto(`/app/statistics/${data[0]?.id}`)
  await expect(title).toBeVisible()
  await page.goto('/app/statistics/bogus')
  await expect(page.getByText(t('statistics.failed'))).toBeVisible()
  await expectAccessible(page)
}

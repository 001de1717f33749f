/** Prices over time and between districts: with the keyboard, in two languages, as files and on paper. */
import karakalpak from '@dala/model/labels/kaa.json' with { type: 'json' }
import { readSheet } from 'read-excel-file/node'
import { expect, expectAccessible, type TestFixtures, test } from './fixtures.ts'
import { t } from './messages.ts'

/** The last day of prices among the samples. */
async function lastDay(colleague: TestFixtures['colleague']): Promise<string> {
  const { data } = await colleague<{ data: { attributes: { date: string } }[] }>(
    'GET',
    '/pricedates?filters[published_by][username]=super-admin&sort=date:desc&pagination[pageSize]=1',
  )
  return data[0]?.attributes.date ?? ''
}
const computeLaterDay = (day: string, count: number) =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)
const formatDay = (day: string) => day.split('-').toReversed().join('.')

test('makes a chart of two districts with the keyboard, narrows its range and saves it as a picture', async ({
  page,
  login,
}) => {
  await login('admin', { language: 'ru' })
  await page.goto('/app/price-list')
  await page
    .getByRole('navigation', { name: t('prices.views') })
    .getByRole('link', { name: t('prices.view.chart') })
    .press('Enter')
  await expect(page).toHaveURL(/price-list\/chart/)
  const table = page.getByRole('main').getByRole('table')
  await expect(table).toBeVisible()
  const districts = page.getByRole('combobox', { name: t('prices.lines') })
  for (const name of ['Чиланзарский', 'Амударьинский']) {
    await districts.focus()
    await page.keyboard.type(name)
    await expect(page.getByRole('option').first()).toContainText(name)
    await page.keyboard.press('Enter')
    await expect(table.getByRole('columnheader', { name })).toBeVisible()
  }
  await expect(page).toHaveURL(/districts=\d+-\d+/)
  await expectAccessible(page)

  const rows = await table.getByRole('row').count()
  const firstSlider = page.getByRole('slider').first()
  await firstSlider.focus()
  for (let pressCount = 0; pressCount < 3; pressCount += 1) await page.keyboard.press('ArrowRight')
  await expect(table.getByRole('row')).not.toHaveCount(rows)
  const oldestHeader = table.getByRole('rowheader').last()
  const narrowedRowCount = await table.getByRole('row').count()
  const day = (await oldestHeader.textContent())?.slice(0, 10).split('.').toReversed().join('-') ?? ''
  await expect(page).toHaveURL(new RegExp(`first=${day}&last=`))
  await page.reload()
  await expect(table.getByRole('row')).toHaveCount(narrowedRowCount)

  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: t('prices.asImage') }).press('Enter')
  expect((await downloadEvent).suggestedFilename()).toMatch(/^prices-.*\.png$/)
})

test('accepts the first and the last day of a chart with the keyboard, and reports a wrong day', async ({
  page,
  login,
  colleague,
}) => {
  const day = await lastDay(colleague)
  const startDay = computeLaterDay(day, -28)
  await login('admin', { language: 'ru' })
  await page.goto('/app/price-list/chart')
  const [fromLabel, toLabel] = ['statistics.from', 'statistics.to'] as const
  const startField = page.getByRole('textbox', { name: t(fromLabel) })
  await expect(startField).toHaveValue(/^\d\d\.\d\d\.\d{4}$/)
  await startField.fill(formatDay(startDay))
  await page.getByRole('textbox', { name: t(toLabel) }).fill(formatDay(day))
  await expect(page).toHaveURL(new RegExp(`from=${startDay}&to=${day}`))
  const table = page.getByRole('main').getByRole('table')
  await expect(table.getByRole('rowheader').first()).toContainText(formatDay(day))
  await startField.fill(formatDay(computeLaterDay(day, 1)))
  await expect(page.getByRole('alert')).toHaveText(t('error.report.order'))
  await expectAccessible(page)
  await page.reload()
  await expect(startField).toHaveValue(formatDay(startDay))
  await expect(table.getByRole('rowheader').last()).toContainText(formatDay(startDay))
})

test('exports as many prices as the page of price changes counts', async ({ page, login, colleague }) => {
  const day = await lastDay(colleague)
  await login('admin', { language: 'ru' })
  await page.goto(`/app/price-list/changes?date=${day}`)
  const count = page.getByText(new RegExp(`на ${formatDay(day).replaceAll('.', '[.]')}`))
  await expect(count).toBeVisible()
  const shownCount = Number(((await count.textContent()) ?? '').replaceAll(/\s/g, '').match(/^\d+/)?.[0])
  const downloadEvent = page.waitForEvent('download')
  await page.getByRole('button', { name: t('export.title') }).click()
  await page.getByRole('menuitem', { name: t('export.as.xlsx'), exact: true }).click()
  const rows = (await readSheet(await (await downloadEvent).path())).slice(1)
  expect(rows).toHaveLength(shownCount)
  expect(rows.every((row) => row[0] instanceof Date && typeof row[5] === 'number')).toBe(true)
})

test('prints the price bulletin of the week on one page in Karakalpak', async ({ page, login, colleague }) => {
  const day = await lastDay(colleague)
  await login('admin', { language: 'kaa' })
  await page.goto(`/app/price-list/bulletin?date=${day}`)
  const bulletinPaper = page.getByRole('article', { name: karakalpak['prices.bulletin'] })
  await expect(bulletinPaper.getByRole('table')).toBeVisible()
  await expectAccessible(page)
  const pdf = await page.pdf({ preferCSSPageSize: true })
  expect(/\/Type \/Pages[\s\S]{0,200}?\/Count (\d+)|\/Count (\d+)/.exec(pdf.toString('latin1'))?.slice(1)).toContain(
    '1',
  )
  await page.emulateMedia({ media: 'print' })
  await expect(bulletinPaper).toBeVisible()
  await expect(page.getByRole('button', { name: karakalpak['prices.print'] })).toBeHidden()
})

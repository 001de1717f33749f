/** Prices over time and between districts: by keyboard, in two languages, as files and on paper. */
import karakalpak from '@dala/model/labels/kaa.json' with { type: 'json' }
import { readSheet } from 'read-excel-file/node'
import { expect, expectAccessible, test } from './fixtures.ts'
import { t } from './words.ts'

test('a chart of two districts is made by keyboard, narrowed by its range and saved as a picture', async ({
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
  const first = page.getByRole('slider').first()
  await first.focus()
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight')
  await expect(table.getByRole('row')).not.toHaveCount(rows)
  const oldest = table.getByRole('rowheader').last()
  const narrowed = await table.getByRole('row').count()
  const day = (await oldest.textContent())?.slice(0, 10).split('.').toReversed().join('-') ?? ''
  await expect(page).toHaveURL(new RegExp(`first=${day}&last=`))
  await page.reload()
  await expect(table.getByRole('row')).toHaveCount(narrowed)

  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: t('prices.asImage') }).press('Enter')
  expect((await coming).suggestedFilename()).toMatch(/^prices-.*\.png$/)
})

test('a chart takes a first and a last day by keyboard, and names a wrong one', async ({ page, login }) => {
  await login('admin', { language: 'ru' })
  await page.goto('/app/price-list/chart')
  const [first, last] = ['statistics.from', 'statistics.to'] as const
  const from = page.getByRole('textbox', { name: t(first) })
  await expect(from).toHaveValue(/^\d\d\.\d\d\.\d{4}$/)
  await from.fill('01.03.2026')
  await page.getByRole('textbox', { name: t(last) }).fill('30.03.2026')
  await expect(page).toHaveURL(/from=2026-03-01&to=2026-03-30/)
  const table = page.getByRole('main').getByRole('table')
  await expect(table.getByRole('rowheader').first()).toContainText('30.03.2026')
  await from.fill('31.03.2026')
  await expect(page.getByRole('alert')).toHaveText(t('error.report.order'))
  await expectAccessible(page)
  await page.reload()
  await expect(from).toHaveValue('01.03.2026')
  await expect(table.getByRole('rowheader').last()).toContainText('01.03.2026')
})

test('the file of a page has as many prices as the page says', async ({ page, login }) => {
  await login('admin', { language: 'ru' })
  await page.goto('/app/price-list/changes?date=2026-03-30')
  const count = page.getByText(/на 30\.03\.2026/)
  await expect(count).toBeVisible()
  const shown = Number(((await count.textContent()) ?? '').replaceAll(/\s/g, '').match(/^\d+/)?.[0])
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: t('export.title') }).click()
  await page.getByRole('menuitem', { name: t('export.as.xlsx'), exact: true }).click()
  const rows = (await readSheet(await (await coming).path())).slice(1)
  expect(rows).toHaveLength(shown)
  expect(rows.every((row) => row[0] instanceof Date && typeof row[5] === 'number')).toBe(true)
})

test('the bulletin of the week is one page of paper in Karakalpak', async ({ page, login }) => {
  await login('admin', { language: 'kaa' })
  await page.goto('/app/price-list/bulletin?date=2026-03-30')
  const paper = page.getByRole('article', { name: karakalpak['prices.bulletin'] })
  await expect(paper.getByRole('table')).toBeVisible()
  await expectAccessible(page)
  const pdf = await page.pdf({ preferCSSPageSize: true })
  expect(/\/Type \/Pages[\s\S]{0,200}?\/Count (\d+)|\/Count (\d+)/.exec(pdf.toString('latin1'))?.slice(1)).toContain(
    '1',
  )
  await page.emulateMedia({ media: 'print' })
  await expect(paper).toBeVisible()
  await expect(page.getByRole('button', { name: karakalpak['prices.print'] })).toBeHidden()
})

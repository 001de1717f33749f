/**
 * An exported list: it equals the rows on the screen, with real numbers and dates, and contains no formulas.
 */
import { readSheet } from 'read-excel-file/node'
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'

const padNumber = (number: number) => String(number).padStart(2, '0')

/** Text of an exported cell as the list on the screen shows it. */
function textOnScreen(cell: unknown): string {
  if (cell instanceof Date)
    return [padNumber(cell.getUTCDate()), padNumber(cell.getUTCMonth() + 1), cell.getUTCFullYear()].join('.')
  if (typeof cell === 'number') return String(cell).replaceAll(/\B(?=(\d{3})+$)/g, ' ')
  return typeof cell === 'string' ? cell : ''
}

test('exports a filtered view with the values and types of its rows and without formulas', async ({
  page,
  loginAsOwner,
  newRecord,
}) => {
  const name = makeUniqueName('Выгрузка')
  await newRecord('news', { title: `=1+1 ${name}`, views: 12_345, date: '2024-02-29', kind: 'event' })
  await newRecord('news', { title: `+7 ${name}`, views: 7, date: '2019-12-31', kind: 'event' })
  await newRecord('news', { title: `${name} "в кавычках"`, views: 300, kind: 'event' })
  await newRecord('news', { title: `${name} другой вид`, views: 1, kind: 'news' })
  await loginAsOwner()
  await page.goto(`/app/news?q=${encodeURIComponent(name)}&f.kind=event&sort=views:desc`)
  await page.getByRole('button', { name: 'Столбцы и вид' }).click()
  const columns = page.getByRole('list', { name: 'Столбцы' })
  for (const column of ['Регион', 'Активен', 'Обновлено', 'Переводы'])
    await columns.getByLabel(column, { exact: true }).uncheck()
  for (const column of ['Вид', 'Просмотры']) await columns.getByLabel(column, { exact: true }).check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'Просмотры' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Обновлено' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Экспорт', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Экспорт' })
  await expect(
    panel.getByText(/^3 строки — как на экране: с фильтрами, порядком и поиском\. 4 столбца\.$/),
  ).toBeVisible()
  await expectAccessible(page)
  const downloadEvent = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Excel (xlsx)' }).click()
  const downloadedFile = await downloadEvent
  expect(downloadedFile.suggestedFilename()).toMatch(/^news-.*\.xlsx$/)
  const rows = await readSheet(await downloadedFile.path())

  const shownRows = await page
    .getByRole('row')
    .evaluateAll((tableRows) =>
      tableRows.map((row) =>
        [...row.querySelectorAll('[data-column], [data-field]')].map((cell) =>
          cell.textContent.trim().replaceAll(/\s/g, ' ').replace(/^—$/, ''),
        ),
      ),
    )
  // The list shows a text unchanged; in the exported file an apostrophe prevents its evaluation as a formula.
  expect(rows.map((row) => row.map((cell) => textOnScreen(cell).replace(/^'/, '')))).toEqual(shownRows)
  expect(rows.slice(1).map((row) => row.map((cell) => (cell instanceof Date ? 'day' : typeof cell)))).toEqual([
    ['string', 'day', 'string', 'number'],
    ['string', 'object', 'string', 'number'],
    ['string', 'day', 'string', 'number'],
  ])
  const texts = rows.flat().filter((cell) => typeof cell === 'string')
  expect(texts.filter((text) => /^[=+\-@\t\r]/.test(text))).toEqual([])
})

/**
 * Reports: figures at once, opened by their id and by their key, filtered and drawn; nothing to add or to
 * delete.
 */
import type { Page } from '@playwright/test'
import { accountOf, expect, expectAccessible, expectOverlayAccessible } from '../fixtures.ts'
import { fillSignIn } from '../sign-in.ts'
import {
  expectAccessibleInBothAppearances,
  expectAccessibleInBothThemes,
  expectOverlayAccessibleInBothThemes,
  type ScreenWalk,
} from '../walk.ts'
import { t } from '../messages.ts'
import { openInsidePanel } from '../open-within.ts'

export async function statisticsJourney(walk: ScreenWalk): Promise<void> {
  const { page, screen, colleague } = walk
  await openInsidePanel(page, screen.path)
  const allRegion = page.getByRole('region', { name: t('statistics.all') })
  await expect(page.getByRole('region', { name: t('statistics.figures') })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: t('action.addNew') })).toHaveCount(0)
  await allRegion.getByRole('link', { name: 'Консультации', exact: true }).click()
  await expect(page).toHaveURL(/statistics\/consultations/)
  const title = page.getByRole('heading', { level: 1, name: 'Консультации' })
  await expect(title).toBeVisible()
  const explanationLabel = t('statistics.howOf', { name: t('statistics.metrics.asked') })
  await page
    .getByRole('region', { name: t('statistics.figures') })
    .getByRole('button', { name: explanationLabel })
    .click()
  await expect(page.getByRole('dialog', { name: t('statistics.metrics.asked') })).toBeVisible()
  await expectOverlayAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('combobox', { name: t('statistics.period') }).click()
  await page.getByRole('option', { name: t('statistics.periods.days90') }).click()
  await expect(page).toHaveURL(/days90/)
  await page.getByRole('combobox', { name: t('statistics.compare') }).click()
  await page.getByRole('option', { name: t('statistics.compares.year') }).click()
  const name = t('statistics.metrics.asked')
  await page.getByRole('button', { name: t('statistics.asTableOf', { name }), exact: true }).click()
  await expect(page.getByRole('region', { name }).getByRole('table')).toBeVisible()
  // The report is checked with the table, and below with its charts and the records beside it in both themes.
  await expectAccessible(page)
  await page.getByRole('button', { name: t('statistics.asChartOf', { name }), exact: true }).click()

  await filterByKeyboard(page)

  // A figure opens its records beside the report by the keyboard, and gets the focus back.
  const figureButtons = page.getByRole('button', {
    name: new RegExp(`^${name}: .+ ${t('statistics.openRecords').split('. ')[1]}$`),
  })
  await figureButtons.first().press('Enter')
  const records = page.getByRole('complementary', { name: t('statistics.recordsOf', { name }) })
  await expect(records.getByRole('listitem').first()).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await expect(records).toHaveCount(0)
  await expect(figureButtons.first()).toBeFocused()

  await page.getByRole('button', { name: t('export.title') }).press('Enter')
  const exportDialog = page.getByRole('dialog', { name: t('export.title') })
  await exportDialog.getByRole('button', { name: 'Excel' }).press('Enter')
  await expectOverlayAccessibleInBothThemes(page)
  const downloadEvent = page.waitForEvent('download')
  await exportDialog.getByRole('button', { name: t('statistics.files.save') }).press('Enter')
  expect((await downloadEvent).suggestedFilename()).toMatch(/^consultations-[\d-]{10}\.xlsx$/)
  await expect(exportDialog).toHaveCount(0)

  await saveReport(walk)
  await shareReport(walk)
  await pasteAddress(walk)

  await openInsidePanel(page, 'statistics/bogus')
  await expect(page.getByText(t('statistics.failed'))).toBeVisible()
  await expectAccessible(page)
  await expect(title).toHaveCount(0)
  const { data } = await colleague<{ data: { id: number }[] }>('GET', '/statistics?filters[key]=consultations')
  await openInsidePanel(page, `statistics/${data[0]?.id}`)
  await expect(title).toBeVisible()
}

/**
 * Chooses a region, one of its districts and a language by the keyboard, and takes them back: choosing a filter moves
 * the focus to its chip, and removing the chip moves it back to the filter.
 */
async function filterByKeyboard(page: Page): Promise<void> {
  type Filter = 'field.region' | 'field.district' | 'field.locale'
  const chipOf = (field: Filter) => page.getByRole('button', { name: new RegExp(`^Убрать фильтр ${t(field)}: `) })
  const boxOf = (field: Filter) => page.getByRole('combobox', { name: t(field) })
  const choose = async (field: Filter, option: string) => {
    await boxOf(field).press('Enter')
    await page.getByRole('option', { name: option, exact: true }).press('Enter')
    await expect(chipOf(field)).toBeFocused()
  }
  await expect(boxOf('field.district')).toHaveCount(0)
  await choose('field.region', 'Республика Каракалпакстан')
  await choose('field.district', 'Нукусский район')
  await choose('field.locale', 'Qaraqalpaqsha')
  await expectAccessible(page)
  await page.reload()
  for (const field of ['field.locale', 'field.district', 'field.region'] as const) {
    await chipOf(field).press('Enter')
    await expect(boxOf(field)).toBeFocused()
    await expect(chipOf(field)).toHaveCount(0)
  }
  await expect(boxOf('field.district')).toHaveCount(0)
}

/** Saves the report under a name, opens it from the section menu, and deletes it. */
async function saveReport(walk: ScreenWalk): Promise<void> {
  const { page } = walk
  const name = 'Год по регионам'
  await page.getByRole('button', { name: t('statistics.saved.title') }).press('Enter')
  await page.getByRole('menuitem', { name: t('statistics.saved.save') }).press('Enter')
  const dialog = page.getByRole('dialog', { name: t('statistics.saved.save') })
  await dialog.getByRole('textbox', { name: t('statistics.saved.name') }).fill(name)
  await expectOverlayAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/saved=\d+/)
  const address = page.url()
  await page.goto(`/app/statistics/${new URL(address).searchParams.get('saved') ?? ''}`)
  await expect(page).toHaveURL(address)
  await openInsidePanel(page, 'statistics/people')
  await expect(page.getByRole('heading', { level: 1, name: 'Консультации' })).toHaveCount(0)
  await page.getByRole('navigation').getByRole('link', { name }).click()
  await expect(page).toHaveURL(address)
  await sendRegularly(walk, name)
  await page.getByRole('navigation').getByRole('link', { name }).press('Enter')
  await expect(page).toHaveURL(address)
  await page.getByRole('button', { name }).press('Enter')
  await page.getByRole('menuitem', { name: t('statistics.saved.delete') }).press('Enter')
  await expect(page.getByRole('navigation').getByRole('link', { name })).toHaveCount(0)
}

/** Has a saved report sent every month by the keyboard, pauses the schedule in the list, and deletes it. */
async function sendRegularly({ page }: ScreenWalk, name: string): Promise<void> {
  await page.getByRole('button', { name }).press('Enter')
  await page.getByRole('menuitem', { name: t('statistics.schedules.add') }).press('Enter')
  const dialog = page.getByRole('dialog', { name: t('statistics.schedules.save') })
  await expect(dialog.getByText(t('statistics.schedules.noMail'))).toBeVisible()
  await dialog.getByRole('button', { name: t('statistics.schedules.monthly') }).press('Enter')
  const addresses = dialog.getByRole('textbox', { name: t('statistics.schedules.addresses') })
  await addresses.fill('ministry@example.org, plain')
  await dialog.getByRole('button', { name: t('action.save') }).press('Enter')
  await expect(addresses).toBeFocused()
  await addresses.fill('ministry@example.org')
  await dialog.getByRole('button', { name: t('action.save') }).press('Enter')
  await expect(dialog).toHaveCount(0)
  await openInsidePanel(page, 'statistics')
  const list = page.getByRole('region', { name: t('statistics.schedules.title') })
  await expect(list.getByText('ministry@example.org')).toBeVisible()
  await list.getByRole('button', { name: `${t('statistics.schedules.pause')}: ${name}` }).press('Enter')
  await expect(list.getByText(t('statistics.schedules.paused'))).toBeVisible()
  // The bar at the top would cover a part of a figure.
  await page.evaluate(() => window.scrollTo(0, 0))
  // The only check of the page of all reports, with the list of schedules on it.
  await expectAccessibleInBothAppearances(page)
  await list.getByRole('button', { name: `${t('statistics.schedules.record')}: ${name}` }).press('Enter')
  await expect(page.getByRole('dialog', { name: t('statistics.schedules.record') })).toBeVisible()
  await page.keyboard.press('Escape')
  await list.getByRole('button', { name: `${t('action.delete')}: ${name}` }).press('Enter')
  await expect(list).toHaveCount(0)
}

/** Makes a page with a passcode, opens it as a reader without an account, and withdraws it. */
async function shareReport({ page }: ScreenWalk): Promise<void> {
  const passcode = 'green-field'
  await page.getByRole('button', { name: t('statistics.shares.title') }).press('Enter')
  const dialog = page.getByRole('dialog', { name: t('statistics.shares.title') })
  await dialog.getByLabel(t('statistics.shares.passcode'), { exact: true }).fill(passcode)
  await expectOverlayAccessible(page)
  await dialog.getByRole('button', { name: t('statistics.shares.make') }).press('Enter')
  const url = await dialog.getByRole('textbox', { name: t('field.link') }).inputValue()
  const address = new URL(url).pathname
  const reader = await page.context().newPage()
  await reader.goto(address)
  await expectAccessible(reader)
  await reader.getByLabel(t('statistics.shares.passcode')).fill(passcode)
  await reader.keyboard.press('Enter')
  await expect(reader.getByRole('heading', { level: 1, name: 'Консультации' })).toBeVisible()
  await expectAccessible(reader)
  await reader.getByRole('button', { name: 'Qaraqalpaqsha' }).click()
  await expect(reader.locator('html')).toHaveAttribute('lang', 'kaa')
  await dialog
    .getByRole('button', { name: t('statistics.shares.withdraw') })
    .first()
    .click()
  await expect(page.getByText(t('statistics.shares.withdrawn'))).toBeVisible()
  expect((await reader.goto(address))?.status()).toBe(404)
  await expectAccessible(reader)
  await reader.close()
  await page.keyboard.press('Escape')
}

/** Opens the address of a report as a colleague of the same rights, who signs in first: the page is the same. */
async function pasteAddress({ page, browser }: ScreenWalk): Promise<void> {
  // The figures of a past month stay the same while other tests add questions.
  await openInsidePanel(page, 'statistics/consultations?period=last_month&compare=year&interval=week&hours=wall')
  await page.getByRole('combobox', { name: t('field.region') }).click()
  await page.getByRole('option', { name: 'Республика Каракалпакстан' }).click()
  const chip = { name: /^Убрать фильтр Регион: Республика Каракалпакстан/ }
  await expect(page.getByRole('button', chip)).toBeFocused()
  const address = page.url()
  const context = await browser.newContext()
  const otherPage = await context.newPage()
  await otherPage.goto(address)
  await expect(otherPage).toHaveURL(/\/user\/login/)
  await fillSignIn(otherPage, accountOf('super-admin'))
  await expect(otherPage).toHaveURL(address)
  await expect(otherPage.getByRole('button', chip)).toBeVisible()
  const textOf = async (statisticsPage: Page) => {
    await expect(statisticsPage.getByRole('region', { name: t('statistics.figures') })).toBeVisible()
    // The times at which the two pages were counted differ.
    return (await statisticsPage.getByRole('main').innerText()).replaceAll(/\d\d:\d\d/g, '')
  }
  await expect.poll(() => textOf(otherPage)).toBe(await textOf(page))
  await context.close()
}

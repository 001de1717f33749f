/** Price days from the draft to the publication, and trading posts with their moderation. */
import { randomInt } from 'node:crypto'
import { findField } from '../fill-form.ts'
import { expect, expectAccessible, expectOverlayAccessible, makeUniqueName } from '../fixtures.ts'
import {
  expectAccessibleInBothAppearances,
  expectAccessibleInBothThemes,
  openList,
  openRecord,
  saveButton,
  type ScreenWalk,
  walkWholeScreen,
} from '../walk.ts'
import { titleOfOne, t } from '../messages.ts'
import { openInsidePanel } from '../open-within.ts'

/** A price day before any of the demo content, `after` days past the first one. */
const computeLaterDay = (firstTime: number, dayCount: number) =>
  new Date(firstTime + dayCount * 86_400_000).toISOString().slice(0, 10)
const formatDay = (day: string) => day.split('-').toReversed().join('.')

/** The pages beside the list of days, with the beginning of their titles. */
const views = [
  ['chart', 'prices.view.chart'],
  ['changes', 'prices.view.changes'],
  ['map', 'prices.view.map'],
  ['bulletin', 'prices.bulletin'],
] as const

async function priceDays(walk: ScreenWalk): Promise<void> {
  const { page, screen, newRecord, colleague } = walk
  const firstTime = Date.UTC(1970, 0, 1) + randomInt(16_000) * 86_400_000
  const takenDay = await newRecord('pricedates', { date: computeLaterDay(firstTime, 0) })
  for (const [view, title] of views) {
    await openInsidePanel(page, `price-list/${view}`)
    await expect(page).toHaveTitle(new RegExp(t(title)))
    await expect(page.getByRole('main').getByRole('table').first()).toBeVisible()
    await expectAccessibleInBothThemes(page)
  }
  await openList(walk)
  await expectAccessibleInBothThemes(page)
  await page
    .getByRole('main')
    .getByRole('link', { name: t('action.addNew') })
    .click()
  const date = findField(page, 'date').getByRole('textbox')
  await expect(date).not.toHaveValue('')
  await expectAccessibleInBothThemes(page)
  const trySave = async (day: string) => {
    await date.fill(day)
    await page.keyboard.press('Tab')
    await saveButton(page).click()
  }
  await trySave('')
  await expect(findField(page, 'date')).toContainText(t('validation.required'))
  await trySave(formatDay(computeLaterDay(firstTime, 0)))
  await expect(findField(page, 'date')).toContainText(t('validation.unique'))
  await expect(date).toHaveValue(formatDay(computeLaterDay(firstTime, 0)))
  await trySave(formatDay(computeLaterDay(firstTime, 1)))
  await expect(page.getByText(t('message.created', { resource: titleOfOne(screen) }))).toBeVisible()

  // Leaving a cell of the price table saves its price, and a reload shows the price.
  const table = page.getByRole('region', { name: t('price.title') }).getByRole('grid')
  const prices = table.getByRole('textbox')
  const cell = (position: string) => table.locator(`[data-cell="${position}"]`)
  await expect(prices).toBeVisible()
  await expectAccessibleInBothAppearances(page)
  await prices.fill('3400')
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('prices.savedAt', { time: '' }).trim())).toBeVisible()
  // A block of prices is undone in one step, and the cursor stays.
  await cell('1:0').click()
  await page.keyboard.type('x')
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: t('validation.number') })
  await expect(question).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(question).toBeHidden()
  await page.reload()
  await expect(cell('0:0').getByRole('textbox')).toHaveValue(/^3\s?400$/)
  const step = async (name: string) => {
    // The button is pressed by keyboard, because a toast may cover it.
    await page.getByRole('main').getByRole('button', { name, exact: true }).press('Enter')
  }
  const confirm = async (name: string | RegExp, answer: string) => {
    const dialog = page.getByRole('dialog', { name })
    // The buttons of the dialog are enabled once the cells of the day are counted.
    await expect(dialog.getByRole('button', { name: answer, exact: true })).not.toHaveAttribute(
      'data-why',
      t('prices.publish.counting'),
    )
    for (const box of await dialog.getByRole('checkbox').all()) await box.check()
    await dialog.getByRole('button', { name: answer, exact: true }).click()
    await expect(dialog).toBeHidden()
  }
  const publishTitle = (day: string) => t('prices.publish.title', { date: formatDay(day) })
  await step(t('prices.publish'))
  await confirm(publishTitle(computeLaterDay(firstTime, 1)), t('action.publish'))
  await expect(page.getByText(t('prices.published'))).toBeVisible()
  await expect(prices).toHaveCount(0)
  // One published price is corrected with a reason, and the day stays published.
  await cell('0:0').focus()
  await page.keyboard.press('Enter')
  const correction = page.getByRole('dialog', { name: t('prices.correct') })
  await correction.getByRole('textbox', { name: t('field.price') }).fill('3450')
  await correction.getByRole('textbox', { name: t('prices.reason') }).fill('Misread')
  await expectOverlayAccessible(page)
  await correction.getByRole('button', { name: t('action.save') }).click()
  await expect(correction).toBeHidden()
  await expect(cell('0:0')).toContainText(/3\s?450/)
  await expect(page.getByText(t('prices.published'))).toBeVisible()

  await step(t('action.reopen'))
  await confirm(t('prices.reopen.title'), t('action.reopen'))
  await expect(prices.first()).toBeVisible()
  // A day with prices cannot be deleted: the dialog explains the reason.
  await page.getByRole('button', { name: t('form.more') }).click()
  await page.getByRole('menuitem', { name: t('action.delete') }).click()
  const deleteDialog = page.getByRole('dialog', { name: t('dialog.delete.title') })
  await expect(deleteDialog.getByRole('alert')).toHaveText(t('trash.held'))
  await expect(deleteDialog.getByRole('button', { name: t('action.delete') })).toBeDisabled()
  await deleteDialog.getByRole('button', { name: t('action.cancel') }).click()
  await expect(deleteDialog).toBeHidden()
  await colleague('DELETE', `/pricedates/${takenDay.id}`)
}

/**
 * Refuses a trading post with a listed reason by keyboard, undoes that, and approves it while the next post
 * is open.
 */
async function decideTradingPost(walk: ScreenWalk, { id, name }: { id: number; name: string }): Promise<void> {
  const { page, newRecord, colleague } = walk
  const { data: types } = await colleague<{ data: { id: number }[] }>('GET', '/tradingposttypes')
  const otherPost = await newRecord('tradinposts', { title: makeUniqueName('Ждёт'), tradingposttype: types[0]?.id })
  await openRecord(walk, id, name)
  const decision = page.getByRole('complementary', { name: t('tradinposts.decision') })
  await page.keyboard.press('r')
  const reasons = decision.getByRole('checkbox')
  await expect(reasons.first()).toBeVisible()
  await page.keyboard.press('1')
  await expect(reasons.first()).toBeChecked()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(reasons).toHaveCount(0)
  await page.keyboard.press('r')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('status').filter({ hasText: t('moderation.outcome.rejected') })).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(`seen/${id}(\\?|$)`))
  await page.keyboard.press('u')
  await expect(page.getByRole('status').filter({ hasText: t('moderation.outcome.rejected') })).toHaveCount(0)
  await openRecord(walk, id, name)
  await expect(page.getByText(t('status.onHold')).first()).toBeVisible()
  await colleague('DELETE', `/tradinposts/${otherPost.id}`)
  await openRecord(walk, id, name)
}

async function tradingPosts(walk: ScreenWalk): Promise<void> {
  await walkWholeScreen(walk, { readRecord: decideTradingPost })
}

export const marketJourneys = { 'price-list': priceDays, 'trading-post': tradingPosts }

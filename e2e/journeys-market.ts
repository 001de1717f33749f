/** Price days from the draft to the publication, and trading posts with the decisions on them. */
import { randomInt } from 'node:crypto'
import { fieldAt } from './fill-form.ts'
import { expect, expectAccessible, unique } from './fixtures.ts'
import {
  deleteRecord,
  expectAccessibleInEveryLook,
  openList,
  openRecord,
  saveButton,
  type Walk,
  walkThrough,
} from './walk.ts'
import { oneOf, t } from './words.ts'

/** A day before any of the demo content, `after` days past the first one. */
const dayAfter = (first: number, after: number) => new Date(first + after * 86_400_000).toISOString().slice(0, 10)
const typed = (day: string) => day.split('-').toReversed().join('.')

async function priceDays(walk: Walk): Promise<void> {
  const { page, screen, newRecord, colleague } = walk
  const first = Date.UTC(1970, 0, 1) + randomInt(16_000) * 86_400_000
  const taken = await newRecord('pricedates', { date: dayAfter(first, 0) })
  await openList(walk)
  await expectAccessibleInEveryLook(page)
  await page
    .getByRole('main')
    .getByRole('link', { name: t('action.addNew') })
    .click()
  const date = fieldAt(page, 'date').getByRole('textbox')
  await expect(date).not.toHaveValue('')
  await expectAccessibleInEveryLook(page)
  const trySave = async (day: string) => {
    await date.fill(day)
    await page.keyboard.press('Tab')
    await saveButton(page).click()
  }
  await trySave('')
  await expect(fieldAt(page, 'date')).toContainText(t('validation.required'))
  await trySave(typed(dayAfter(first, 0)))
  await expect(fieldAt(page, 'date')).toContainText(t('validation.unique'))
  await expect(date).toHaveValue(typed(dayAfter(first, 0)))
  await trySave(typed(dayAfter(first, 1)))
  await expect(page.getByText(t('message.created', { resource: oneOf(screen) }))).toBeVisible()

  // The table of the day: a price is saved by leaving its field, and is there after a reload.
  const table = page.getByRole('region', { name: t('price.title') }).getByRole('table')
  const prices = table.getByRole('textbox')
  await expect(prices.first()).toBeVisible()
  await expectAccessibleInEveryLook(page)
  await expect(prices.first()).toBeVisible()
  await prices.first().fill('3400')
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('prices.allSaved'))).toBeVisible()
  await page.reload()
  await expect(prices.first()).toHaveValue(/^3\s?400$/)
  const step = async (name: string) => {
    // The words that come from above may lie over the button.
    await page.getByRole('main').getByRole('button', { name, exact: true }).press('Enter')
  }
  await step(t('prices.submit'))
  await step(t('action.publish'))
  await expect(page.getByText(t('prices.published'))).toBeVisible()
  await expect(prices).toHaveCount(0)
  const published = Number(/\/(\d+)/.exec(new URL(page.url()).pathname)?.[1])

  // The next day lacks the price that this one has: publishing asks first.
  const { id } = await newRecord('pricedates', { date: dayAfter(first, 2) })
  await openRecord(walk, id, /\d/)
  await step(t('prices.submit'))
  await step(t('action.publish'))
  const confirm = async (question: string, name: string) => {
    const dialog = page.getByRole('dialog', { name: question })
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name, exact: true }).click()
    await expect(dialog).toBeHidden()
  }
  await confirm(t('prices.gaps.title'), t('action.publish'))
  await expect(page.getByText(t('prices.published'))).toBeVisible()
  await step(t('action.reopen'))
  await confirm(t('prices.reopen.title'), t('action.reopen'))
  await expect(prices.first()).toBeVisible()
  await deleteRecord(walk, typed(dayAfter(first, 2)))

  await openRecord(walk, published, /\d/)
  await step(t('action.reopen'))
  await confirm(t('prices.reopen.title'), t('action.reopen'))
  await expect(prices.first()).toBeVisible()
  // A day that has prices stays: the question says why.
  await page.getByRole('button', { name: t('form.more') }).click()
  await page.getByRole('menuitem', { name: t('action.delete') }).click()
  const question = page.getByRole('dialog', { name: t('dialog.delete.title') })
  await expect(question.getByRole('alert')).toHaveText(t('trash.held'))
  await expect(question.getByRole('button', { name: t('action.delete') })).toBeDisabled()
  await question.getByRole('button', { name: t('action.cancel') }).click()
  await expect(question).toBeHidden()
  await colleague('DELETE', `/pricedates/${taken.id}`)
}

/** Refused with a reason; the next one that waits is approved from the list. */
async function decide(walk: Walk, { id, name }: { id: number; name: string }): Promise<void> {
  const { page, newRecord, colleague } = walk
  const { data: types } = await colleague<{ data: { id: number }[] }>('GET', '/tradingposttypes')
  const waiting = unique('Ждёт')
  const other = await newRecord('tradinposts', { title: waiting, tradingposttype: types[0]?.id })
  await openRecord(walk, id, name)
  const reject = page.getByRole('button', { name: t('tradinposts.steps.rejected'), exact: true })
  await reject.click()
  const dialog = page.getByRole('dialog', { name: t('dialog.rejectPost.title') })
  const confirm = dialog.getByRole('button', { name: t('tradinposts.steps.rejected'), exact: true })
  await confirm.click()
  const reason = dialog.getByRole('textbox', { name: t('dialog.rejectPost.reason') })
  await expect(reason).toBeFocused()
  await expect(dialog).toContainText(t('validation.reason'))
  await expectAccessible(page)
  await reason.fill('Нет цены')
  await confirm.click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: t('tradinposts.decision') })).toBeFocused()
  const panel = page.getByRole('region', { name: t('tradinposts.decision') })
  await expect(panel).toContainText('Нет цены')
  await expect(reject).toHaveCount(0)
  await panel.getByRole('link', { name: t('tradinposts.next') }).click()
  await expect(page).not.toHaveURL(new RegExp(`seen/${id}`))
  await expect(page.getByRole('button', { name: t('tradinposts.steps.processed'), exact: true })).toBeVisible()

  await openList(walk, `?q=${encodeURIComponent(waiting)}`)
  await expect(page.getByRole('row').filter({ hasText: waiting })).toContainText(t('status.onHold'))
  await page.getByRole('button', { name: t('list.actionsFor', { name: waiting }) }).click()
  await page.getByRole('menuitem', { name: t('tradinposts.steps.processed'), exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: waiting })).toContainText(t('status.processed'))
  await colleague('DELETE', `/tradinposts/${other.id}`)
  await openRecord(walk, id, name)
}

async function tradingPosts(walk: Walk): Promise<void> {
  await walkThrough(walk, { reading: decide })
}

export const marketJourneys = { 'price-list': priceDays, 'trading-post': tradingPosts }

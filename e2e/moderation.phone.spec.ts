/**
 * The review of a trading post on a phone: one post, a sheet with reasons, and the bar that undoes a
 * decision.
 */
import { randomInt } from 'node:crypto'
import kaa from '@dala/model/labels/kaa.json' with { type: 'json' }
import { expect, expectAccessible, expectOverlayAccessible, test, makeUniqueName } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'
import { tabToTarget } from './tab-to.ts'

test('returns a trading post with a reason by touch', async ({ page, login, newRecord, colleague }) => {
  const { data: types } = await colleague<{ data: { id: number }[] }>('GET', '/tradingposttypes')
  const title = makeUniqueName('Piyaz')
  const post = await newRecord('tradinposts', { title, tradingposttype: types[0]?.id })
  await login('admin', { language: 'kaa' })
  await page.goto(`/app/trading-post/seen/${post.id}?order=newest`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expectSettledPage(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await expectAccessible(page)

  await page.getByRole('button', { name: kaa['moderation.choice.needs_changes'], exact: true }).tap()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('checkbox').nth(2).tap()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: kaa['moderation.send.needs_changes'] }).tap()
  const bar = page.getByRole('status').filter({ hasText: title })
  await expect(bar).toContainText(kaa['moderation.outcome.needs_changes'])
  await page.getByRole('button', { name: kaa['action.undo'] }).tap()
  const statusOf = async () =>
    (await colleague<{ data: { attributes: { status: string } } }>('GET', `/tradinposts/${post.id}`)).data.attributes
      .status
  await expect.poll(statusOf).toBe('on_hold')
  await colleague('DELETE', `/tradinposts/${post.id}`)
})

test('compares, refuses and approves a trading post with the keyboard on a narrow screen', async ({
  page,
  login,
  newRecord,
  colleague,
}) => {
  const { data: types } = await colleague<{ data: { id: number }[] }>('GET', '/tradingposttypes')
  const phone = `+99800${randomInt(1_000_000, 9_999_999)}`
  const title = makeUniqueName('Piyaz')
  const makePost = (name: string) => newRecord('tradinposts', { title: name, phone, tradingposttype: types[0]?.id })
  const [twinPost, post] = [await makePost(makeUniqueName('Sarımsaq')), await makePost(title)]
  const statusOf = async () =>
    (await colleague<{ data: { attributes: { status: string } } }>('GET', `/tradinposts/${post.id}`)).data.attributes
      .status
  const openPost = async () => {
    await page.goto(`/app/trading-post/seen/${post.id}?order=newest`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText(kaa['moderation.same.phone'])).toBeVisible()
    await expectSettledPage(page)
  }
  await login('admin', { language: 'kaa' })
  await openPost()

  const hint = page.getByRole('button', { name: kaa['moderation.hint.twin'] })
  await tabToTarget(page, hint)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('table')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await expectOverlayAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(hint).toBeFocused()

  await page.keyboard.press('r')
  await tabToTarget(page, dialog.getByRole('checkbox').first())
  await page.keyboard.press('Space')
  await expectOverlayAccessible(page)
  await tabToTarget(page, dialog.getByRole('button', { name: kaa['moderation.send.rejected'] }))
  await page.keyboard.press('Enter')
  const bar = page.getByRole('status').filter({ hasText: title })
  await expect(bar).toContainText(kaa['moderation.outcome.rejected'])
  await page.keyboard.press('u')
  await expect(bar).toBeHidden()
  await expect.poll(statusOf).toBe('on_hold')

  await openPost()
  await tabToTarget(page, page.getByRole('button', { name: kaa['moderation.choice.processed'], exact: true }))
  await page.keyboard.press('Enter')
  await expect(bar).toContainText(kaa['moderation.outcome.processed'])
  await expect.poll(statusOf).toBe('processed')
  for (const { id } of [post, twinPost]) await colleague('DELETE', `/tradinposts/${id}`)
})

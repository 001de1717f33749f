/** The review of a trading post on a phone: the post alone, a sheet with reasons, and the bar that takes a decision back. */
import kaa from '@dala/model/labels/kaa.json' with { type: 'json' }
import { expect, expectAccessible, test, unique } from './fixtures.ts'
import { expectSettled } from './settled.ts'

test('a post is given back with a reason by touch', async ({ page, login, newRecord, colleague }) => {
  const { data: types } = await colleague<{ data: { id: number }[] }>('GET', '/tradingposttypes')
  const title = unique('Piyaz')
  const post = await newRecord('tradinposts', { title, tradingposttype: types[0]?.id })
  await login('admin', { language: 'kaa' })
  await page.goto(`/app/trading-post/seen/${post.id}?order=newest`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expectSettled(page)
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

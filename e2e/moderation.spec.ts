/**
 * The review of trading posts with the keyboard alone, in two languages: refused with a reason, undone,
 * approved.
 */
import { randomInt } from 'node:crypto'
import kaa from '@dala/model/labels/kaa.json' with { type: 'json' }
import ru from '@dala/model/labels/ru.json' with { type: 'json' }
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'
import { tabToTarget } from './tab-to.ts'

test('compares a similar trading post with the keyboard in Karakalpak', async ({
  page,
  login,
  newRecord,
  colleague,
}) => {
  const { data: types } = await colleague<{ data: { id: number }[] }>('GET', '/tradingposttypes')
  const phone = `+99800${randomInt(1_000_000, 9_999_999)}`
  const title = makeUniqueName('Дыни')
  const makePost = (name: string, price: number) =>
    newRecord('tradinposts', { title: name, phone, price, tradingposttype: types[0]?.id })
  const [twinPost, post] = [await makePost(makeUniqueName('Лук'), 4_400), await makePost(title, 4_600)]
  await login('admin', { language: 'kaa' })
  await page.goto(`/app/trading-post/seen/${post.id}?order=newest`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByText(kaa['moderation.same.phone'])).toBeVisible()
  await expectSettledPage(page)

  const compareButton = page.getByRole('button', { name: kaa['moderation.compare'] })
  await tabToTarget(page, compareButton, 'back')
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog', { name: kaa['moderation.compareTitle'] })
  await expect(
    dialog
      .getByRole('table')
      .locator('mark')
      .filter({ hasText: /4\s400/ }),
  ).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(compareButton).toBeFocused()
  for (const { id } of [post, twinPost]) await colleague('DELETE', `/tradinposts/${id}`)
})

test('reviews trading posts with the keyboard in Russian', async ({ page, login, newRecord, colleague }) => {
  const { data: types } = await colleague<{ data: { id: number }[] }>('GET', '/tradingposttypes')
  const title = makeUniqueName('Дыни')
  const makePost = (name: string) => newRecord('tradinposts', { title: name, tradingposttype: types[0]?.id })
  const [post, otherPost] = [await makePost(title), await makePost(makeUniqueName('Лук'))]
  await login('admin', { language: 'ru' })
  await page.goto(`/app/trading-post/seen/${post.id}?order=newest`)
  const heading = page.getByRole('heading', { level: 1, name: title })
  await expect(heading).toBeVisible()
  await expectSettledPage(page)
  const decision = page.getByRole('complementary', { name: ru['tradinposts.decision'] })
  const reasons = decision.getByRole('checkbox')

  await page.keyboard.press('r')
  await expect(reasons).toHaveCount(6)
  await page.keyboard.press('2')
  await expect(reasons.nth(1)).toBeChecked()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(reasons).toHaveCount(0)

  await page.keyboard.press('r')
  await page.keyboard.press('Control+Enter')
  const bar = page.getByRole('status').filter({ hasText: title })
  await expect(bar).toContainText(ru['moderation.outcome.rejected'])
  await expect(heading).toBeHidden()
  await page.keyboard.press('u')
  await expect(bar).toBeHidden()
  const statusOf = async () =>
    (await colleague<{ data: { attributes: { status: string } } }>('GET', `/tradinposts/${post.id}`)).data.attributes
      .status
  await expect.poll(statusOf).toBe('on_hold')

  await page.goto(`/app/trading-post/seen/${post.id}?order=newest`)
  await expect(heading).toBeVisible()
  await expectSettledPage(page)
  await page.keyboard.press('a')
  await expect(bar).toContainText(ru['moderation.outcome.processed'])
  await expect.poll(statusOf).toBe('processed')
  for (const { id } of [post, otherPost]) await colleague('DELETE', `/tradinposts/${id}`)
})

test('places the decision below the trading post on a tablet, not over the post', async ({
  page,
  login,
  newRecord,
  colleague,
}) => {
  const { data: types } = await colleague<{ data: { id: number }[] }>('GET', '/tradingposttypes')
  const title = makeUniqueName('Дыни')
  const description = Array.from({ length: 80 }, () => 'Урожай этого года, самовывоз из хозяйства.').join(' ')
  const post = await newRecord('tradinposts', { title, description, tradingposttype: types[0]?.id })
  await page.setViewportSize({ width: 768, height: 900 })
  await login('admin', { language: 'ru' })
  await page.goto(`/app/trading-post/seen/${post.id}?order=newest`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expectSettledPage(page)
  const decision = page.getByRole('complementary', { name: ru['tradinposts.decision'] })
  const text = page.getByText('Урожай этого года').last()
  const [textBox, decisionBox] = await Promise.all([text.boundingBox(), decision.boundingBox()])
  expect(decisionBox?.y).toBeGreaterThanOrEqual((textBox?.y ?? 0) + (textBox?.height ?? Infinity))
  await colleague('DELETE', `/tradinposts/${post.id}`)
})

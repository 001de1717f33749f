/** The first view in a wide window: the first record of lists, a sheet of prices, a thread of a chat. */
import { messageOf, test } from './desk.ts'
import { expectRecordsAbove } from './first-record.ts'
import { expect, makeUniqueName } from './fixtures.ts'
import { expectSettledPage } from './settled.ts'
import { t } from './messages.ts'

test('begins every kind of list above 300 px, in each of its modes and with a saved view', async ({
  page,
  loginAsOwner,
  colleague,
}) => {
  test.slow()
  const view = { name: makeUniqueName('Вид'), screen: 'news', state: { search: { sort: 'date' } } }
  const { data } = await colleague('POST', '/list-views', { data: view })
  const { data: courses } = await colleague<{ data: { id: number }[] }>('GET', '/courses')
  await loginAsOwner()
  await expectRecordsAbove(page, [`news?view=${data.id}`, `e-learning/lessons/${courses[0]?.id}`])
  for (const mode of ['thumb', 'image'] as const) {
    await page.goto('/app/partners')
    await page.getByRole('button', { name: t(`list.mode.${mode}`) }).click()
    const card = page.getByRole('main').getByRole('listitem').first()
    await expect(card).toBeVisible()
    expect((await card.boundingBox())?.y).toBeLessThan(300)
  }
  await colleague('DELETE', `/list-views/${data.id}`)
})

test('shows twenty products of a day of prices under an opaque header', async ({ page, loginAsOwner, newRecord }) => {
  const { id } = await newRecord('pricedates', { date: '1925-03-02' })
  await loginAsOwner()
  await page.goto(`/app/price-list/${id}`)
  const frame = page.getByRole('region', { name: t('price.title') })
  await expect(frame.locator('[data-cell="0:0"]')).toBeVisible()
  await expectSettledPage(page)
  const rows = await frame.evaluate((region) => {
    const { bottom } = region.getBoundingClientRect()
    return [...region.querySelectorAll('tbody tr')]
      .map((row) => row.getBoundingClientRect())
      .filter((row) => row.bottom <= bottom).length
  })
  expect(rows).toBeGreaterThanOrEqual(20)

  await frame.evaluate((region) => region.scrollTo(200, 300))
  const opaqueFlags = await frame.evaluate((region) => {
    const findOpaqueColour = (element: Element | null) =>
      element !== null && !/transparent|\/|rgba/.test(getComputedStyle(element).backgroundColor)
    const { left, top } = region.getBoundingClientRect()
    const headCellAt = (x: number, y: number) => document.elementFromPoint(left + x, top + y)?.closest('th') ?? null
    const headBoxes = [headCellAt(20, 20), headCellAt(400, 20), headCellAt(20, 200)]
    return [...headBoxes, document.querySelector('header')].map(findOpaqueColour)
  })
  expect(opaqueFlags).toEqual([true, true, true, true])
})

for (const width of [1440, 1280]) {
  test(`keeps a thread 640 px wide in a window of ${width} px`, async ({ page, desk }) => {
    await page.setViewportSize({ width, height: 900 })
    const [grower, consultant] = [await desk.person('grower'), await desk.person('consultant')]
    const room = await desk.room(grower, consultant)
    await desk.sendMessage(grower, room, 'Сколько воды?')
    await desk.open(consultant, `chats/${room}`, page)
    await expect(messageOf(page, 'Сколько воды?')).toBeVisible()
    const person = page.getByRole('complementary', { name: t('chat.person') })
    await expect(person).toHaveCount(width === 1440 ? 1 : 0)
    const threadLog = page.getByRole('log')
    expect((await threadLog.boundingBox())?.width).toBeGreaterThanOrEqual(640)
    // When the main menu is wide, the panel of the person closes, and the thread does not become narrower.
    const menu = page.getByRole('button', { name: /^Изменить меню/ })
    await menu.press('Enter')
    await expectSettledPage(page)
    expect((await threadLog.boundingBox())?.width).toBeGreaterThanOrEqual(640)
  })
}

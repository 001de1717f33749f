/**
 * A long room: few nodes, a stable position when earlier messages load, and a search that leads deep into it.
 */
import { positionOf } from '../scripts/lib/message-position.ts'
import { findLog, messageOf, test } from './desk.ts'
import { expect, makeUniqueName } from './fixtures.ts'
import { waitForMotionEnd } from './settled.ts'
import { expectAccessibleInBothThemes } from './walk.ts'
import { t } from './messages.ts'

const count = 200

test('keeps a room of two hundred messages light and stable, and finds messages in another alphabet', async ({
  page,
  desk,
}) => {
  test.slow()
  const [grower, consultant] = [await desk.person('grower'), await desk.person('consultant')]
  const room = await desk.room(grower, consultant)
  const name = makeUniqueName('')
  await desk.sendMessage(grower, room, `Ғўзада шира бор${name}`)
  // Messages are sent in parallel batches: only their number matters, not their order.
  for (let startIndex = 1; startIndex < count; startIndex += 10) {
    await Promise.all(
      Array.from({ length: Math.min(10, count - startIndex) }, (_, index) =>
        desk.sendMessage(
          index % 2 ? grower : consultant,
          room,
          `${startIndex + index}: ${'слово '.repeat((startIndex * 7 + index * 3) % 40)}`,
        ),
      ),
    )
  }
  await consultant.ask('GET', `/seen_messages?room=${room}`)
  // Earlier messages of the room arrive when the test releases them.
  let releasePage: (() => void) | undefined
  await page.route(/chatmessages\?.*before=(?!2147483647)/, async (route) => {
    await new Promise<void>((release) => (releasePage = release))
    await route.continue()
  })
  await desk.open(consultant, `chats/${room}`, page)
  await expect(messageOf(page, `${count - 1}:`)).toBeInViewport()
  const countDrawnMessages = () => findLog(page).getByRole('article').count()
  const height = () => findLog(page).evaluate((log) => log.scrollHeight)
  let [maxMessageCount, shift, pages] = [0, 0, 0]
  while (!(await findLog(page).getByText(t('chat.beginning')).isVisible())) {
    await expect(async () => {
      await findLog(page).evaluate((log) => log.scrollBy({ top: -500, behavior: 'instant' }))
      maxMessageCount = Math.max(maxMessageCount, await countDrawnMessages())
      expect(releasePage).toBeDefined()
    }).toPass({ intervals: [20] })
    await waitForMotionEnd(page)
    const [formerPosition, formerHeight] = [await positionOf(page), await height()]
    releasePage?.()
    releasePage = undefined
    await expect.poll(height).toBeGreaterThan(formerHeight + 1_000)
    await waitForMotionEnd(page)
    const newPosition = await positionOf(page, formerPosition.id)
    expect(newPosition.id).toBe(formerPosition.id)
    shift = Math.max(shift, Math.abs(newPosition.top - formerPosition.top))
    maxMessageCount = Math.max(maxMessageCount, await countDrawnMessages())
    pages += 1
  }
  expect(pages).toBe(3)
  expect(maxMessageCount).toBeLessThanOrEqual(150)
  expect(shift).toBeLessThanOrEqual(2)
  await findLog(page).press('Home')
  await expect(messageOf(page, name.trim())).toBeInViewport()

  await page.goto('/app/chats')
  await page.getByRole('searchbox', { name: t('chat.searchRooms') }).fill(`gʻoʻzada shira${name}`)
  await page
    .getByRole('group', { name: t('chat.searchIn') })
    .getByRole('button', { name: t('chatmessages.many') })
    .click()
  const hit = page.getByRole('list', { name: t('chatmessages.many') }).getByRole('link')
  await expect(hit).toHaveCount(1)
  await expectAccessibleInBothThemes(page)
  await hit.click()
  await expect(messageOf(page, name.trim())).toBeFocused()
  await expect(messageOf(page, name.trim())).toBeInViewport()
})

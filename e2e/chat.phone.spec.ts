/** The chat desk on a phone: the list, a room over the whole window, and back. */
import { fieldOf, messageOf, roomRowOf, test } from './desk.ts'
import { expect, expectAccessible } from './fixtures.ts'
import { t } from './messages.ts'

test('opens, answers and leaves a chat room, and opens the menu of a message on a long press', async ({
  page,
  desk,
}) => {
  const [grower, consultant] = [await desk.person('grower'), await desk.person('consultant')]
  const room = await desk.room(grower, consultant)
  await desk.sendMessage(grower, room, 'Листья желтеют')
  await desk.open(consultant, 'chats', page)
  const messageFits = async () => {
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
  }
  await expect(roomRowOf(page, grower)).toBeVisible()
  await messageFits()
  await expectAccessible(page)
  await roomRowOf(page, grower).tap()
  await expect(messageOf(page, 'Листья желтеют')).toBeVisible()
  await expect(roomRowOf(page, grower)).toHaveCount(0)
  await messageFits()
  await expectAccessible(page)
  await fieldOf(page).fill('Пришлите фото')
  await page.getByRole('button', { name: t('action.send'), exact: true }).tap()
  await expect(messageOf(page, 'Пришлите фото')).toBeVisible()

  const box = await messageOf(page, 'Листья желтеют').getByText('Листья желтеют').boundingBox()
  if (!box) throw new Error('The message has no place on the page.')
  const touchSession = await page.context().newCDPSession(page)
  await touchSession.send('Input.dispatchTouchEvent', {
    type: 'touchStart',
    touchPoints: [{ x: box.x + 20, y: box.y + 8 }],
  })
  await expect(page.getByRole('menuitem', { name: t('action.reply') })).toBeVisible()
  await touchSession.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect(page.getByRole('menuitem', { name: t('action.reply') })).toBeVisible()
  await messageFits()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: t('action.reply') }).tap()
  await expect(page.getByText(t('chat.replyTo', { name: grower.name }))).toBeVisible()
  await page.getByRole('button', { name: t('chat.replyRemove') }).tap()

  await page.getByRole('button', { name: t('chat.person'), exact: true }).tap()
  await expect(page.getByRole('complementary', { name: t('chat.person') })).toBeVisible()
  for (const sectionName of ['pictures', 'notes', 'ratings', 'history'] as const) {
    await page.getByRole('button', { name: t(`chat.section.${sectionName}`), exact: true }).tap()
  }
  await messageFits()
  await expectAccessible(page)
  // The first step back shows the thread again, the second one the list of rooms.
  await page.goBack()
  await expect(fieldOf(page)).toBeVisible()
  await page.getByRole('button', { name: t('action.back'), exact: true }).tap()
  await expect(roomRowOf(page, grower)).toContainText('Пришлите фото')
  await expect(fieldOf(page)).toHaveCount(0)
})

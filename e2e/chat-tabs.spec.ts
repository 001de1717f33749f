/** Two tabs of one consultant: whatever happens in them or elsewhere, both show the counts of the server. */
import type { Page } from '@playwright/test'
import { RandomDraws } from '../scripts/lib/draws.ts'
import { type DeskPerson, messageOf, onMessage, roomRowOf, test } from './desk.ts'
import { expect } from './fixtures.ts'
import { t } from './messages.ts'

const actionCount = 100
const seed = 8

interface ChatTalk {
  grower: DeskPerson
  room: number
  /** Messages of the grower that the thread shows, the latest last. */
  shownMessages: { id: number; text: string }[]
}

const readUnreadCount = async (page: Page, { grower }: ChatTalk) =>
  Number(/(\d+) непрочитанн/.exec(await roomRowOf(page, grower).innerText())?.[1] ?? 0)

test('ends a hundred openings, arrivals, deletions and marks in two chat tabs with the counts of the server', async ({
  page,
  desk,
}) => {
  test.slow()
  const consultant = await desk.person('consultant')
  const chatTalks: ChatTalk[] = []
  for (let index = 0; index < 4; index += 1) {
    const grower = await desk.person('grower')
    chatTalks.push({ grower, room: await desk.room(grower, consultant), shownMessages: [] })
  }
  const receiveMessage = async ({ grower, room, shownMessages }: ChatTalk, turn: number) => {
    const text = `Вопрос ${turn}.`
    const { body } = await grower.ask('POST', '/chatmessages', { data: { room, text } })
    shownMessages.push({ id: body.data?.id ?? body.id ?? 0, text })
  }
  for (const chatTalk of chatTalks) await receiveMessage(chatTalk, actionCount)
  await desk.open(consultant, 'chats', page)
  const secondTab = await page.context().newPage()
  await secondTab.goto('/app/chats')
  const openTabs = [page, secondTab]
  const openTalk = async (tab: Page, { grower }: ChatTalk) => {
    // A browser hardly paints a background tab, so the tab moves to the front first.
    await tab.bringToFront()
    await roomRowOf(tab, grower).click()
  }

  const draws = new RandomDraws(seed, 0)
  let maxUnreadCount = 0
  const actionCounts = { arrived: 0, opened: 0, deleted: 0, marked: 0 }
  for (let turn = 0; turn < actionCount; turn += 1) {
    const [tab, talk, kind] = [draws.pick(openTabs), draws.pick(chatTalks), draws.next()]
    const lastMessage = talk.shownMessages.at(-1)
    if (kind < 0.4 || !lastMessage) {
      await receiveMessage(talk, turn)
      actionCounts.arrived += 1
    } else if (kind < 0.7) {
      await openTalk(tab, talk)
      actionCounts.opened += 1
    } else if (kind < 0.85) {
      const { status } = await talk.grower.ask('DELETE', `/chatmessages/${lastMessage.id}`)
      expect(status).toBe(200)
      talk.shownMessages.pop()
      actionCounts.deleted += 1
    } else {
      await openTalk(tab, talk)
      await expect(messageOf(tab, lastMessage.text)).toBeInViewport()
      await onMessage(tab, lastMessage.text, t('chat.markUnread'))
      actionCounts.marked += 1
    }
    if (turn % 25 !== 24) continue
    // Both tabs have received every update and show the state of each room on the server.
    await expect(async () => {
      const { body } = await consultant.ask('GET', '/get_customized_rooms?sort=waiting')
      const counts = chatTalks.map(({ room }) => body.results?.find(({ id }) => id === room)?.unread_message)
      for (const openTab of openTabs) {
        expect(await Promise.all(chatTalks.map((countedTalk) => readUnreadCount(openTab, countedTalk)))).toEqual(counts)
      }
      maxUnreadCount = Math.max(maxUnreadCount, ...counts.map(Number))
    }).toPass()
  }
  expect(maxUnreadCount).toBeGreaterThan(0)
  expect(Math.min(...Object.values(actionCounts)), JSON.stringify(actionCounts)).toBeGreaterThan(actionCount / 13)
})

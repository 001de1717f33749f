/** Two tabs of one consultant: whatever happens in them or elsewhere, both show the counts of the server. */
import type { Page } from '@playwright/test'
import { RandomDraws } from '../scripts/lib/draws.ts'
import { type DeskPerson, messageOf, onMessage, roomRowOf, test } from './desk.ts'
import { expect } from './fixtures.ts'
import { t } from './messages.ts'

const actionCount = 40
const seed = 8

interface ChatTalk {
  grower: DeskPerson
  room: number
  /** Messages of the grower that the thread shows, the latest last. */
  shownMessages: { id: number; text: string }[]
}

const readUnreadCount = async (page: Page, { grower }: ChatTalk) =>
  Number(/(\d+) непрочитанн/.exec(await roomRowOf(page, grower).innerText())?.[1] ?? 0)

test('ends forty openings, arrivals, deletions and marks in two chat tabs with the counts of the server', async ({
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
  const second = await page.context().newPage()
  await second.goto('/app/chats')
  const openTabs = [page, second]
  const open = async (tab: Page, { grower }: ChatTalk) => {
    // A browser hardly paints a background tab, so the tab moves to the front first.
    await tab.bringToFront()
    await roomRowOf(tab, grower).click()
  }

  const draws = new RandomDraws(seed, 0)
  let most = 0
  const done = { arrived: 0, opened: 0, deleted: 0, marked: 0 }
  for (let turn = 0; turn < actionCount; turn += 1) {
    const [tab, talk, kind] = [draws.pick(openTabs), draws.pick(chatTalks), draws.next()]
    const last = talk.shownMessages.at(-1)
    if (kind < 0.4 || !last) {
      await receiveMessage(talk, turn)
      done.arrived += 1
    } else if (kind < 0.7) {
      await open(tab, talk)
      done.opened += 1
    } else if (kind < 0.85) {
      const { status } = await talk.grower.ask('DELETE', `/chatmessages/${last.id}`)
      expect(status).toBe(200)
      talk.shownMessages.pop()
      done.deleted += 1
    } else {
      await open(tab, talk)
      await expect(messageOf(tab, last.text)).toBeInViewport()
      await onMessage(tab, last.text, t('chat.markUnread'))
      done.marked += 1
    }
    if (turn % 10 !== 9) continue
    // Both tabs have received every update and show the state of each room on the server.
    await expect(async () => {
      const { body } = await consultant.ask('GET', '/get_customized_rooms?sort=waiting')
      const counts = chatTalks.map(({ room }) => body.results?.find(({ id }) => id === room)?.unread_message)
      for (const one of openTabs) {
        expect(await Promise.all(chatTalks.map((each) => readUnreadCount(one, each)))).toEqual(counts)
      }
      most = Math.max(most, ...counts.map(Number))
    }).toPass()
  }
  expect(most).toBeGreaterThan(0)
  expect(Math.min(...Object.values(done)), JSON.stringify(done)).toBeGreaterThan(actionCount / 13)
})

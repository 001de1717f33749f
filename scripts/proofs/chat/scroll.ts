/**
 * Proof that a long room stays light. A consultant scrolls through a whole room, page by page, with pictures
 * that load late. Measures how many messages are in the DOM, how far the first visible one moves when earlier
 * ones are added, and the frames a second of a steady scroll.
 * `node scripts/proofs/chat/scroll.ts --messages 10000`
 */
/// <reference lib="dom" />
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { browserFlags, findBrowser } from '../../lib/browser.ts'
import { openRoomOf } from './crowd.ts'
import { option } from '../../lib/filled-database.ts'
import { signIn } from '../../lib/server-process.ts'
import { makeCast } from '../../simulate/people.ts'
import { openStage } from '../../simulate/stage.ts'
import { failedTally, passedTally, type CountTally } from '../../lib/step.ts'
import { positionOf } from '../../lib/message-position.ts'

/** Limits for scrolling a chat (chat §8). */
const promises = { drawn: 150, shift: 2, frames: 50 }
/** Delay of a picture's answer in milliseconds. */
const pictureDelay = 60
/** Bytes of a picture of one grey pixel. */
const picture = Buffer.from('R0lGODlhAQABAIAAAMLCwgAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

/** SQL of chat messages of one to some hundred words, every tenth with a picture. */
const fillSql = (room: number, asks: number, answers: number, messages: number) => `
  insert into chatmessages (room_id, sender_id, text, kind, seq, created_at)
  select ${room}, case when n % 3 = 0 then ${answers} else ${asks} end, n || ': ' || repeat('слово ', n * 7 % 120), 'message', n,
         now() - make_interval(mins => ${messages} - n)
    from generate_series(1, ${messages}) n;
  insert into uploads (name, url, size, width, height)
  select 'late.gif', '/uploads/late-' || n || '.gif', 35, 200 + n % 7 * 40, 120 + n % 5 * 30
    from generate_series(10, ${messages}, 10) n on conflict do nothing;
  insert into chatmessages_files (holder_id, target_id)
  select m.id, u.id from chatmessages m join uploads u on u.url = '/uploads/late-' || m.seq || '.gif' where m.room_id = ${room};
  update chatrooms set revision = ${messages} where id = ${room};`

/** Waits two frames of the browser, after which pending changes are drawn. */
const waitForFrames = (page: Page) =>
  page.evaluate(() => new Promise((resolveFrames) => requestAnimationFrame(() => requestAnimationFrame(resolveFrames))))

/**
 * Scrolls the thread at a steady pace.
 *
 * @returns Frames a second.
 */
const measureScroll = (page: Page, step: number) =>
  page.getByRole('log').evaluate(
    (log, scrollStep) =>
      new Promise<number>((resolve) => {
        const frames = 240
        const startMoment = performance.now()
        let count = 0
        const turn = () => {
          log.scrollBy({ top: scrollStep, behavior: 'instant' })
          count += 1
          if (count < frames) requestAnimationFrame(turn)
          else resolve((frames * 1_000) / (performance.now() - startMoment))
        }
        requestAnimationFrame(turn)
      }),
    step,
  )

/**
 * Scrolls up to the beginning of the room.
 *
 * @returns Maximum messages in the DOM, maximum pixels moved, and number of loaded pages.
 */
async function scrollUp(page: Page): Promise<{ most: number; shift: number; pages: number }> {
  const log = page.getByRole('log')
  let releasePage: (() => void) | undefined
  await page.route(/chatmessages\?.*before=(?!2147483647)/, async (route) => {
    await new Promise<void>((release) => (releasePage = release))
    await route.continue()
  })
  const measurements = { most: 0, shift: 0, pages: 0 }
  const count = async () => {
    measurements.most = Math.max(measurements.most, await log.locator('[data-message]').count())
  }
  for (;;) {
    while (!releasePage) {
      const top = await log.evaluate((box) => {
        box.scrollBy({ top: -1200, behavior: 'instant' })
        return box.scrollTop
      })
      await waitForFrames(page)
      await count()
      // The next page of messages is requested before the beginning of the present page is reached.
      if (top === 0 && !releasePage) return measurements
    }
    const [positionBefore, heightBefore] = [await positionOf(page), await log.evaluate((box) => box.scrollHeight)]
    releasePage()
    releasePage = undefined
    await page.waitForFunction(
      (formerHeight) => (document.querySelector('[role=log]')?.scrollHeight ?? 0) > formerHeight,
      heightBefore,
    )
    const move = async () => {
      await waitForFrames(page)
      const positionAfter = await positionOf(page, positionBefore.id)
      measurements.shift = Math.max(
        measurements.shift,
        positionAfter.id === positionBefore.id ? Math.abs(positionAfter.top - positionBefore.top) : Infinity,
      )
    }
    await move()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[role=log] img')].every((logImage) => 'complete' in logImage && logImage.complete),
    )
    await move()
    await count()
    measurements.pages += 1
  }
}

/**
 * Runs the proof of scrolling in a long chat, and prints figures.
 *
 * @param messages - Number of messages in the room.
 * @returns The step.
 */
export async function chatScroll(messages: number): Promise<CountTally> {
  const stage = await openStage('embedded')
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
  try {
    const [url = ''] = stage.urls
    const testCast = await makeCast(url, await signIn(url), { customers: 1, consultants: 1 })
    const [customer, consultant] = [testCast.customers[0], testCast.consultants[0]]
    if (!customer || !consultant) throw new Error('Nobody is there')
    const room = await openRoomOf(url, customer, consultant)
    await stage.fill(fillSql(room, customer.id, consultant.id, messages))
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript((token) => localStorage.setItem('token', token), consultant.token)
    await page.route('**/uploads/late-*', async (route) => {
      await pause(pictureDelay)
      await route.fulfill({ contentType: 'image/gif', body: picture })
    })
    await page.goto(`${url}/app/chats/${room}?at=${messages}`)
    await page
      .getByRole('article')
      .filter({ hasText: `${messages}:` })
      .waitFor()
    const { most, shift, pages } = await scrollUp(page)
    const frames = [await measureScroll(page, 40), await measureScroll(page, -40)]
    const minFrames = Math.min(...frames)
    console.log(
      `   ${messages} messages in ${pages + 1} pages: at most ${most} drawn, the first in sight moved ${shift.toFixed(2)} px at most, ` +
        `${minFrames.toFixed(1)} frames a second while scrolling`,
    )
    const isWhole = (pages + 1) * 50 >= messages
    const isLight = most <= promises.drawn && shift <= promises.shift && minFrames >= promises.frames
    return isWhole && isLight ? passedTally : failedTally
  } finally {
    await browser.close()
    await stage.close()
  }
}

if (import.meta.main) {
  const { failed } = await chatScroll(Number(option('--messages') ?? 10_000))
  process.exit(failed > 0 ? 1 : 0)
}

/** How long after Enter a message stands in the thread of the one who writes it, in a browser at the desk. */
/// <reference lib="dom" />
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { type Spread, spreadOf } from '../simulate/tally.ts'

/** Begins to wait for a text in the thread. Out: milliseconds from the key to the frame that shows it, as a promise of the page. */
const waitFor = (text: string) => ({
  shown: new Promise<number>((resolve, reject) => {
    const log = document.querySelector('[role=log]')
    if (!log) return reject(new Error('There is no thread'))
    let pressed = Number.NaN
    addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { once: true, capture: true })
    const observer = new MutationObserver(() => {
      if (!log.textContent.includes(text)) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.now() - pressed))
    })
    observer.observe(log, { childList: true, subtree: true, characterData: true })
  }),
})

/** In: where the panel is, the token of one who answers, his room, and how often. */
export async function measureBubble(
  url: string,
  { token, room }: { token: string; room: number },
  times: number,
): Promise<Spread> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript((own) => localStorage.setItem('token', own), token)
    await page.goto(`${url}/app/chats/${room}`)
    const field = page.locator('form textarea')
    await field.click()
    const took: number[] = []
    for (let turn = 0; turn < times; turn += 1) {
      const text = `Bubble number ${turn}.`
      await field.fill(text)
      const waiting = await page.evaluateHandle(waitFor, text)
      await page.keyboard.press('Enter')
      took.push(await waiting.evaluate(({ shown }) => shown))
      // Nobody writes the next one sooner.
      await pause(400)
    }
    return spreadOf(took)
  } finally {
    await browser.close()
  }
}

/** Measures in a browser how long after Enter a message appears in its sender's own thread. */
/// <reference lib="dom" />
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { type NumberSpread, computeSpread } from '../simulate/tally.ts'

/**
 * Waits for a text to appear in the thread.
 *
 * @returns Milliseconds from the key press to the frame that shows the text, as a promise in the page.
 */
const waitFor = (text: string) => ({
  shown: new Promise<number>((resolve, reject) => {
    const log = document.querySelector('[role=log]')
    if (!log) return reject(new Error('There is no thread'))
    let pressTime = Number.NaN
    addEventListener('keydown', ({ timeStamp }) => (pressTime = timeStamp), { once: true, capture: true })
    const observer = new MutationObserver(() => {
      if (!log.textContent.includes(text)) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.now() - pressTime))
    })
    observer.observe(log, { childList: true, subtree: true, characterData: true })
  }),
})

/**
 * Sends messages in the panel and measures when each of them appears.
 *
 * @param url - Address of the server.
 * @param consultant - Token of a consultant, and a room of theirs.
 * @param times - Number of messages.
 */
export async function measureBubble(
  url: string,
  { token, room }: { token: string; room: number },
  times: number,
): Promise<NumberSpread> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript((savedToken) => localStorage.setItem('token', savedToken), token)
    await page.goto(`${url}/app/chats/${room}`)
    const field = page.locator('form textarea')
    await field.click()
    const durations: number[] = []
    for (let turn = 0; turn < times; turn += 1) {
      const text = `Bubble number ${turn}.`
      await field.fill(text)
      const waitHandle = await page.evaluateHandle(waitFor, text)
      await page.keyboard.press('Enter')
      durations.push(await waitHandle.evaluate(({ shown }) => shown))
      // Pause between two measured messages, because a person would not write the next one sooner.
      await pause(400)
    }
    return computeSpread(durations)
  } finally {
    await browser.close()
  }
}

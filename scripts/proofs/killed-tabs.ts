/**
 * Proof that a killed tab costs at most the last two seconds of typing (e-learning §9, 1). A tab with the
 * form of a lesson is killed again and again while an author types without a pause; the next tab shows the
 * typed words in their order, so saving in the background neither moved the cursor nor replaced the text.
 * `node scripts/proofs/killed-tabs.ts --kills 50`
 */
import { rmSync } from 'node:fs'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { RandomDraws } from '../lib/draws.ts'
import { createRecord, signIn, startServer, temporaryFolder } from '../lib/server-process.ts'
import { optionOf } from './on-place.ts'

/** Milliseconds of typing that may be missing. */
const maxLostTime = 2_000
/** Milliseconds of typing before a kill, at least and at most. */
const typingTimes = [2_500, 5_500] as const

/** Opens the form of the lesson in a new tab, and returns the field of its description. */
async function openForm(context: BrowserContext, address: string) {
  const page = await context.newPage()
  await page.goto(address)
  const field = page.locator('[data-field="texts.en.description"]').getByRole('textbox')
  await field.waitFor()
  return { page, field }
}

/** Kills the process of a tab, as a lack of memory does. */
async function killTab(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashEvent = new Promise<void>((resolve) => page.once('crash', () => resolve()))
  // The tab that is killed cannot answer the command that kills it.
  void session.send('Page.crash').catch(() => undefined)
  await crashEvent
  await page.close()
}

/** Words that a killed tab has lost. */
interface LostText {
  /** Milliseconds between typing the first missing word and the kill. */
  missing: number
  /** Whether the words that the next tab shows are the first typed ones, each in its place. */
  isInOrder: boolean
}

/** Types words without a pause, kills the tab, and reads what the next tab shows. */
async function loseTab(context: BrowserContext, address: string, duration: number, turn: number): Promise<LostText> {
  const { page, field } = await openForm(context, address)
  await field.fill('')
  await field.focus()
  const typedWords: { at: number; word: string }[] = []
  const start = Date.now()
  for (let count = 1; Date.now() - start < duration; count += 1) {
    const typedWord = `word${turn}x${count} `
    await page.keyboard.type(typedWord)
    typedWords.push({ at: Date.now(), word: typedWord })
  }
  const killedServer = Date.now()
  await killTab(page)

  const reopenedForm = await openForm(context, address)
  const prefix = typedWords[0]?.word.trim() ?? ''
  // The stored text appears some time after the form has opened.
  await reopenedForm.page.waitForFunction(
    ([selector, firstWord]) =>
      document.querySelector<HTMLTextAreaElement>(String(selector))?.value.startsWith(String(firstWord)) ?? false,
    ['[data-field="texts.en.description"] textarea', prefix] as const,
  )
  const restoredText = await reopenedForm.field.inputValue()
  await reopenedForm.page.close()
  const typedText = typedWords.map(({ word }) => word).join('')
  const restoredWordCount = restoredText.split(' ').length - 1
  const lostText = typedWords[restoredWordCount]
  return { missing: lostText ? killedServer - lostText.at : 0, isInOrder: typedText.startsWith(restoredText) }
}

/**
 * Kills tabs while an author types.
 *
 * @param kills - Number of kills.
 * @returns Whether each tab lost at most two seconds.
 */
export async function killedTabs(kills: number): Promise<{ harmless: boolean }> {
  const server = await startServer({ seed: 'none' })
  const profile = temporaryFolder('profile')
  try {
    const token = await signIn(server.url)
    const course = await createRecord(server.url, token, 'courses', { title: 'Drip irrigation' })
    const lesson = await createRecord(server.url, token, 'lessons', { title: 'Filters', course })
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: findBrowser(),
      args: browserFlags,
      viewport: { width: 1440, height: 900 },
    })
    await context.addInitScript((value) => {
      localStorage.setItem('token', value)
      localStorage.setItem('current-language', 'en')
    }, token)
    const draws = new RandomDraws(5, 0)
    const losses: LostText[] = []
    for (let turn = 1; turn <= kills; turn += 1) {
      const duration = typingTimes[0] + draws.below(typingTimes[1] - typingTimes[0])
      losses.push(
        await loseTab(context, `${server.url}/app/e-learning/lesson-seen/${lesson}?view=edit`, duration, turn),
      )
    }
    await context.close()
    const worstLoss = Math.max(...losses.map(({ missing }) => missing))
    const mixedCount = losses.filter(({ isInOrder }) => !isInOrder).length
    console.log(
      `   ${kills} tabs killed while typing: at most the last ${(worstLoss / 1_000).toFixed(1)} s missing; ` +
        `text out of order in ${mixedCount}`,
    )
    return { harmless: worstLoss <= maxLostTime && mixedCount === 0 }
  } finally {
    await server.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
  }
}

if (import.meta.main) {
  const { harmless } = await killedTabs(Number(optionOf('--kills') ?? 50))
  process.exit(harmless ? 0 : 1)
}

/**
 * `npm run visit-trace`: how long a user waits on the first visit to the panel, measured in a browser.
 *
 * Measures on this machine and on a link of 400 kbit/s with 400 ms to the server: until the first paint,
 * until the sign-in form works, until the first row of the first list after signing in, and from one list to
 * another whose data is cached. Each is the median of several visits with an empty cache; `--rounds` is
 * another number.
 */
/// <reference lib="dom" />
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { median } from '../lib/filled-database.ts'
import { ownerEmail, startServer, trialPassword } from '../lib/server-process.ts'

/** Maximum waiting times of a first visit in milliseconds, on the slow link except for the last. */
const limits = { painted: 1_500, works: 4_000, row: 2_000, listToList: 100 }
const position = process.argv.indexOf('--rounds')
const rounds = position >= 0 ? Number(process.argv[position + 1]) : 3
/** Milliseconds between two keys of a user who knows the password well. */
const keyPause = 80

const links = {
  'this machine': undefined,
  '400 kbit/s, 400 ms': { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 },
} as const
type Link = keyof typeof links

interface PageVisit {
  paintTime: number
  usableTime: number
  row: number
  kilobytes: number
  requests: number
}

/** Returns the milliseconds since the browser requested the document. */
const now = (page: Page) => page.evaluate(() => performance.now())

async function visitPage(browser: Browser, url: string, link: Link): Promise<PageVisit> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  try {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    const conditions = links[link]
    if (conditions) await devtools.send('Network.emulateNetworkConditions', conditions)
    let [kilobytes, requests] = [0, 0]
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      kilobytes += encodedDataLength / 1024
      if (encodedDataLength > 0) requests += 1
    })
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator('#root form button[type=submit]').waitFor()
    const usableTime = await now(page)
    const paintTime = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    )
    await page.waitForLoadState('networkidle')
    const form = { kilobytes, requests }
    await page.getByRole('textbox').first().pressSequentially(ownerEmail, { delay: keyPause })
    await page.getByRole('textbox').nth(1).pressSequentially(trialPassword, { delay: keyPause })
    const sentAt = await now(page)
    await page.keyboard.press('Enter')
    await page.locator('main tbody tr').first().waitFor()
    const row = (await now(page)) - sentAt
    return { paintTime, usableTime: usableTime, row, ...form }
  } finally {
    await page.close()
  }
}

/**
 * Milliseconds from the press on a page of the menu until its rows are painted, for a list that was open
 * before.
 */
async function measureListChange(browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  try {
    await page.goto(url)
    await page.getByRole('textbox').first().fill(ownerEmail)
    await page.getByRole('textbox').nth(1).fill(trialPassword)
    await page.keyboard.press('Enter')
    await page.locator('main tbody tr').first().waitFor()
    const openPath = async (path: string) => {
      await page.evaluate((target) => {
        window.shown = new Promise((resolve) => {
          window.addEventListener(
            'pointerdown',
            () => {
              const pressedAt = performance.now()
              const formerHeading = document.querySelector('main h1')?.textContent
              const watchRows = () => {
                const isOtherPage = document.querySelector('main h1')?.textContent !== formerHeading
                if (isOtherPage && location.pathname === target && document.querySelector('main tbody tr'))
                  requestAnimationFrame(() => resolve(performance.now() - pressedAt))
                else requestAnimationFrame(watchRows)
              }
              watchRows()
            },
            { once: true, capture: true },
          )
        })
      }, path)
      await page.locator(`nav a[href="${path}"]`).last().click()
      const shownTime = await page.evaluate(() => window.shown)
      await page.waitForLoadState('networkidle')
      return shownTime
    }
    const [firstList, secondList] = ['/app/settings/districts', '/app/settings/regions']
    await page.goto(`${url}${firstList}`)
    await page.locator('main tbody tr').first().waitFor()
    await page.waitForLoadState('networkidle')
    await openPath(secondList)
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await openPath(firstList), await openPath(secondList))
    return times
  } finally {
    await page.close()
  }
}

const server = await startServer({ seed: 'samples', yieldsProcessor: true })
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
let isWithin = true
const line = (name: string, times: readonly number[], limit?: number) => {
  const medianTime = median(times)
  if (limit !== undefined && medianTime > limit) isWithin = false
  const timeList = times.map((time) => time.toFixed(0)).join(' ')
  console.log(
    `${name}: median ${medianTime.toFixed(0)} ms, all ${timeList}${limit === undefined ? '' : ` (limit ${limit})`}`,
  )
}
try {
  for (const link of Object.keys(links) as Link[]) {
    const pageVisits: PageVisit[] = []
    for (let round = 0; round < rounds; round += 1) pageVisits.push(await visitPage(browser, server.url, link))
    const timesOf = (name: keyof PageVisit) => pageVisits.map((pageVisit) => pageVisit[name])
    const isSlow = links[link] !== undefined
    line(`${link}: first paint`, timesOf('paintTime'), isSlow ? limits.painted : undefined)
    line(`${link}: the sign-in form works`, timesOf('usableTime'), isSlow ? limits.works : undefined)
    line(`${link}: first row after signing in`, timesOf('row'), isSlow ? limits.row : undefined)
    const [firstVisit] = pageVisits
    if (firstVisit)
      console.log(`${link}: ${firstVisit.kilobytes.toFixed(0)} KB in ${firstVisit.requests} requests with the form`)
  }
  line('from list to list, data at hand', await measureListChange(browser, server.url), limits.listToList)
} finally {
  await browser.close()
  await server.close()
}
process.exit(isWithin ? 0 : 1)

declare global {
  interface Window {
    shown: Promise<number>
  }
}

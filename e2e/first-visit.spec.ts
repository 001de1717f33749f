/**
 * The transfers of a first visit: the cost of the sign-in form and the first list, and the page before the
 * program has loaded. Counts bytes and requests, never times.
 */
import type { Page } from '@playwright/test'
import { accountOf, expect, expectAccessible, test } from './fixtures.ts'

/** Maximum kilobytes of JavaScript as transferred, including headers, and maximum number of requests. */
const limits = {
  form: { kilobytes: 130, requests: 15 },
  firstRow: { kilobytes: 200, files: 8 },
  settled: { kilobytes: 360, files: 25 },
  /** Maximum bytes of response headers of a hashed file. */
  headers: 450,
}

// The service worker, which caches the panel, must not load before the first row either, as in production.
test.use({ serviceWorkers: 'allow', reuseContext: false })

interface NetworkTransfer {
  address: string
  bytes: number
  /** Bytes of the response without headers. */
  content: number
}

/** Records all transfers of the page from now on. */
async function watchTransfers(page: Page): Promise<ReadonlyMap<string, NetworkTransfer>> {
  const devtools = await page.context().newCDPSession(page)
  const fileTransfers = new Map<string, NetworkTransfer>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    fileTransfers.set(requestId, { address: new URL(request.url).pathname, bytes: 0, content: 0 })
  })
  devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const fileTransfer = fileTransfers.get(requestId)
    if (fileTransfer) fileTransfer.content += encodedDataLength
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const fileTransfer = fileTransfers.get(requestId)
    if (fileTransfer) fileTransfer.bytes = encodedDataLength
  })
  await devtools.send('Network.enable')
  return fileTransfers
}

/** Records the moment when the browser paints the first row of a list. */
async function markFirstRow(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const check = () => {
      if (document.querySelector('main tbody tr')) requestAnimationFrame(() => performance.mark('first row'))
      else requestAnimationFrame(check)
    }
    requestAnimationFrame(check)
  })
}

/** The scripts that the page requested before the first row of a list was painted. */
const scriptsBeforeRows = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const [mark] = performance.getEntriesByName('first row')
    if (!mark) throw new Error('No row has been drawn')
    const requestedFiles = performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= mark.startTime)
    return requestedFiles.map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.js'))
  })

const isScript = ({ address }: NetworkTransfer) => address.endsWith('.js')
const sumKilobytes = (transfers: readonly NetworkTransfer[]) =>
  transfers.reduce((sum, { bytes }) => sum + bytes, 0) / 1024
const names = (transfers: readonly NetworkTransfer[]) => transfers.map(({ address }) => address)

test('loads little code for the sign-in form and the first list, and optional code after them', async ({ page }) => {
  await markFirstRow(page)
  const fileTransfers = await watchTransfers(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')

  const formTransfers = [...fileTransfers.values()].filter(({ bytes }) => bytes > 0)
  expect(formTransfers.length, names(formTransfers).join('\n')).toBeLessThanOrEqual(limits.form.requests)
  expect(sumKilobytes(formTransfers.filter(isScript))).toBeLessThanOrEqual(limits.form.kilobytes)
  const hashedAddresses = formTransfers.filter(({ address }) => address.startsWith('/assets/'))
  expect(hashedAddresses.filter(({ bytes, content }) => bytes - content > limits.headers)).toEqual([])

  const { identifier, password } = accountOf('admin')
  await page.getByRole('textbox').first().fill(identifier)
  await page.getByRole('textbox').nth(1).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.locator('main tbody tr').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  const earlyScripts = await scriptsBeforeRows(page)
  const pageScripts = [...fileTransfers.values()].filter(isScript)
  const bytesBeforeRows = pageScripts.filter(({ address }) => earlyScripts.includes(address))
  expect(bytesBeforeRows.length, names(bytesBeforeRows).join('\n')).toBeLessThanOrEqual(limits.firstRow.files)
  expect(sumKilobytes(bytesBeforeRows)).toBeLessThanOrEqual(limits.firstRow.kilobytes)
  expect(pageScripts.length, names(pageScripts).join('\n')).toBeLessThanOrEqual(limits.settled.files)
  expect(sumKilobytes(pageScripts)).toBeLessThanOrEqual(limits.settled.kilobytes)
})

/** Every visible text and drawing, with its position on the page. */
const readShownPlaces = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const round = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ')
    const drawnPositions: string[] = []
    const treeWalker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = treeWalker.nextNode(); node; node = treeWalker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement
      if (!element?.checkVisibility() || element.closest('.sr-only, noscript')) continue
      const range = document.createRange()
      range.selectNode(node)
      const text = node instanceof Text ? node.data.trim() : ''
      if (text !== '' || element.matches('svg')) drawnPositions.push(`${text} ${round(range.getBoundingClientRect())}`)
    }
    return [...new Set(drawnPositions)].toSorted()
  })

const program = /\/assets\/index-[^/]+\.js$/

for (const [language, theme, width] of [
  ['ru', 'dark.blueolympic', 1440],
  ['en', 'light.greenmoss', 1440],
  ['uz', 'light.blueolympic', 390],
  ['kaa', 'dark.redruby', 390],
] as const) {
  test(`draws the static sign-in form in the same positions as the program: ${language}, ${theme}, ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.addInitScript(
      (storageEntries) => {
        for (const [key, value] of Object.entries(storageEntries)) localStorage.setItem(key, value)
      },
      { 'current-language': language, theme },
    )
    await page.route(program, (route) => route.abort())
    await page.goto('/app/news')
    await page.waitForLoadState('networkidle')
    await expect(page.locator('#frame')).toBeVisible()
    const [mode] = theme.split('.')
    await expect(page.locator('html')).toHaveAttribute('data-mode', mode ?? '')
    await expectAccessible(page)
    const drawnPlaces = await readShownPlaces(page)
    expect(drawnPlaces.length).toBeGreaterThan(10)

    await page.unroute(program)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('#frame')).toHaveCount(0)
    await page.waitForLoadState('networkidle')
    expect(await readShownPlaces(page)).toEqual(drawnPlaces)
  })
}

test('draws no static sign-in form on the page of certificates, nor for a signed-in user', async ({ page, login }) => {
  await page.route(program, (route) => route.abort())
  await page.goto('/certificate')
  await expect(page.locator('#frame')).toBeVisible()
  await expect(page.locator('#frame form')).toBeHidden()
  await page.unroute(program)
  await login('admin')
  await page.route(program, (route) => route.abort())
  await page.goto('/app/news')
  await page.waitForLoadState('networkidle')
  await expect(page.locator('#frame')).toBeHidden()
})

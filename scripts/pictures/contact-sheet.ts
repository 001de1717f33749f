/**
 * `npm run contact-sheet`: pictures of every screen of the model, a few on each sheet, in each appearance,
 * for a review by eye.
 *
 * Lists, pages and forms of all screens at 1440, 768 and 390 px, light and dark, in Russian and Karakalpak.
 * The pictures go to `contact-sheets/`, which is not committed. `--only <part of a path>`, `--width`,
 * `--language`, `--mode` choose fewer; `--url` uses a running server instead of one of its own.
 */
/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { addressesOf, type Resource, resources, type Screen, screensOf } from '@dala/model'
import { type Browser, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { openSignedInPage } from '../../e2e/sign-in.ts'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { repositoryRoot } from '../lib/processes.ts'
import { ownerEmail, signIn, startServer, trialPassword } from '../lib/server-process.ts'

const folder = join(repositoryRoot, 'contact-sheets')
const themes = { light: 'light.greenmoss', dark: 'dark.blueolympic' } as const
type Mode = keyof typeof themes

const option = (name: string): string | undefined => {
  const position = process.argv.indexOf(name)
  return position >= 0 ? process.argv[position + 1] : undefined
}
const filterByOption = <T>(name: string, allValues: readonly T[]): T[] => {
  const value = option(name)
  return allValues.filter((candidate) => value === undefined || String(candidate) === value)
}

interface Appearance {
  width: number
  mode: Mode
  language: string
}

interface ScreenshotImage {
  name: string
  picture: Buffer
}

/** Returns the addresses of a screen, with ids of demo records filled in. */
async function addressesWithRecords(url: string, token: string, screen: Screen): Promise<string[]> {
  const onlyName = Object.entries(screen.fixedValues ?? {}).map(([name, value]) => `&filters[${name}][$eq]=${value}`)
  const wire = screen.resource.wire
  const page = screen.resource.unwrapped ? 'start=0&limit=1' : 'pagination[pageSize]=1'
  const answer = await fetch(`${url}/api/${wire}?locale=ru&fallback=true&${page}${onlyName.join('')}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const body = (await answer.json()) as { data?: { id: number }[]; results?: { id: number }[] }
  const id = (Array.isArray(body.data) ? body.data : body.results)?.[0]?.id
  return addressesOf(screen).flatMap((address) => {
    if (!address.includes('$index')) return [address]
    const record = id === undefined ? [] : [address.replace('$index', String(id))]
    const isForm = address === `${screen.editPath}/$index`
    if (isForm && screen.overview && screen.readPath === screen.editPath && !screen.resource.appendOnly)
      return [...record, ...record.map((recordPath) => `${recordPath}?view=edit`)]
    return record
  })
}

/**
 * Whether the page has neither placeholder bars nor empty picture boxes left; the function runs in the page.
 */
function isDrawn(): boolean {
  const isInView = (image: HTMLImageElement) => {
    const { top, bottom } = image.getBoundingClientRect()
    return image.checkVisibility() && bottom > 0 && top < innerHeight
  }
  return (
    document.querySelector('main [data-skeleton]') === null &&
    [...document.images].every((image) => image.complete || !isInView(image))
  )
}

async function takeSheet(page: Page, address: string): Promise<Buffer> {
  await page.goto(`/app/${address}`)
  await page.getByRole('main').getByText(/\S/).first().waitFor()
  await page.waitForLoadState('networkidle')
  // A picture of a page that had not sent all requests on a busy machine is taken again.
  let picture: Buffer
  do {
    await page.waitForFunction(isDrawn)
    picture = await page.screenshot()
  } while (!(await page.evaluate(isDrawn)))
  return picture
}

/** Layout of a contact sheet for each width: width of a picture, pictures in a row, and rows. */
const grids: Readonly<Record<number, readonly [width: number, columns: number, rows: number]>> = {
  390: [300, 6, 2],
  768: [420, 4, 3],
  1440: [720, 3, 3],
}

/**
 * Arranges screenshots side by side, each under its address; a sheet holds no more than a person can read in
 * one look.
 */
async function mountPictures(appearance: Appearance, shots: readonly ScreenshotImage[]): Promise<string[]> {
  const [width, columns, rows] = grids[appearance.width] ?? [720, 3, 3]
  const sheets = Array.from({ length: Math.ceil(shots.length / (columns * rows)) }, (_, index) =>
    shots.slice(index * columns * rows, (index + 1) * columns * rows),
  )
  const files: string[] = []
  for (const [index, sheet] of sheets.entries()) {
    const file = join(
      folder,
      `${appearance.width}-${appearance.mode}-${appearance.language}-${String(index + 1).padStart(2, '0')}.png`,
    )
    await mountSheet(file, sheet, width, columns, appearance.width)
    files.push(file)
  }
  return files
}

async function mountSheet(
  file: string,
  sheetScreenshots: readonly ScreenshotImage[],
  width: number,
  columns: number,
  sourceWidth: number,
) {
  const height = Math.round((width / sourceWidth) * (sourceWidth === 390 ? 844 : 900))
  const caption = 26
  const parts = await Promise.all(
    sheetScreenshots.map(async ({ name, picture }, index) => {
      const left = (index % columns) * (width + 12)
      const top = Math.floor(index / columns) * (height + caption + 12)
      const text = Buffer.from(
        `<svg width="${width}" height="${caption}"><text x="2" y="18" font-size="15" font-family="sans-serif">${name.replaceAll('&', '&amp;')}</text></svg>`,
      )
      return [
        { input: text, left, top },
        { input: await sharp(picture).resize(width, height).png().toBuffer(), left, top: top + caption },
      ]
    }),
  )
  const lines = Math.ceil(sheetScreenshots.length / columns)
  await sharp({
    create: { width: columns * (width + 12), height: lines * (height + caption + 12), channels: 3, background: '#ddd' },
  })
    .composite(parts.flat())
    .png()
    .toFile(file)
}

async function takeScreenshots(
  browser: Browser,
  url: string,
  appearance: Appearance,
  addresses: readonly string[],
): Promise<ScreenshotImage[]> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: appearance.width, height: appearance.width === 390 ? 844 : 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const storedSettings = { 'current-language': appearance.language }
  await openSignedInPage(page, {
    url,
    identifier: ownerEmail,
    password: option('--password') ?? trialPassword,
    theme: themes[appearance.mode],
    stored: storedSettings,
  })
  const pageScreenshots: ScreenshotImage[] = []
  for (const address of addresses) {
    pageScreenshots.push({ name: address, picture: await takeSheet(page, address) })
    const overflowWidth = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (overflowWidth > 0) console.log(`${address} is ${overflowWidth} px wider than ${appearance.width}`)
  }
  await context.close()
  return pageScreenshots
}

mkdirSync(folder, { recursive: true })
const givenUrl = option('--url')
const server =
  givenUrl === undefined ? await startServer({ seed: 'demo' }) : { url: givenUrl, close: () => Promise.resolve() }
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
try {
  const token = await signIn(server.url, ownerEmail, option('--password'))
  const chosenScreens = Object.values<Resource>(resources)
    .flatMap(screensOf)
    .filter(({ path }) => path.includes(option('--only') ?? ''))
  // The address of the home page belongs to no single resource, so it is added here.
  const addresses = ['home'].filter((path) => path.includes(option('--only') ?? ''))
  for (const screen of chosenScreens) addresses.push(...(await addressesWithRecords(server.url, token, screen)))
  for (const width of filterByOption('--width', [1440, 768, 390])) {
    for (const mode of filterByOption<Mode>('--mode', ['light', 'dark'])) {
      for (const language of filterByOption('--language', ['ru', 'kaa'])) {
        const appearance = { width, mode, language }
        for (const file of await mountPictures(
          appearance,
          await takeScreenshots(browser, server.url, appearance, addresses),
        ))
          console.log(file)
      }
    }
  }
} finally {
  await browser.close()
  await server.close()
}

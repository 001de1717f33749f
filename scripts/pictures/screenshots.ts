/** `npm run screenshots`: pictures of the real panel with the demo content, for the README. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, expect, type Page } from '@playwright/test'
import { openSignedInPage } from '../../e2e/sign-in.ts'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { repositoryRoot } from '../lib/processes.ts'
import { ownerEmail, signIn, startServer, trialPassword } from '../lib/server-process.ts'

const folder = join(repositoryRoot, 'docs/images')

interface PageScreenshot {
  name: string
  width: 1440 | 390
  theme: string
  path: string
  /** Brings the page into the state that the screenshot shows. */
  preparePage?: (page: Page) => Promise<void>
}

interface NewsRecord {
  id: number
  attributes: { image: { data: { attributes: { name: string; url: string; mime: string } } | null } }
}

interface File {
  name: string
  mimeType: string
  buffer: Buffer
}

const uploadedPictures = 3

/** Returns the newest news of the demo that have a picture. */
async function newsWithPictures(url: string): Promise<NewsRecord[]> {
  const token = await signIn(url)
  const answer = await fetch(`${url}/api/news?locale=ru&pagination[pageSize]=20&populate=image`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await answer.json()) as { data: NewsRecord[] }
  const picturedNews = data.filter(({ attributes }) => attributes.image.data)
  if (picturedNews.length < uploadedPictures) throw new Error('The demo content has too few news with a picture.')
  return picturedNews.slice(0, uploadedPictures)
}

/** Downloads the picture of a news record as a file, to upload it again. */
async function pictureOf(url: string, { attributes }: NewsRecord): Promise<File> {
  const picture = attributes.image.data?.attributes
  if (!picture) throw new Error('These news have no picture.')
  const answer = await fetch(new URL(picture.url, url))
  return { name: picture.name, mimeType: picture.mime, buffer: Buffer.from(await answer.arrayBuffer()) }
}

/** Fills the gallery of a form with pictures whose upload does not end. */
async function startUpload(page: Page, files: readonly File[]): Promise<void> {
  const gallery = page.locator('[data-field="shared.gallery"]')
  await page.route('**/api/upload', () => Promise.resolve())
  await gallery.locator('input[type="file"]').setInputFiles([...files])
  await expect(gallery.getByRole('progressbar').first()).toBeVisible()
  await gallery.evaluate((field) => field.scrollIntoView({ block: 'center' }))
}

async function takeScreenshot(browser: Browser, url: string, shot: PageScreenshot): Promise<void> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: shot.width, height: shot.width === 390 ? 844 : 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await openSignedInPage(page, { url, identifier: ownerEmail, password: trialPassword, theme: shot.theme })
  await page.goto(shot.path)
  await page.getByRole('main').waitFor()
  await page.waitForLoadState('networkidle')
  await shot.preparePage?.(page)
  await page.screenshot({ path: join(folder, `${shot.name}.png`) })
  await context.close()
  console.log(`docs/images/${shot.name}.png`)
}

mkdirSync(folder, { recursive: true })
const server = await startServer({ seed: 'demo' })
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
try {
  const newsRecords = await newsWithPictures(server.url)
  const files = await Promise.all(newsRecords.map((newsRecord) => pictureOf(server.url, newsRecord)))
  const form = `/app/news/${newsRecords[0]?.id}`
  const pageScreenshots: readonly PageScreenshot[] = [
    { name: 'list-1440-dark', width: 1440, theme: 'dark.blueolympic', path: '/app/news' },
    { name: 'list-1440-light', width: 1440, theme: 'light.greenmoss', path: '/app/news' },
    { name: 'list-390-dark', width: 390, theme: 'dark.blueolympic', path: '/app/news' },
    { name: 'list-390-light', width: 390, theme: 'light.greenmoss', path: '/app/news' },
    { name: 'home-1440-light', width: 1440, theme: 'light.greenmoss', path: '/app/home' },
    { name: 'home-390-light', width: 390, theme: 'light.greenmoss', path: '/app/home' },
    { name: 'form-1440-dark', width: 1440, theme: 'dark.blueolympic', path: form },
    { name: 'form-1440-light', width: 1440, theme: 'light.greenmoss', path: form },
    { name: 'form-390-dark', width: 390, theme: 'dark.blueolympic', path: form },
    { name: 'form-390-light', width: 390, theme: 'light.greenmoss', path: form },
    {
      name: 'upload-1440-light',
      width: 1440,
      theme: 'light.greenmoss',
      path: form,
      preparePage: (page) => startUpload(page, files),
    },
    { name: 'regions-1440-dark', width: 1440, theme: 'dark.blueolympic', path: '/app/settings/regions' },
  ]
  for (const pageScreenshot of pageScreenshots) await takeScreenshot(browser, server.url, pageScreenshot)
} finally {
  await browser.close()
  await server.close()
}

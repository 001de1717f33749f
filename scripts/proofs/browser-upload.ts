/**
 * Proof that an author's upload of a large video survives a bad connection in the panel itself (e-learning
 * §9, 3): the form of a lesson sends a file while the connection is cut five times and the page is reloaded
 * once; afterwards the stored bytes have the checksum of the file. `node scripts/proofs/browser-upload.ts
 * --size 1024`
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { createRecord, signIn, startServer, temporaryFolder } from '../lib/server-process.ts'
import { optionOf } from './on-place.ts'
import { writeVideo } from './resumable-uploads.ts'

const cutCount = 5
/** Milliseconds for which the connection is cut. */
const cutDuration = 2_000
/** Maximum seconds that one request of the upload may take. */
const maxSeconds = 60

/** Waits until a share of the video has been sent. */
async function waitUntilSent(page: Page, share: number): Promise<void> {
  await page.waitForFunction((minShare) => {
    const bar = document.querySelector<HTMLProgressElement>('[data-field="shared.video"] progress')
    const value = bar ? bar.value / bar.max : Number.NaN
    // The progress bar of an upload is gone when the video is stored.
    return !bar || value >= minShare
  }, share)
}

/**
 * Uploads a video in the form of a lesson.
 *
 * @param megabytes - The size.
 * @returns Whether the checksums are equal and each request was short enough.
 */
export async function browserUpload(megabytes: number): Promise<{ harmless: boolean }> {
  const folder = temporaryFolder('browser-upload')
  const server = await startServer({ dataDir: join(folder, 'data'), seed: 'none' })
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
  try {
    const file = join(folder, 'film.mp4')
    const hash = await writeVideo(file, megabytes)
    const token = await signIn(server.url)
    const course = await createRecord(server.url, token, 'courses', { title: 'Drip irrigation' })
    const lesson = await createRecord(server.url, token, 'lessons', { title: 'Filters', course })
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
    await context.addInitScript((value) => {
      localStorage.setItem('token', value)
      localStorage.setItem('current-language', 'en')
    }, token)
    const page = await context.newPage()
    page.setDefaultTimeout(600_000)
    let slowest = 0
    page.on('requestfinished', (request) => (slowest = Math.max(slowest, request.timing().responseEnd / 1_000)))
    await page.goto(`${server.url}/app/e-learning/lesson-seen/${lesson}?view=edit`)
    const field = page.locator('[data-field="shared.video"]')
    await field.getByRole('button', { name: 'File', exact: true }).click()
    await field.locator('input[data-purpose="lesson_video"]').setInputFiles(file)
    for (let cutNumber = 1; cutNumber <= cutCount; cutNumber += 1) {
      await waitUntilSent(page, cutNumber / (cutCount + 2))
      await context.setOffline(true)
      await pause(cutDuration)
      await context.setOffline(false)
    }
    await waitUntilSent(page, (cutCount + 1) / (cutCount + 2))
    await page.reload()
    const fileChooserEvent = page.waitForEvent('filechooser')
    await field.getByRole('button', { name: 'Choose the file again to go on' }).click()
    await (await fileChooserEvent).setFiles(file)
    await field.getByText(/320 × 180/).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('All changes are saved').waitFor()

    const answer = await fetch(`${server.url}/api/lessons/${lesson}?locale=en`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = (await answer.json()) as { data: { attributes: { video?: { file?: string } } } }
    const servedHash = createHash('sha256')
    const servedVideo = await fetch(`${server.url}${data.attributes.video?.file ?? ''}`)
    for await (const chunk of servedVideo.body as AsyncIterable<Uint8Array>) servedHash.update(chunk)
    const isEqual = servedHash.digest('hex') === hash
    console.log(
      `   ${megabytes} MB in the form of a lesson, ${cutCount} cuts of ${cutDuration / 1_000} s and a reload: ` +
        `checksum ${isEqual ? 'equal' : 'different'}, slowest request ${slowest.toFixed(1)} s`,
    )
    return { harmless: isEqual && slowest <= maxSeconds }
  } finally {
    await browser.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { harmless } = await browserUpload(Number(optionOf('--size') ?? 1_024))
  process.exit(harmless ? 0 : 1)
}

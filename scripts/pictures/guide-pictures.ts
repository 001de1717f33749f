/** `npm run guide-pictures`: pictures of the real panel in each language, for the staff's guide. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { locales } from '@dala/model'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { openSignedInPage } from '../../e2e/sign-in.ts'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { repositoryRoot } from '../lib/processes.ts'
import { ownerEmail, signIn, startServer, trialPassword } from '../lib/server-process.ts'
import { type GuideScreen, guideScreens } from './guide-screens.ts'

/** The window, and with it the size of a picture. */
const viewport = { width: 1100, height: 720 }

/** Replaces `$newest` in the address of a screen. */
async function addressOf(url: string, token: string, { path, newest }: GuideScreen): Promise<string> {
  if (newest === undefined) return path
  const answer = await fetch(`${url}/api/${newest}&pagination[pageSize]=1`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await answer.json()) as { data: { id: number }[] }
  const [record] = data
  if (!record) throw new Error(`The demo content has no record of ${newest}.`)
  return path.replace('$newest', String(record.id))
}

const server = await startServer({ seed: 'demo' })
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
try {
  const token = await signIn(server.url)
  for (const locale of locales) {
    const folder = join(repositoryRoot, 'docs/guide/pictures', locale)
    mkdirSync(folder, { recursive: true })
    const context = await browser.newContext({ baseURL: server.url, viewport, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await openSignedInPage(page, {
      url: server.url,
      identifier: ownerEmail,
      password: trialPassword,
      theme: 'light.greenmoss',
      stored: { 'current-language': locale },
    })
    for (const screen of guideScreens) {
      await page.goto(await addressOf(server.url, token, screen))
      await page.getByRole('main').waitFor()
      await page.waitForLoadState('networkidle')
      await page.getByRole('main').getByRole('heading').first().waitFor()
      const picture = await page.screenshot()
      await sharp(picture)
        .webp({ quality: 60, effort: 6 })
        .toFile(join(folder, `${screen.name}.webp`))
      console.log(`docs/guide/pictures/${locale}/${screen.name}.webp`)
    }
    await context.close()
  }
} finally {
  await browser.close()
  await server.close()
}

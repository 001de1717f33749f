/** `npm run screenshots`: pictures of the real panel with the demo content, for the README. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { openAs } from '../../e2e/sign-in.ts'
import { browserFlags, findBrowser } from '../lib/browser.ts'
import { repositoryRoot } from '../lib/processes.ts'
import { ownerEmail, signIn, startServer, trialPassword } from '../lib/server-process.ts'

const folder = join(repositoryRoot, 'docs/images')

interface Shot {
  name: string
  width: 1440 | 390
  theme: string
  path: string
}

async function firstNews(url: string): Promise<number> {
  const token = await signIn(url)
  const answer = await fetch(`${url}/api/news?locale=ru&pagination[pageSize]=1`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const body = (await answer.json()) as { data: { id: number }[] }
  const id = body.data[0]?.id
  if (id === undefined) throw new Error('The demo content has no news.')
  return id
}

async function take(browser: Browser, url: string, shot: Shot): Promise<void> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: shot.width, height: shot.width === 390 ? 844 : 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await openAs(page, { url, identifier: ownerEmail, password: trialPassword, theme: shot.theme })
  await page.goto(shot.path)
  await page.getByRole('main').waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `${shot.name}.png`) })
  await context.close()
  console.log(`docs/images/${shot.name}.png`)
}

mkdirSync(folder, { recursive: true })
const server = await startServer({ seed: 'demo' })
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags })
try {
  const form = `/app/news/${await firstNews(server.url)}`
  const shots: readonly Shot[] = [
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
    { name: 'regions-1440-dark', width: 1440, theme: 'dark.blueolympic', path: '/app/settings/regions' },
  ]
  for (const shot of shots) await take(browser, server.url, shot)
} finally {
  await browser.close()
  await server.close()
}

/**
 * Finds the browser of the end-to-end tests and screenshots: CHROMIUM_PATH, an installed Chromium or Chrome,
 * Playwright's own, else Debian's package if it may be installed. Chromium without windows is preferred,
 * because it uses less of the processor.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const programs = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chrome.exe',
]
/** Names of Debian's packages of Chromium, the second one for releases without the first. */
const packages = ['chromium-headless-shell', 'chromium']
const otherPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Features that are switched off in the browser of tests: those of Playwright, whose own list this one
 * replaces, and two pages of the address bar, which cost as much as the first page of the panel.
 */
const disabledFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

/** Options for starting a headless browser: as root in a container, and without requests to its maker. */
export const browserFlags = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

function installedBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const programPaths = [
    ...folders.flatMap((folder) => programs.map((program) => join(folder, program))),
    ...otherPlaces,
  ]
  return [...programPaths, chromium.executablePath()].find((programPath) => existsSync(programPath))
}

function installDebianPackage(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log('No browser found: installing the package of Chromium …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const runAptGet = (...args: string[]) => spawnSync('apt-get', [...args, '-qq'], { env, encoding: 'utf8' })
  const attempts = [runAptGet('update')]
  for (const name of packages) {
    const attempt = runAptGet('install', '-y', '--no-install-recommends', name)
    if (attempt.status === 0) return
    attempts.push(attempt)
  }
  for (const { stderr } of attempts) if (stderr) console.error(stderr)
}

/** Finds the path of a browser program. Throws one clear sentence when none can be found. */
export function findBrowser(): string {
  const configuredPath = process.env['CHROMIUM_PATH']
  if (configuredPath !== undefined && configuredPath !== '') {
    if (existsSync(configuredPath)) return configuredPath
    throw new Error(`CHROMIUM_PATH names ${configuredPath}, which does not exist.`)
  }
  const browserPath = installedBrowser()
  if (browserPath !== undefined) return browserPath
  installDebianPackage()
  const debianBrowserPath = installedBrowser()
  if (debianBrowserPath !== undefined) return debianBrowserPath
  throw new Error('No browser found: install Chromium or Chrome, or set CHROMIUM_PATH to the program.')
}

if (import.meta.main) console.log(findBrowser())

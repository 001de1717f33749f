import { defineConfig } from '@playwright/test'
import { browserFlags, findBrowser } from '../scripts/lib/browser.ts'

/** Address of the server, which global-setup.ts sets before the workers read this file. */
const url = process.env['JOURNEY_URL']

/**
 * All pages of a browser share one renderer, which stays between tests with its compiled scripts. By default each test
 * starts two: one for its first page and a spare one.
 */
const rendererFlags = ['--disable-site-isolation-trials', '--process-per-site', '--renderer-process-limit=1']

/**
 * Scripts run without the optimizing compilers: they compiled about a thousand functions in each test, which took
 * more than it saved.
 */
const quickStartFlag = '--js-flags=--no-opt --no-maglev'

export default defineConfig({
  testDir: '.',
  globalSetup: './global-setup.ts',
  outputDir: '../test-results',
  // Two cores carry the tests and the server: a third worker saves a tenth of the time, a fourth nothing.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    ...(url !== undefined && { baseURL: url }),
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'Asia/Tashkent',
    // Simulated answers do not reach calls of a service worker; the worker's own tests allow it.
    serviceWorkers: 'block',
    // A missing element fails early, before the whole test times out.
    actionTimeout: 15_000,
    // Recording a trace of every test costs a third of the time: ask for it with `--trace on`.
    screenshot: 'only-on-failure',
    // One browser context serves the tests of a worker: its storage is emptied between them, its scripts stay
    // compiled.
    reuseContext: true,
    launchOptions: { executablePath: findBrowser(), args: [...browserFlags, ...rendererFlags, quickStartFlag] },
  },
  projects: [
    {
      name: 'desktop',
      testIgnore: '*.phone.spec.ts',
      // Tests in a wide window ask for reduced motion, as users can; the tests of the phone run with motion.
      use: { contextOptions: { reducedMotion: 'reduce' } },
    },
    {
      name: 'phone',
      testMatch: '*.phone.spec.ts',
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
})

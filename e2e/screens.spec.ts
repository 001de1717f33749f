/**
 * A test for every screen of the model; each fails when an address of its screen was not opened. The owner stays in
 * the panel from one screen to the next, as people do: loading the panel and the accessibility checker for each screen
 * would take a fifth of the processor time. The first screen of a worker, or the first after a failed test, is loaded.
 */
import type { Page } from '@playwright/test'
import { appearances, setAppearance } from './appearance.ts'
import { test as base } from './fixtures.ts'
import { chosenScreens, journeys } from './own-journeys.ts'
import { collectAddresses, expectOpenedAddresses, screens } from './routes.ts'
import { openWithToken } from './sign-in.ts'
import { walkListBriefly, walkWholeScreen } from './walk.ts'

const { fullWalks, lists, forms } = chosenScreens

/** The owner's page of this worker, which stays open for its next test. */
let openedPage: Page | undefined

const test = base.extend({
  page: async ({ browser, ownerToken }, provide) => {
    if (openedPage) {
      await setAppearance(openedPage, appearances.dark)
    } else {
      openedPage = await (await browser.newContext()).newPage()
      await openWithToken(openedPage, ownerToken)
    }
    await provide(openedPage)
  },
})

for (const screen of screens) {
  test(`opens all addresses of the screen ${screen.path}`, async ({ page, browser, login, colleague, newRecord }) => {
    test.slow()
    const screenWalk = journeys[screen.path] ?? (fullWalks.has(screen.path) ? walkWholeScreen : walkListBriefly)
    const screenAppearances = { list: lists.has(screen.path), form: forms.has(screen.path) }
    const openedAddresses = await collectAddresses(page, () =>
      screenWalk({ page, browser, screen, checksBoth: screenAppearances, login, colleague, newRecord }),
    )
    expectOpenedAddresses(screen, openedAddresses)
  })
}

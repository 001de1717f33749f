/** A test for every screen of the model; each fails when an address of its screen was not opened. */
import { test } from './fixtures.ts'
import { chosenScreens, journeys } from './own-journeys.ts'
import { expectOpened, rememberAddresses, screens } from './routes.ts'
import { walkBriefly, walkThrough } from './walk.ts'

const { fullWalks, lists, forms } = chosenScreens

for (const screen of screens) {
  test(`opens all addresses of the screen ${screen.path}`, async ({
    page,
    browser,
    login,
    loginAsOwner,
    colleague,
    newRecord,
  }) => {
    test.slow()
    await loginAsOwner()
    const opened = rememberAddresses(page)
    const walk = journeys[screen.path] ?? (fullWalks.has(screen.path) ? walkThrough : walkBriefly)
    const inBoth = { list: lists.has(screen.path), form: forms.has(screen.path) }
    await walk({ page, browser, screen, inBoth, login, colleague, newRecord })
    expectOpened(screen, opened)
  })
}

/** A test for every screen of the model; each fails when an address of its screen was not opened. */
import { test } from './fixtures.ts'
import { chooseFullWalks } from './full-walks.ts'
import { journeys } from './own-journeys.ts'
import { expectOpened, rememberAddresses, screens } from './routes.ts'
import { walkBriefly, walkThrough } from './walk.ts'

const fullWalks = chooseFullWalks(screens.filter(({ path }) => !(path in journeys)))

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
    await walk({ page, browser, screen, login, colleague, newRecord })
    expectOpened(screen, opened)
  })
}

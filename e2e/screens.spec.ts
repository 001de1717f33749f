/** A journey for every screen of the model, each ending with the proof that all its addresses were opened. */
import { test } from './fixtures.ts'
import { journeys } from './own-journeys.ts'
import { expectOpened, rememberAddresses, screens } from './routes.ts'
import { walkThrough } from './walk.ts'

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
    const journey = journeys[screen.path] ?? walkThrough
    await journey({ page, browser, screen, login, colleague, newRecord })
    expectOpened(screen, opened)
  })
}

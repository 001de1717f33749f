/**
 * Every address of the panel below /app, as the model declares it (requirements §2), and which of them a test
 * has opened.
 */
import { addressesOf, type Resource, resources, type Screen, screensOf } from '@dala/model'
import { expect, type Frame, type Page } from '@playwright/test'

export const screens: readonly Screen[] = Object.values<Resource>(resources).flatMap(screensOf)

/** One address of each route; `new` takes the place of a record where one can be created. */
export const appRoutes: readonly string[] = screens
  .flatMap(addressesOf)
  .map((address) => `/app/${address.replace('$index', 'new')}`)

/** Returns every address that a page shows during some steps, including navigations by script. */
export async function collectAddresses(page: Page, steps: () => Promise<void>): Promise<ReadonlySet<string>> {
  const openedAddresses = new Set<string>()
  const add = (frame: Frame) => {
    if (frame === page.mainFrame()) openedAddresses.add(new URL(frame.url()).pathname)
  }
  page.on('framenavigated', add)
  await steps()
  page.off('framenavigated', add)
  return openedAddresses
}

/** Fails when the test of a screen has not opened one of its addresses: a new route needs its test. */
export function expectOpenedAddresses(screen: Screen, openedPaths: ReadonlySet<string>): void {
  const missingAddresses = addressesOf(screen).filter((address) => {
    const pattern = new RegExp(`^/app/${address.replace('$index', '(?:\\d+|new)')}$`)
    return ![...openedPaths].some((path) => pattern.test(path))
  })
  expect(missingAddresses, 'addresses that the test did not open').toEqual([])
}

/** Measures where a list's first record begins, so that list headers leave the page to the records. */
import type { Screen } from '@dala/model'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { openInsidePanel } from './open-within.ts'
import { chosenScreens } from './own-journeys.ts'
import { screens } from './routes.ts'
import { expectSettledPage } from './settled.ts'
import { listTitleOf, t } from './messages.ts'

/** Maximum top of the first record in pixels, in a window of 1440 × 900 and on a phone of 390 × 844. */
const line = 300

/** Screens of the model without a list: a single page, the chat desk, and reports, which open on figures. */
const screensWithoutList = new Set(['about', 'chats', 'statistics'])

/** Lists that together have every part that a list can have, and the second address of one (requirements §2). */
const lists = screens.filter(({ path }) => chosenScreens.lists.has(path) && !screensWithoutList.has(path))
const secondAddresses = ['pages/pages']

/** Opens the list of a screen and waits for its heading. */
async function openList(page: Page, screen: Screen): Promise<void> {
  await openInsidePanel(page, screen.path)
  await expect(page.getByRole('heading', { level: 1, name: listTitleOf(screen) })).toBeVisible()
}

/** The top of the first record of the list on the page; undefined for an empty list. */
async function readTopOfFirst(page: Page, address: string): Promise<number | undefined> {
  const main = page.getByRole('main')
  const row = main.locator('[data-row]').first()
  await expect(row.or(main.getByText(t('empty.noData'), { exact: true })).first(), address).toBeVisible()
  await expectSettledPage(page)
  if ((await row.count()) === 0) return undefined
  return await row.evaluate((element, notice) => {
    // Other tests add records meanwhile: the notice of their changes is no part of the list's header.
    const notices = [...document.querySelectorAll<HTMLElement>('main output')].filter(({ textContent }) =>
      textContent.includes(notice),
    )
    const height = notices.reduce((sum, { offsetHeight }) => sum + offsetHeight, 0)
    return element.getBoundingClientRect().top - height
  }, t('live.listChanged'))
}

/** Opens the lists and fails with those whose first record begins too far down. */
export async function expectRecordsAbove(page: Page, otherAddresses: readonly string[]): Promise<void> {
  const topsByAddress: [address: string, top: number | undefined][] = []
  for (const address of [...secondAddresses, ...otherAddresses]) {
    await page.goto(`/app/${address}`)
    topsByAddress.push([address, await readTopOfFirst(page, address)])
  }
  for (const screen of lists) {
    await openList(page, screen)
    topsByAddress.push([screen.path, await readTopOfFirst(page, screen.path)])
  }
  const lowLists = topsByAddress.flatMap(([address, top]) =>
    top !== undefined && top >= line ? [`${address}: ${Math.round(top)}`] : [],
  )
  expect(lowLists, `lists whose first record begins below ${line} px`).toEqual([])
  // Measuring only empty lists would prove nothing.
  expect(topsByAddress.filter(([, top]) => top !== undefined).length).toBeGreaterThan(lists.length / 2)
}

/** Reading a list: its state is in the address, and every state of loading has its own appearance. */
import { expect, expectAccessible, test } from './fixtures.ts'

test('stores search, filter and sort of a list in the address, for Back and a shared link', async ({
  page,
  login,
  context,
}) => {
  await login('owner')
  await page.goto('/app/settings/districts')
  await page.getByRole('searchbox', { name: /Поиск/ }).fill('кунград')
  await expect(page).toHaveURL(/q=/)
  await page.getByRole('button', { name: 'Код' }).click()
  await expect(page).toHaveURL(/sort=code/)
  await page
    .getByRole('combobox', { name: 'Вид' })
    .or(page.getByRole('combobox', { name: 'Тип' }))
    .first()
    .click()
  await page.getByRole('option', { name: 'Район', exact: true }).click()
  await expect(page).toHaveURL(/f\.type=district/)
  const address = page.url()
  const matchingRow = page.getByRole('row').filter({ hasText: 'Кунград' })
  await expect(matchingRow).toHaveCount(1)
  await matchingRow.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Кунград')
  await page.goBack()
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('searchbox', { name: /Поиск/ })).toHaveValue('кунград')
  await expect(matchingRow).toHaveCount(1)

  const sharedPage = await context.newPage()
  await login('admin', { page: sharedPage })
  await sharedPage.goto(address)
  await expect(sharedPage.getByRole('row').filter({ hasText: 'Кунград' })).toHaveCount(1)
  await expect(sharedPage.getByRole('searchbox', { name: /Поиск/ })).toHaveValue('кунград')
  await expect(sharedPage.getByRole('columnheader', { name: 'Код' })).toHaveAttribute('aria-sort', 'ascending')
})

test('starts a list at 15 rows, offers 8, 12 and 20, and shows a pager only for several pages', async ({
  page,
  login,
}) => {
  await login('owner')
  await page.goto('/app/settings/districts')
  const rows = page.getByRole('row')
  const size = page.getByRole('combobox', { name: 'Строк на странице' })
  const pagerRegion = page.getByRole('navigation', { name: 'Постраничная навигация' })
  await expect(rows).toHaveCount(16)
  await expect(size).toHaveText('15 на странице')
  await size.click()
  await expect(page.getByRole('option')).toHaveText([
    '8 на странице',
    '12 на странице',
    '15 на странице',
    '20 на странице',
  ])
  await expectAccessible(page)
  await page.getByRole('option', { name: '12 на странице' }).click()
  await expect(rows).toHaveCount(13)
  await pagerRegion.getByRole('button', { name: 'Перейти на страницу 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByText(/^13–24 из/)).toBeVisible()
  await page.reload()
  await expect(page.getByText(/^13–24 из/)).toBeVisible()

  await page.goto('/app/settings/regions')
  await expect(rows).toHaveCount(15)
  await expect(pagerRegion).toBeHidden()
  await page.goto('/app/settings/regions?size=8')
  await expect(pagerRegion).toBeVisible()
})

test('uses different messages for an empty list and an empty search result', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/settings/regions?q=%25_%27%22zzz')
  await expect(page.getByText('Нет данных')).toBeVisible()
  await expect(page.getByText('Ничего не найдено. Измените запрос или фильтры.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Сбросить фильтры' }).click()
  await expect(page.getByRole('row')).toHaveCount(15)
  await expect(page).toHaveURL('/app/settings/regions')

  await page.route('**/api/regions?**', (route) =>
    route.fulfill({ json: { data: [], meta: { pagination: { page: 1, pageSize: 15, pageCount: 0, total: 0 } } } }),
  )
  await page.reload()
  await expect(page.getByText('Нет данных')).toBeVisible()
  await expect(page.getByText('Ничего не найдено.', { exact: false })).toBeHidden()
  await expect(page.getByRole('main').getByRole('link', { name: 'Добавить новый' })).toHaveCount(2)
})

test('explains why a list failed to load, and loads the list with Try again', async ({ page, login }) => {
  await login('owner')
  await page.route('**/api/regions?**', (route) =>
    route.fulfill({
      status: 500,
      json: {
        data: null,
        error: { status: 500, name: 'InternalServerError', message: 'Broken on purpose', details: {} },
      },
    }),
  )
  await page.goto('/app/settings/regions')
  const failure = page.getByRole('alert').filter({ hasText: 'Не удалось загрузить список' })
  await expect(failure).toContainText('500')
  await expect(page.getByRole('heading', { name: 'Регионы' })).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/regions?**')
  await failure.getByRole('button', { name: 'Повторить' }).click()
  await expect(page.getByRole('row')).toHaveCount(15)
})

test('reports a lost connection inside the list after its retries', async ({ page, login }) => {
  await login('owner')
  await page.route('**/api/regions?**', (route) => route.abort())
  await page.goto('/app/settings/regions')
  await expect(page.getByText('Не удалось загрузить список')).toBeVisible()
  await expect(page.getByText('Проверьте подключение к интернету и повторите попытку.')).toBeVisible()
})

test('shows skeleton rows of a list first on a slow answer, and old rows while a new page loads', async ({
  page,
  login,
}) => {
  let release: () => void = () => undefined
  const releaseSignal = new Promise<void>((resolve) => (release = resolve))
  await login('owner')
  await page.route('**/api/regions?**', async (route) => {
    await releaseSignal
    await route.fallback()
  })
  await page.goto('/app/settings/regions?size=8')
  const sheet = page.getByRole('region', { name: 'Регионы' })
  await expect(sheet.locator('[aria-hidden].bg-line').first()).toBeVisible()
  release()
  await expect(page.getByRole('row')).toHaveCount(9)
  await page.unroute('**/api/regions?**')

  let releaseNextCall: () => void = () => undefined
  const heldCall = new Promise<void>((resolve) => (releaseNextCall = resolve))
  await page.route('**/api/regions?**', async (route) => {
    await heldCall
    await route.fallback()
  })
  await page.getByRole('button', { name: 'Перейти на страницу 2' }).click()
  await expect(sheet.locator('[aria-busy=true]')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(9)
  releaseNextCall()
  await expect(page.getByRole('row')).toHaveCount(7)
})

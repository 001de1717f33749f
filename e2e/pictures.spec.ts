/**
 * Pictures from the choice to the store: cropped to each size, ten in one drop over a broken link, and
 * browsed by swipes.
 */
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, expectOverlayAccessible, test, makeUniqueName } from './fixtures.ts'
import { findField } from './fill-form.ts'
import { newPicture } from './new-picture.ts'
import { waitForMotionEnd } from './settled.ts'

/** A ratio, the widest and the tallest size; `cut.test.ts` computes the crop of any size. */
const sizes = [
  ['4:3', 1920, 1440],
  ['Баннер', 1232, 296],
  ['Патент', 1080, 1500],
] as const

interface MeasuredPicture {
  magicBytes: number[]
  width: number
  height: number
  /** Red, green and blue of the picture's four corners and its middle. */
  colours: number[][]
}

/** Fetches a file and decodes it, as a reader's browser would. */
async function measure(page: Page, address: string): Promise<MeasuredPicture> {
  return await page.evaluate(async (url) => {
    const blob = await (await fetch(url)).blob()
    const magicBytes = [...new Uint8Array(await blob.slice(0, 3).arrayBuffer())]
    const { width, height, ...drawing } = await createImageBitmap(blob).then((bitmap) => {
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const context = canvas.getContext('2d')
      context?.drawImage(bitmap, 0, 0)
      return { width: bitmap.width, height: bitmap.height, context }
    })
    const points = [
      [0, 0],
      [width - 1, 0],
      [0, height - 1],
      [width - 1, height - 1],
      [Math.floor(width / 2), Math.floor(height / 2)],
    ] as const
    const colours = points.map(([x, y]) => [...(drawing.context?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3))
    return { magicBytes, width, height, colours }
  }, address)
}

interface StoredPicture {
  id: number
  name: string
  url: string
}

/** The uploaded file's record once the server has stored it, whatever else is stored before. */
async function storePicture(page: Page, name: string, doing: () => Promise<void>): Promise<StoredPicture> {
  const answer = page.waitForResponse(async (response) => {
    if (response.request().method() !== 'POST' || !response.url().endsWith('/api/upload')) return false
    const [record] = (await response.json()) as StoredPicture[]
    return record?.name === name
  })
  await doing()
  const [record] = (await (await answer).json()) as StoredPicture[]
  if (!record) throw new Error('The store gave no record')
  return record
}

const findCropper = (page: Page) => page.getByRole('dialog', { name: 'Обрезка изображения' })

async function turnAndZoomPicture(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Отразить по горизонтали' }).click()
  await dialog.getByRole('button', { name: 'Повернуть на 90° вправо' }).click()
  await dialog.getByRole('button', { name: 'Приблизить' }).click()
}

test('crops wide and tall sizes of a picture to the pixel after mirroring, turning and zooming', async ({
  page,
  login,
}) => {
  await login('owner')
  await page.goto('/app/settings/product/new')
  const field = findField(page, 'gallery')
  const source = newPicture()
  const colour =
    source.name.match(/[0-9a-f]{2}(?=[0-9a-f]*\.png)/g)?.map((hexPair) => Number.parseInt(hexPair, 16)) ?? []
  await field.locator('input[type="file"]').setInputFiles(source)
  const button = field.getByRole('button', { name: /^Обрезать/ })
  for (const [preset, width, height] of sizes) {
    await button.click()
    const dialog = findCropper(page)
    await dialog.getByRole('combobox', { name: 'Размер' }).click()
    await page.getByRole('option', { name: preset, exact: true }).click()
    await expect(dialog.getByText(`${width} × ${height} пкс`)).toBeVisible()
    await turnAndZoomPicture(dialog)
    // The uploaded picture is 64 pixels wide and high.
    await expect(dialog.getByText(/изображение будет нечётким/)).toBeVisible()
    if (preset === '4:3') await expectOverlayAccessible(page)
    const name = `${width}x${height}.jpg`
    const { url } = await storePicture(page, name, () => dialog.getByRole('button', { name: 'Сохранить' }).click())
    const file = await measure(page, url)
    expect({ ...file, colours: [] }).toEqual({ magicBytes: [0xff, 0xd8, 0xff], width, height, colours: [] })
    // The cropped picture has no white pixels at an edge.
    for (const [index, channel] of file.colours.flat().entries()) {
      expect(Math.abs(channel - (colour[index % 3] ?? 0)), `${name} ${String(file.colours)}`).toBeLessThan(8)
    }
    await expect(field.getByRole('listitem').filter({ hasText: name })).toHaveCount(1)
  }
  await expect(field.getByRole('listitem')).toHaveCount(1)
})

test('crops a chosen picture with the keyboard alone, and again from the original', async ({ page, login }) => {
  await login('owner')
  await page.goto('/app/news/new')
  const field = findField(page, 'image')
  await field.locator('input[type="file"]').setInputFiles(newPicture())
  const dialog = findCropper(page)
  const cropDrawing = dialog.getByRole('application')
  await expect(cropDrawing).toBeFocused()
  const zoom = dialog.getByRole('slider', { name: 'Масштаб' })
  await expect(zoom).toHaveValue('0')
  // Keys have no effect before the picture is decoded, which no element shows.
  await expect(async () => {
    await page.keyboard.press('+')
    await expect(zoom).not.toHaveValue('0', { timeout: 500 })
  }).toPass()
  await page.keyboard.press('+')
  const zoomValue = await zoom.inputValue()
  await page.keyboard.press('ArrowRight')
  const save = dialog.getByRole('button', { name: 'Сохранить' })
  await save.focus()
  await storePicture(page, '1920x1080.jpg', () => page.keyboard.press('Enter'))
  await field.getByRole('button', { name: 'Действия с изображением' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Обрезать заново' }).press('Enter')
  await expect(cropDrawing).toBeFocused()
  await expect(zoom).toHaveValue(zoomValue)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

/** Drops files on a form field, as from a folder of the desktop. */
async function dropFiles(
  page: Page,
  field: Locator,
  files: readonly { name: string; buffer: Buffer }[],
): Promise<void> {
  const dataTransferHandle = await page.evaluateHandle(
    (filesData) => {
      const dataTransfer = new DataTransfer()
      for (const { name, bytes } of filesData) {
        const data = Uint8Array.from(atob(bytes), (letter) => letter.codePointAt(0) ?? 0)
        dataTransfer.items.add(new File([data], name, { type: 'image/png' }))
      }
      return dataTransfer
    },
    files.map(({ name, buffer }) => ({ name, bytes: buffer.toString('base64') })),
  )
  await field.getByRole('button', { name: /выберите файл/ }).dispatchEvent('drop', { dataTransfer: dataTransferHandle })
}

/** Drags the picture of the gallery sideways. */
async function swipePicture(page: Page, pixels: number): Promise<void> {
  // The gallery ignores drags of a picture that is already sliding out.
  await waitForMotionEnd(page)
  await page.mouse.move(720, 400)
  await page.mouse.down()
  await page.mouse.move(720 + pixels / 2, 400)
  await page.mouse.move(720 + pixels, 400)
  await page.mouse.up()
}

test('stores ten dropped pictures once despite a cut connection, and browses them', async ({
  page,
  login,
  colleague,
}) => {
  await login('owner')
  await page.goto('/app/settings/product/new')
  const field = findField(page, 'gallery')
  const prefix = makeUniqueName('ten').replace(' ', '-')
  const files = Array.from({ length: 10 }, (_, index) => ({ ...newPicture(), name: `${prefix}-${index}.png` }))
  let uploadCount = 0
  await page.route('**/api/upload', async (route) => {
    uploadCount += 1
    await (uploadCount === 4 ? route.abort('connectionreset') : route.continue())
  })
  await dropFiles(page, field, files)
  const retryButton = field.getByRole('button', { name: 'Повторить' })
  await expect(retryButton).toBeVisible()
  await expect(field.getByRole('progressbar')).toHaveCount(0)
  await expectAccessible(page)
  await retryButton.click()
  await expect(field.getByRole('button', { name: /^Убрать ten/ })).toHaveCount(10)
  await expect(field.getByRole('progressbar')).toHaveCount(0)
  await expect(field.getByRole('listitem')).toHaveText(files.map(({ name }) => name))
  const query = `filters[name][$startsWith]=${prefix}&pagination[pageSize]=100`
  const list = await colleague<{ data: { name: string }[] }>('GET', `/upload/library?${query}`)
  expect(list.data.map(({ name }) => name).toSorted()).toEqual(files.map(({ name }) => name))

  const picture = field.getByRole('button', { name: /^Показать крупно/ })
  await picture.click()
  const gallery = page.getByRole('dialog', { name: 'Галерея' })
  const counterOf = (index: number) => gallery.getByText(`${index} / 10`)
  await expect(counterOf(1)).toBeVisible()
  await expectOverlayAccessible(page)
  await swipePicture(page, -39)
  await expect(counterOf(1)).toBeVisible()
  // Two quick swipes do not count as a double click.
  await swipePicture(page, -39)
  await swipePicture(page, -41)
  await expect(counterOf(2)).toBeVisible()
  await swipePicture(page, 39)
  await expect(counterOf(2)).toBeVisible()
  await swipePicture(page, 41)
  await expect(counterOf(1)).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(counterOf(2)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(gallery).toBeHidden()
  await expect(picture).toBeFocused()
})

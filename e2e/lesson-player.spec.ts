/** A learner plays the video of a lesson by the keyboard, leaves, and continues where they stopped. */
import type { APIRequestContext } from '@playwright/test'
import { expect, expectAccessible, serverUrl, test, makeUniqueName } from './fixtures.ts'
import { t } from './messages.ts'
import { playableVideo } from './new-video.ts'

const subtitles = Buffer.from('WEBVTT\n\n00:00.000 --> 00:08.000\nСначала фильтр')

/** Uploads a file by one request of the resumable protocol, and returns its address. */
async function uploadFile(request: APIRequestContext, token: string, file: Buffer, name: string, purpose: string) {
  const encodeText = (text: string) => Buffer.from(text).toString('base64')
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const begunUpload = await request.post('/api/upload/resumable', {
    headers: {
      ...headers,
      'upload-length': String(file.length),
      'upload-metadata': `filename ${encodeText(name)},purpose ${encodeText(purpose)}`,
    },
  })
  const patchResponse = await request.patch(new URL(begunUpload.headers()['location'] ?? '', serverUrl()).href, {
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    data: file,
  })
  const [storedFile] = (await patchResponse.json()) as { url: string }[]
  return storedFile?.url
}

test('plays a lesson by the keyboard, with subtitles, continues it and completes the course', async ({
  page,
  request,
  ownerToken,
  login,
  newRecord,
  colleague,
}) => {
  const course = await newRecord('courses', { title: makeUniqueName('Курс') })
  const { id } = await newRecord('lessons', {
    title: makeUniqueName('Урок'),
    course: course.id,
    content: '<p>Поливайте на рассвете.</p>',
    video: { file: await uploadFile(request, ownerToken, playableVideo, 'film.webm', 'lesson_video') },
    subtitles: await uploadFile(request, ownerToken, subtitles, 'film.vtt', 'subtitles'),
  })
  const { data } = await colleague<{ data: { attributes: { version: number } } }>('GET', `/courses/${course.id}`)
  const publicationBody = { locales: ['ru'], version: data.attributes.version }
  await colleague('POST', `/courses/${course.id}/publish`, { data: publicationBody })

  await login('authenticated', { language: 'ru' })
  await page.goto(`/app/e-learning/lesson-seen/${id}`)
  const player = page.getByRole('region', { name: /^Плеер/ })
  const list = page.getByRole('complementary', { name: t('learning.outline') })
  const position = player.getByRole('slider', { name: t('player.position') })
  await expect(list.getByText('0 / 1')).toBeVisible()
  await expect(position).toHaveAttribute('aria-valuetext', /из 8 секунд/)
  await player.getByRole('button', { name: t('player.play') }).press('k')
  await expect(player.getByRole('button', { name: t('player.pause') })).toBeFocused()
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('>')
  await page.keyboard.press('c')
  await expect(player.getByText('Сначала фильтр')).toBeVisible()
  await expect(position).toHaveAttribute('aria-valuetext', /^[5-7] секунд из/)
  const positionResponse = page.waitForResponse(
    (answer) => answer.request().postData()?.includes('position_s') === true,
  )
  await page.keyboard.press('k')
  expect((await positionResponse).status()).toBe(200)
  await expectAccessible(page)

  await page.reload()
  await expect(page.getByText(/^Продолжено с 0:0[5-7]/)).toBeVisible()
  // The player starts with the speed and the subtitles that the learner chose before.
  await expect(player.getByRole('button', { name: /2×/ })).toBeVisible()
  await expect(player.getByText('Сначала фильтр')).toBeVisible()
  await player.getByRole('button', { name: t('player.play') }).press('k')
  await expect(list.getByText('1 / 1')).toBeVisible()
  await expect(list.getByText(/^100.%$/)).toBeVisible()
  await expect(page.getByRole('button', { name: t('learning.certificate') })).toBeVisible()
  await expectAccessible(page)
  await colleague('DELETE', `/courses/${course.id}`)
})

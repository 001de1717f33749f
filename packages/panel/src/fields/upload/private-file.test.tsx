import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { buildQueryClient } from '../../api/query-client.ts'
import { errorAnswer, fakeApi } from '../../testing/fake-api.ts'
import { CoverPicture } from '../picture/cover.tsx'
import { PicturePreview } from '../picture/preview.tsx'
import { fetchDrawable } from './private-file.tsx'

const passport = {
  id: 7,
  name: 'passport.jpg',
  private: true,
  url: '/uploads/a.jpg',
  width: 900,
  formats: { small: { url: '/uploads/small_a.jpg', width: 500, webp: { url: '/uploads/small_a.webp', ext: '.webp' } } },
}
const signedFile = {
  url: '/uploads/a.jpg?signature=s',
  formats: {
    small: { url: '/uploads/small_a.jpg?signature=s', webp: { url: '/uploads/small_a.webp?signature=s' } },
  },
  expiresAt: '2026-11-23T10:00:00.000Z',
}
const answer = { 'GET /api/upload/files/7/address': { data: signedFile } }
const renderElement = (element: React.ReactNode) =>
  render(<QueryClientProvider client={buildQueryClient(() => undefined)}>{element}</QueryClientProvider>)

it('draws a private picture from its signed addresses, never from its plain address', async () => {
  const calls = fakeApi(answer)
  const { container } = renderElement(<CoverPicture file={passport} width={180} alt="Passport" className="size-20" />)
  expect(container.querySelector('img')).toBeNull()
  const image = await screen.findByRole('img', { name: 'Passport' })
  expect(image.getAttribute('src')).toBe('/uploads/small_a.webp?signature=s')
  expect(image.getAttribute('srcset')).toBe('/uploads/small_a.webp?signature=s 500w, /uploads/a.jpg?signature=s 900w')
  expect(calls).toHaveLength(1)
})

it('requests the addresses once for a private picture that is shown in several places', async () => {
  const calls = fakeApi(answer)
  renderElement(
    <>
      <CoverPicture file={passport} width={44} alt="Small" className="size-11" />
      <PicturePreview pictures={[passport]} picture={passport} />
    </>,
  )
  await screen.findByRole('img', { name: 'Small' })
  expect(screen.getByRole('img', { name: /passport\.jpg/ }).getAttribute('src')).toBe('/uploads/a.jpg?signature=s')
  expect(calls).toHaveLength(1)
})

it('draws a public picture immediately, without a request', () => {
  const calls = fakeApi({})
  renderElement(<CoverPicture file={{ ...passport, private: false }} width={180} alt="Logo" className="size-20" />)
  expect(screen.getByRole('img', { name: 'Logo' }).getAttribute('src')).toBe('/uploads/small_a.webp')
  expect(calls).toHaveLength(0)
})

it('draws no private picture that the user may not read', async () => {
  const calls = fakeApi({
    'GET /api/upload/files/7/address': () => errorAnswer(404, 'NotFoundError', 'x', 'file.not-found'),
  })
  const { container } = renderElement(<CoverPicture file={passport} width={180} className="size-20" />)
  await expect.poll(() => calls.length).toBeGreaterThan(0)
  expect(container.querySelector('img')).toBeNull()
})

it('gives the cropper the signed address of a private picture', async () => {
  fakeApi(answer)
  expect(await fetchDrawable(passport)).toMatchObject({ id: 7, url: signedFile.url })
  expect(await fetchDrawable({ ...passport, private: false })).toMatchObject({ url: '/uploads/a.jpg' })
})

import { videoOf } from '@dala/model'
import { expect, it } from 'vitest'
import { askSite, type FetchFunction } from './video-sites.ts'

const page = { YouTube: 'https://youtu.be/dQw4w9WgXcQ', Vimeo: 'https://vimeo.com/76979871' } as const
const ask = (site: keyof typeof page, fetchFrom: FetchFunction, abortSignal = new AbortController().signal) => {
  const video = videoOf(page[site])
  if (video?.kind !== 'player') throw new Error('This is no video of a site')
  return askSite(video, fetchFrom, abortSignal)
}
const makeAnsweringFetch = (body: string, status: number) => () => Promise.resolve(new Response(body, { status }))
const validBody = JSON.stringify({ type: 'video', html: '<iframe></iframe>' })

it.each([
  ['YouTube', 200, validBody, 'reachable'],
  ['Vimeo', 200, validBody, 'reachable'],
  ['YouTube', 400, 'Bad Request', 'unreachable'],
  ['YouTube', 401, 'Unauthorized', 'unreachable'],
  ['YouTube', 403, 'Forbidden', 'unreachable'],
  ['YouTube', 404, 'Not Found', 'unreachable'],
  ['Vimeo', 403, '{}', 'unreachable'],
  ['Vimeo', 404, '{}', 'unreachable'],
  ['Vimeo', 400, '{}', 'unknown'],
  ['YouTube', 429, '', 'unknown'],
  ['Vimeo', 503, '', 'unknown'],
  ['YouTube', 200, '<html>Sign in to this network</html>', 'unknown'],
  ['Vimeo', 200, JSON.stringify({ type: 'video', domain_status_code: 403 }), 'unknown'],
  ['YouTube', 200, JSON.stringify({ type: 'video', html: 'x'.repeat(65_536) }), 'unknown'],
] as const)(
  'takes from %s with status %i and the body %.60s the state of a video',
  async (site, status, body, state) => {
    expect(await ask(site, makeAnsweringFetch(body, status))).toBe(state)
  },
)

it('follows no redirect of a video site, and asks only its fixed address', async () => {
  const requests: unknown[] = []
  await ask('Vimeo', (address, { redirect }) => {
    requests.push([address.href, redirect])
    return Promise.reject(new TypeError('unexpected redirect'))
  })
  expect(requests).toEqual([
    ['https://vimeo.com/api/oembed.json?format=json&url=https%3A%2F%2Fvimeo.com%2F76979871', 'error'],
  ])
})

it('reads at most 64 KB of the answer of a video site', async () => {
  let sentCount = 0
  const endlessBody = new ReadableStream({
    pull(controller) {
      sentCount += 16_384
      controller.enqueue(new Uint8Array(16_384).fill(32))
    },
  })
  expect(await ask('YouTube', () => Promise.resolve(new Response(endlessBody)))).toBe('unknown')
  expect(sentCount).toBeLessThan(200_000)
})

it('ends a request to a video site when the server stops', async () => {
  const stopSignal = new AbortController()
  const state = ask(
    'YouTube',
    (_address, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('stopped')))
      }),
    stopSignal.signal,
  )
  stopSignal.abort()
  expect(await state).toBe('unknown')
})

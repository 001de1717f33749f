import { expect, test } from './fixtures.ts'

test('answers that the server is alive', async ({ request }) => {
  const answer = await request.get('/health')
  expect(answer.status()).toBe(200)
})

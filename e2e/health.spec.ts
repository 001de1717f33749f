import { expect, test } from './fixtures.ts'

test('the server says that it is alive', async ({ request }) => {
  const answer = await request.get('/health')
  expect(answer.status()).toBe(200)
})

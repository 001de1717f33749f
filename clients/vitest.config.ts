import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'clients',
    sequence: { groupOrder: 5 },
    globalSetup: ['./global-setup.ts'],
    include: ['*.test.ts'],
    // The test files run in turn, because all of them use the record of the single page.
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})

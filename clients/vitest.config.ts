import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'clients',
    sequence: { groupOrder: 5 },
    globalSetup: ['./global-setup.ts'],
    include: ['*.test.ts'],
    // All users share the single type, so the test files run in turn.
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})

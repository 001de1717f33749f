import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'clients',
    sequence: { groupOrder: 5 },
    globalSetup: ['./global-setup.ts'],
    include: ['*.test.ts'],
    // The single type is one record for everybody, so the clients take turns.
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})

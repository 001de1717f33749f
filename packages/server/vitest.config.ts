import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/testing/setup.ts'],
    // What only several programs on one server can show.
    exclude: process.env.TEST_DATABASE_URL ? [] : ['src/**/*.postgres.test.ts'],
    // The files of one worker share its database (testing/databases.ts), which takes seconds to open.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    // What comes by itself is waited for; a busy machine takes its time.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    hookTimeout: 120_000,
  },
})

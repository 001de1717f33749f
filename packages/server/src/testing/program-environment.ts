/** The environment and the flags of programs that tests start. */

/**
 * Flag of Node for a program with an embedded database that lives shortly. The optimizing compiler takes more than half
 * of the processor time of a start, and 500 MB, for functions that such a program does not use often enough.
 */
export const quickFlag = '--liftoff-only'

/**
 * Returns the environment of a program that starts without content. It uses the modules that an earlier start has
 * compiled, as `npm start` does, and the allocator of the tests.
 *
 * @param dataDir - The data folder of the program.
 * @param settings - Settings that differ.
 * @returns Nothing else of the environment of this process but its path.
 */
export const programEnvironment = (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  GLIBC_TUNABLES: process.env.GLIBC_TUNABLES,
  DATA_DIR: dataDir,
  SEED: 'none',
  OWNER_PASSWORD: 'Harvest-2026',
  ...settings,
})

/** The environment of programs that tests start. */

/**
 * Returns the environment of a program that starts without content. It uses the modules that an earlier start has
 * compiled, as `npm start` does.
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
  DATA_DIR: dataDir,
  SEED: 'none',
  OWNER_PASSWORD: 'Harvest-2026',
  ...settings,
})

/** Refuses pictures of the README that are much older than the screens they show. */
import { repositoryRoot, run } from '../lib/processes.ts'
import { failedTally, passedTally, type Step } from '../lib/step.ts'

const pictures = 'docs/images'
/** Files that decide how screens look: components, styles and texts. */
const screens = ['packages/panel/src', 'packages/model/src/labels']
/** Number of days for which changed screens may wait for new pictures. */
const maxDays = 30
const day = 86_400_000

/**
 * Compares the dates of pictures and screens.
 *
 * @param captureDate - The time of the last commit of the pictures.
 * @param screenDate - The time of the last commit of the screens.
 * @returns A sentence when the pictures are too old, else undefined.
 */
export function outdatedPictures(captureDate: Date, screenDate: Date): string | undefined {
  const days = Math.floor((screenDate.getTime() - captureDate.getTime()) / day)
  if (days <= maxDays) return undefined
  return `The pictures in ${pictures} are ${days} days older than the screens; \`npm run screenshots\` takes them anew.`
}

/** Returns the time of the last commit of the given paths; undefined outside a repository. */
async function lastCommit(paths: readonly string[]): Promise<Date | undefined> {
  const { code, output } = await run('git', ['log', '-1', '--format=%cI', '--', ...paths], { cwd: repositoryRoot })
  return code === 0 && output.trim() !== '' ? new Date(output.trim()) : undefined
}

export const pictureDates: Step = {
  name: 'Dates of the pictures',
  independent: true,
  run: async () => {
    const [captureDate, screenDate] = await Promise.all([lastCommit([pictures]), lastCommit(screens)])
    const output = captureDate && screenDate && outdatedPictures(captureDate, screenDate)
    return output === undefined ? passedTally : { ...failedTally, output }
  },
}
